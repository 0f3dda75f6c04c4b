import { join } from "node:path";
import { type Client, type ClientOptions, createClient } from "@x/client";
import { directoryStorage as clientStorage } from "@x/client/node";
import { directoryStorage } from "@x/list-store/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type StaticHost,
  staticHost,
} from "../../../../packages/list-store/test/support/static-host.ts";
import { type Run, serve, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

/* `@x/client` follows the same lists over each protocol, and must end up with the same entries. */

const PROTOCOLS = ["v5", "v4", "web-risk", "store"] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** The names of the lists malware and unwanted-software in each protocol. */
const NAMES: Readonly<Record<Protocol, readonly [string, string]>> = {
  v5: ["mw-4b", "uws-4b"],
  v4: ["MALWARE", "UNWANTED_SOFTWARE"],
  "web-risk": ["MALWARE", "UNWANTED_SOFTWARE"],
  store: ["malware", "unwanted-software"],
};

let operator: Operator;
let server: Run & { origin: string };
let host: StaticHost;
let publicKey: string;

beforeAll(async () => {
  operator = await newOperator();
  publicKey = operator.read("lists.pub").trim();
  host = await staticHost(directoryStorage(join(operator.path, "lists")));
  operator.write("unwanted.txt", "http://unwanted.example/");
  await publish(hosts(0, 5000));
  server = await serve(operator.path, "--store", "lists");
});

afterAll(async () => {
  await host.close();
  server.child.kill("SIGTERM");
  await server.ended;
  operator.remove();
});

async function publish(malware: readonly string[], ...options: string[]): Promise<void> {
  operator.write("malware.txt", ...malware);
  const sources = ["malware=malware.txt", "unwanted-software=unwanted.txt"];
  const { status, stderr } = await operator.publish(
    "--set",
    "max-removed=100%",
    ...options,
    ...sources,
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
}

/** Waits until the server serves a version of malware. */
async function served(version: number): Promise<void> {
  await waitFor(`version ${version}`, async () => {
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    return metrics.includes(`urlhash_list_version{list="malware"} ${version}\n`);
  });
}

/** A client that keeps its lists in the files of a folder. */
function open(protocol: Protocol, options: Partial<ClientOptions> = {}): Client {
  const isStore = protocol === "store";
  return createClient({
    protocol,
    server: isStore ? host.address : server.origin,
    ...(isStore ? { publicKeys: [publicKey] } : {}),
    lists: NAMES[protocol],
    storage: clientStorage(join(operator.path, `client-${protocol}`)),
    ...options,
  });
}

/** URLs of all entries that change, and of some that do not. */
const URLS = [
  ...hosts(0, 50),
  ...hosts(4990, 5020),
  "http://unwanted.example/a",
  "http://h7.example.org/",
];
const listedUrls = (malware: readonly string[]) => {
  const listed = new Set([...malware, "http://unwanted.example/a"]);
  return URLS.filter((url) => listed.has(url));
};

async function unsafeUrls(client: Client): Promise<string[]> {
  const unsafe: string[] = [];
  for await (const { url, verdict, confirmed, error } of client.checkMany(URLS)) {
    expect([url, confirmed, error]).toEqual([url, true, null]);
    if (verdict === "unsafe") unsafe.push(String(url));
  }
  return unsafe;
}

/** Each version of malware, with the numbers of entries that were added and removed since the one before. */
const VERSIONS = [
  { malware: hosts(0, 5000), added: 5000, removed: 0 },
  { malware: hosts(0, 5010), added: 10, removed: 0 },
  { malware: hosts(10, 5010), added: 0, removed: 10 },
  { malware: [...hosts(0, 20), ...hosts(30, 5015)], added: 15, removed: 10 },
];

describe("in all four ways", () => {
  test("a client follows lists by differences, from one run to the next", async () => {
    const fullBytes = new Map<string, number>();
    for (const [i, { malware, added, removed }] of VERSIONS.entries()) {
      if (i > 0) await publish(malware);
      await served(i + 1);
      const checksums = new Set<string | null>();
      for (const protocol of PROTOCOLS) {
        const client = open(protocol);
        const before = VERSIONS[i - 1]?.malware.length ?? null;
        expect((await client.load()).lists[0]).toMatchObject({ size: before, error: null });
        const { lists, storageError } = await client.update();
        expect([protocol, storageError]).toEqual([protocol, null]);
        const size = malware.length;
        expect(lists).toMatchObject([
          { changed: true, added, removed, size, error: null },
          { changed: i === 0, size: 1, error: null },
        ]);
        const { bytes } = lists[0]!;
        if (i === 0) fullBytes.set(protocol, bytes);
        else expect(bytes).toBeLessThan(fullBytes.get(protocol)! / 2);
        checksums.add(client.status().lists[0]!.version);
        expect(await unsafeUrls(client)).toEqual(listedUrls(malware));
        await client.stop();
      }
      expect(checksums.size).toBe(1);
    }
  });

  test("a client follows a list that is withdrawn, and published again", async () => {
    const { malware } = VERSIONS.at(-1)!;
    await operator.run("withdraw", "malware");
    await served(VERSIONS.length + 1);
    for (const protocol of PROTOCOLS) {
      const client = open(protocol);
      await client.load();
      expect((await client.update()).lists[0]).toMatchObject({
        changed: true,
        removed: malware.length,
        size: 0,
        error: null,
      });
      expect(await unsafeUrls(client)).toEqual(["http://unwanted.example/a"]);
      await client.stop();
    }
    await publish(malware, "--resume");
    await served(VERSIONS.length + 2);
    for (const protocol of PROTOCOLS) {
      const client = open(protocol);
      await client.load();
      await client.update();
      expect(await unsafeUrls(client)).toEqual(listedUrls(malware));
      await client.stop();
    }
  });
});

describe("private lists", () => {
  let key: string;
  let closed: Run & { origin: string };

  beforeAll(async () => {
    const { stdout } = await runHere(operator.path, "key", "malware", "unwanted-software");
    const [, secret, readers] = /\n {2}(\S+)\n[\s\S]*\n(readers:\n[\s\S]*)$/.exec(stdout)!;
    key = secret!;
    operator.write("closed.yaml", readers!);
    closed = await serve(operator.path, "--store", "lists", "--config", "closed.yaml");
  });

  afterAll(async () => {
    closed.child.kill("SIGTERM");
    await closed.ended;
  });

  test.each(["v5", "v4", "web-risk"] as const)("open to a key over %s", async (protocol) => {
    const options = { server: closed.origin, storage: undefined };
    const client = open(protocol, { ...options, key });
    await client.update();
    expect(await unsafeUrls(client)).toEqual(listedUrls(VERSIONS.at(-1)!.malware));
    expect(JSON.stringify(client.status())).not.toContain(key);

    for (const wrong of [undefined, "another"]) {
      const stranger = open(protocol, { ...options, key: wrong });
      await expect(stranger.update()).rejects.toMatchObject({
        code: "server-refused",
        status: 403,
      });
      expect(await stranger.check("http://h7.example.org/")).toMatchObject({
        verdict: "unsure",
        reason: "not-loaded",
      });
    }
  });
});

test("a store that another key signed gives no lists", async () => {
  const other = await newOperator();
  try {
    const publicKeys = [other.read("lists.pub").trim()];
    const client = open("store", { publicKeys, storage: undefined });
    await expect(client.update()).rejects.toMatchObject({ code: "answer-wrong", list: "malware" });
    expect(client.checkLocally("http://h7.example/")).toMatchObject({
      verdict: "unsure",
      reason: "not-loaded",
    });
  } finally {
    other.remove();
  }
});
