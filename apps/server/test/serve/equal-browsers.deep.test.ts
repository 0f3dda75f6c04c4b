import { memoryStorage } from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { afterEach, describe, expect, test } from "vitest";
import {
  type PlainList,
  plainList,
} from "../../../../packages/list-store/test/support/plain-list.ts";
import {
  hashesOf,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { waitFor } from "../support/command.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import {
  type PlainClient,
  type Send,
  v4Client,
  v5Client,
  webRiskClient,
} from "../support/plain-client.ts";

/* Browsers that share an address and have the same User-Agent, over HTTP. */

const BROWSERS = sampleSize(100, 40);
const ROUNDS = sampleSize(10, 4);
const ENTRIES = 1000;
const CHURN = ENTRIES / 100;

const PROTOCOLS: Readonly<Record<string, (send: Send) => PlainClient>> = {
  "v5 (GET)": (send) => v5Client(send, "mw-4b"),
  "v4 (GET)": (send) => v4Client(send, 1),
  "Web Risk": (send) => webRiskClient(send, "MALWARE", "RICE"),
};

const entriesOf = (round: number) =>
  Array.from({ length: ENTRIES }, (_, i) => `h${round * CHURN + i}.example/`);

let servers: LoggedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function serving(connect: (send: Send) => PlainClient) {
  const storage = memoryStorage();
  const signer = await newSigner();
  const publish = publisher(storage, signer);
  await publish("malware", entriesOf(0));
  const start = async () => {
    const server = await startLoggedServer(storage, signer, { poll: 20 });
    servers.push(server);
    return server;
  };
  let { origin } = await start();
  const send: Send = async (target, headers) => {
    const response = await fetch(origin + target, {
      headers: { ...headers, "user-agent": "the same" },
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  return {
    client: () => connect(send),
    /** Publishes the entries of a round, and waits until they are served. */
    async advance(round: number) {
      const { manifest } = await publish("malware", entriesOf(round));
      await waitFor("the new version", async () =>
        new TextDecoder()
          .decode(await send("/metrics"))
          .includes(`urlhash_list_version{list="malware"} ${manifest.version}`),
      );
      return plainList(hashesOf(entriesOf(round)));
    },
    async restart() {
      ({ origin } = await start());
    },
  };
}

/** Compares lists as text, because `toEqual` takes much longer for long lists. */
function expectLists(browsers: readonly PlainClient[], expected: PlainList): void {
  const text = expected.join();
  for (const browser of browsers) expect(browser.list().join()).toBe(text);
}

describe.each(Object.entries(PROTOCOLS))("over %s", (_, connect) => {
  test("equal browsers behind one address get differences", async () => {
    const { client, advance } = await serving(connect);
    const browsers = Array.from({ length: BROWSERS }, client);
    for (const browser of browsers) expect(await browser.update()).toBe("full");
    for (let round = 1; round <= ROUNDS; round++) {
      const list = await advance(round);
      const kinds = await Promise.all(browsers.map((browser) => browser.update()));
      expect(kinds.filter((kind) => kind === "partial").length).toBe(BROWSERS);
      expectLists(browsers, list);
    }
  });

  test("one of them that cannot apply a difference is healed within two more updates", async () => {
    const { client, advance } = await serving(connect);
    const browsers = Array.from({ length: BROWSERS }, client);
    const failing = browsers[BROWSERS - 10]!;
    for (const browser of browsers) await browser.update();
    let full = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const list = await advance(round);
      for (const browser of browsers) {
        const kind = await browser.update(browser === failing ? "differences" : false);
        if (kind === "full") full++;
      }
      const again = [await failing.update("differences")];
      again.push(await failing.update("differences"));
      expect(again).toContain("full");
      expect(await failing.update()).toBe("none");
      expectLists(browsers, list);
    }
    expect(full).toBeLessThanOrEqual((BROWSERS * ROUNDS) / 20);
  });
});

test("a browser that fails is healed within two more updates when others left before", async () => {
  const { client, advance } = await serving(PROTOCOLS["v5 (GET)"]!);
  const failing = client();
  await failing.update();
  await advance(1);
  expect(await failing.update(true)).toBe("partial");
  expect(await failing.update()).toBe("full");
});

test("after a restart, equal browsers get differences, too", async () => {
  const { client, advance, restart } = await serving(PROTOCOLS["v5 (GET)"]!);
  const browsers = Array.from({ length: BROWSERS }, client);
  for (const browser of browsers) await browser.update();
  await restart();
  const fullInRound = async (round: number) => {
    await advance(round);
    let full = 0;
    for (const browser of browsers) if ((await browser.update()) === "full") full++;
    return full;
  };
  for (const round of [1, 2, 3]) expect(await fullInRound(round)).toBe(0);
});
