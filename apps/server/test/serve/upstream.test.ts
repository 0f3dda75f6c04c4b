import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directoryStorage } from "@x/client/node";
import { memoryStorage, type Signer } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { textReply } from "../../src/serve/http/reply.ts";
import type { UpstreamOptions } from "../../src/serve/upstream/upstream-lists.ts";
import {
  type SearchThrough,
  sharedSearches,
  upstreamSearches,
} from "../../src/serve/upstream/upstream-searches.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { postLookUp } from "../support/lookup-server.ts";
import { v4Client, v5Client, webRiskClient } from "../support/plain-client.ts";
import { bytesAt, field, messagesAt, numberAt, readFields } from "../support/plain-messages.ts";
import { recordedAside } from "../support/recorded-aside.ts";
import { eventually, type OtherServer, otherServer, upstreamOf } from "../support/upstream.ts";

const HOUR = 3_600_000;
const MANY = Array.from({ length: 200 }, (_, i) => `host${i}.example/`);
const signer: Signer = await newSigner();

let other: OtherServer;
let running: LoggedServer[];
let folder: string;
beforeEach(async () => {
  other = await otherServer({ "mw-4b": MANY, "se-4b": ["phish.example/"] });
  running = [];
  folder = mkdtempSync(join(tmpdir(), "upstream-"));
});
afterEach(async () => {
  for (const server of running) await server.stop();
  await other.stop().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
});

const BOTH = { "mw-4b": "malware", "se-4b": "social-engineering" };

/** Starts a server that serves lists of the other server beside those of a store. */
async function keep(
  upstream: UpstreamOptions,
  {
    storage = memoryStorage(),
    ...more
  }: Partial<Parameters<typeof startLoggedServer>[2]> & {
    storage?: ReturnType<typeof memoryStorage>;
  } = {},
): Promise<LoggedServer> {
  const server = await startLoggedServer(storage, signer, {
    ...more,
    poll: 20,
    upstreams: [upstream],
  });
  running.push(server);
  return server;
}

async function keepReady(...args: Parameters<typeof keep>): Promise<LoggedServer> {
  const server = await keep(...args);
  await eventually(async () => {
    const answer = await ready(server);
    // On a busy machine, even an honest server may take longer than some tests allow.
    if (answer.includes("does not answer")) await server.updateUpstreams();
    expect(answer).toBe("ready\n");
  });
  return server;
}

const text = async (server: LoggedServer, path: string) =>
  (await fetch(`${server.origin}${path}`)).text();
const ready = (server: LoggedServer) => text(server, "/readyz");
const sender =
  (server: LoggedServer) =>
  async (target: string, headers = {}) => {
    const response = await fetch(`${server.origin}${target}`, { headers });
    if (!response.ok) throw new Error(String(response.status));
    return new Uint8Array(await response.arrayBuffer());
  };
const base64 = (bytes: Uint8Array) => encodeURIComponent(Buffer.from(bytes).toString("base64"));
const searches = () => other.asked.filter((url) => url.includes(":search")).length;

/** Searches v5 for expressions. */
async function search(server: LoggedServer, ...expressions: string[]) {
  const prefixes = expressions.map((each) => `hashPrefixes=${base64(fullHash(each).slice(0, 4))}`);
  const response = await fetch(`${server.origin}/v5/hashes:search?${prefixes.join("&")}`);
  if (!response.ok) return { status: response.status, found: null, duration: null };
  const body = readFields(new Uint8Array(await response.arrayBuffer()));
  const duration = messagesAt(body, 2)[0];
  return {
    status: response.status,
    found: messagesAt(body, 1).map((each) => Buffer.from(bytesAt(each, 1)).toString("hex")),
    duration: duration === undefined ? 0 : numberAt(duration, 1),
    headers: response.headers,
  };
}

const hexOf = (expression: string) => Buffer.from(fullHash(expression)).toString("hex");
const status = async (server: LoggedServer, path: string) =>
  (await fetch(`${server.origin}${path}`)).status;
const lookUp = (server: LoggedServer, url: string) =>
  status(server, `/lookup/status?url=${encodeURIComponent(url)}`);

const LISTED = "host7.example/";
/** How each protocol confirms that an entry is listed. */
const CONFIRMATIONS = {
  "v5 hashes:search": `/v5/hashes:search?hashPrefixes=${base64(fullHash(LISTED).slice(0, 4))}`,
  "v4 fullHashes:find": `/v4/fullHashes:find?$req=${encodeURIComponent(
    Buffer.from(
      Buffer.concat([
        field(
          3,
          Buffer.concat([
            field(1, 1),
            field(2, 6),
            field(4, 1),
            field(3, field(1, fullHash(LISTED).slice(0, 4))),
          ]),
        ),
      ]),
    ).toString("base64"),
  )}&$httpMethod=POST&$ct=application/x-protobuf`,
  "Web Risk hashes:search": `/v1/hashes:search?threatTypes=MALWARE&hashPrefix=${base64(fullHash(LISTED).slice(0, 4))}`,
  "Web Risk uris:search": `/v1/uris:search?threatTypes=MALWARE&uri=http://${LISTED}`,
  "v5 urls:search": `/v5/urls:search?urls=http://${LISTED}`,
  "a lookup": `/lookup/status?url=http://${LISTED}`,
};

describe("lists of another server", () => {
  for (const protocol of ["v5", "v4", "web-risk"] as const) {
    test(`are served in every protocol, kept over ${protocol}`, { tags: "deep" }, async () => {
      const lists = {
        v5: { "mw-4b": "malware", "se-4b": "social-engineering" },
        v4: { MALWARE: "malware", SOCIAL_ENGINEERING: "social-engineering" },
        "web-risk": { MALWARE: "malware", SOCIAL_ENGINEERING: "social-engineering" },
      }[protocol];
      const server = await keepReady(upstreamOf(other, { protocol, lists }));
      const send = sender(server);
      for (const client of [
        v5Client(send, "mw-4b"),
        v4Client(send, 1),
        webRiskClient(send, "MALWARE", "RICE"),
      ]) {
        expect(await client.update()).toBe("full");
        expect(client.list()).toHaveLength(200);
        expect(await client.update()).toBe("none");
      }
      expect((await search(server, LISTED)).found).toEqual([hexOf(LISTED)]);
      expect((await search(server, "phish.example/")).found).toEqual([hexOf("phish.example/")]);
      expect((await search(server, "good.example/")).found).toEqual([]);
      expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
      expect(await lookUp(server, "http://good.example/")).toBe(200);
      const { body } = await postLookUp(server, { urls: ["http://phish.example/x"] });
      expect(body.verdicts[0].matches[0].list).toBe("social-engineering");
    });
  }

  test("stand beside the lists of the store", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("intranet", ["own.example/"]);
    const server = await keepReady(upstreamOf(other, { lists: BOTH }), { storage });
    expect(server.lists.all().map(({ name }) => name)).toEqual([
      "intranet",
      "malware",
      "social-engineering",
    ]);
    expect(await lookUp(server, "http://own.example/")).toBe(403);
  });

  test("can have other names, with their threat types", async () => {
    const server = await keepReady(upstreamOf(other, { lists: { "se-4b": "theirs" } }));
    const client = v5Client(sender(server), "theirs-4b");
    expect(await client.update()).toBe("full");
    const target = `/v5/hashes:search?alt=json&hashPrefixes=${base64(fullHash("phish.example/").slice(0, 4))}`;
    expect(await text(server, target)).toContain("SOCIAL_ENGINEERING");
  });

  test("change by differences, also for clients that come from another server with the same lists", async () => {
    const servers = [await keepReady(upstreamOf(other)), await keepReady(upstreamOf(other))];
    let at = 0;
    const client = v5Client((...args) => sender(servers[at]!)(...args), "mw-4b");
    expect(await client.update()).toBe("full");
    at = 1;
    expect(await client.update()).toBe("none");
    other.set("mw-4b", [...MANY.slice(3), "new.example/"]);
    for (const server of servers) {
      await server.updateUpstreams();
      await eventually(async () => expect(await lookUp(server, "http://new.example/")).toBe(403));
    }
    expect(await client.update()).toBe("partial");
    expect(client.list()).toHaveLength(198);
    other.set("mw-4b", MANY.slice(5));
    await servers[0]!.updateUpstreams();
    await eventually(() => expect(servers[0]!.lists.all()[0]!.loaded!.words).toHaveLength(195));
    at = 0;
    expect(await client.update()).toBe("partial");
    expect(client.list()).toHaveLength(195);
  });

  test("come with the difference from the version before, which is made already", async () => {
    const { aside, jobs } = recordedAside();
    const server = await keepReady(upstreamOf(other), { aside });
    const client = v5Client(sender(server), "mw-4b");
    await client.update();
    other.set("mw-4b", [...MANY, "new.example/"]);
    await server.updateUpstreams();
    await eventually(() => expect(server.lists.all()[0]!.loaded!.words).toHaveLength(201));
    jobs.length = 0;
    expect(await client.update()).toBe("partial");
    expect(jobs).toEqual([]);
  });

  test("are searched there once for a prefix, for as long as the answer holds", async () => {
    const server = await keepReady(upstreamOf(other));
    await Promise.all(Array.from({ length: 20 }, () => search(server, LISTED)));
    await search(server, "good.example/");
    expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
    expect(searches()).toBe(1);
    // Several prefixes are confirmed in one request.
    const { found } = await search(server, ...MANY.slice(20, 40));
    expect(found).toHaveLength(20);
    expect(searches()).toBe(2);
  });

  test("are confirmed from earlier answers while the other server is slow", async () => {
    const server = await keepReady(upstreamOf(other));
    await search(server, LISTED);
    const before = searches();
    other.lie = () => null;
    const slow = MANY.slice(100, 120).map((each) => search(server, each));
    await eventually(() => expect(searches()).toBeGreaterThan(before));
    expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
    await other.stop();
    for (const { status } of await Promise.all(slow)) expect(status).toBe(503);
  });

  test("are confirmed to clients for no longer than the other server said", async () => {
    Object.assign(other.waits, { found: 20_000, notFound: 20_000 });
    const server = await keepReady(upstreamOf(other));
    const { duration, headers } = await search(server, LISTED);
    // Half of the time is left to caches.
    expect(duration).toBeGreaterThan(5);
    expect(duration).toBeLessThanOrEqual(10);
    expect(headers!.get("cache-control")).toBe("public");
    expect(Date.parse(headers!.get("expires")!) - Date.now()).toBeLessThanOrEqual(10_000);
    expect((await search(server, "good.example/")).duration).toBe(60);
  });

  test("are not taken for lists of the store with the same name", async () => {
    const storage = memoryStorage();
    const server = await keep(upstreamOf(other), { storage, poll: 10 });
    await publisher(storage, signer)("malware", ["own.example/"]);
    await eventually(async () => expect(await ready(server)).toMatch(/two lists called mw-4b/));
    expect(await lookUp(server, "http://own.example/")).toBe(503);
    expect(await status(server, "/v5/hashLists:batchGet?names=mw-4b")).toBe(503);
    // The next start says so at once.
    await expect(keep(upstreamOf(other), { storage })).rejects.toThrow(
      "The store has the list malware, and the other server other has one that would be served as malware.",
    );
  });
});

describe("lists that another process keeps", () => {
  /** Whether the first process can answer the other one. */
  let isAnswering: boolean;
  const asked = () => other.asked.length;

  /** Starts two servers that share a folder, as the processes of one server do. Only the first one keeps the lists. */
  async function twoProcesses(): Promise<[LoggedServer, LoggedServer]> {
    isAnswering = true;
    const upstream = upstreamOf(other, { storage: directoryStorage(folder) });
    let first: SearchThrough;
    const together = {
      readiness: async () => textReply("readyz", 200, "ready\n"),
      metrics: async () => "",
      show: (own: { readonly searchUpstream: SearchThrough }) => {
        first ??= own.searchUpstream;
      },
    };
    const started = async (searchUpstream: SearchThrough | undefined) => {
      const server = await keep(upstream, { processes: { ...together, searchUpstream } });
      await eventually(() => expect(server.lists.all()[0]!.loaded).not.toBeNull());
      return server;
    };
    const keeping = await started(undefined);
    const searchUpstream: SearchThrough = async (search) =>
      isAnswering ? structuredClone(await first(structuredClone(search))) : undefined;
    return [keeping, await started(searchUpstream)];
  }

  test("are served and searched by both, and asked for once", async () => {
    const [first, second] = await twoProcesses();
    const updates = asked();
    for (const server of [second, first, second]) {
      expect((await search(server, LISTED)).found).toEqual([hexOf(LISTED)]);
      expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
      expect(await lookUp(server, "http://good.example/")).toBe(200);
    }
    // Several prefixes are confirmed in one request.
    expect((await search(second, ...MANY.slice(20, 40))).found).toHaveLength(20);
    expect((await search(first, ...MANY.slice(20, 40))).found).toHaveLength(20);
    expect([asked(), searches()]).toEqual([updates + 2, 2]);

    await second.updateUpstreams();
    expect(asked()).toBe(updates + 2);
    other.set("mw-4b", [...MANY, "new.example/"]);
    await first.updateUpstreams();
    await eventually(async () => expect(await lookUp(second, "http://new.example/")).toBe(403));
    expect(searches()).toBe(3);
    expect(asked()).toBe(updates + 4);
  });

  test("are searched by the second process alone while the first one cannot answer", async () => {
    const [first, second] = await twoProcesses();
    isAnswering = false;
    expect(await lookUp(second, `http://${LISTED}`)).toBe(403);
    expect(searches()).toBe(1);
    await first.stop();
    running.shift();
    expect(await lookUp(second, "http://host8.example/")).toBe(403);
    expect(await lookUp(second, "http://good.example/")).toBe(200);
  });

  test("are neither confirmed nor asked for again when the first process gets no answer", async () => {
    const [, second] = await twoProcesses();
    other.lie = (path, answer) => (path.includes(":search") ? { ...answer, status: 500 } : answer);
    expect(await lookUp(second, `http://${LISTED}`)).toBe(503);
    expect((await search(second, LISTED)).status).toBe(503);
    // The first request that fails is followed by a pause in which nothing is sent.
    expect(searches()).toBe(2);
    expect(await lookUp(second, "http://good.example/")).toBe(200);
  });

  test("are confirmed from the other process's answer only while it is valid", async () => {
    const answer = (expires: number) => ({ hashes: [], expires });
    let time = 1000;
    let sent = 0;
    const through: SearchThrough = async ({ prefixes }) => {
      sent++;
      return prefixes.map(() => answer(time + 100));
    };
    const own = {
      knownFullHashes: () => null,
      findFullHashes: () => Promise.reject(new Error("this process asks by itself")),
    };
    const finder = sharedSearches("", through, own, () => time);
    const prefix = fullHash(LISTED).slice(0, 4);
    expect(finder.knownFullHashes("mw-4b", prefix)).toBeNull();
    expect(await finder.findFullHashes("mw-4b", [prefix])).toEqual([answer(1100)]);
    expect(finder.knownFullHashes("mw-4b", fullHash(LISTED))).toEqual(answer(1100));
    expect(finder.knownFullHashes("se-4b", prefix)).toBeNull();
    for (const other of [999, 1100]) {
      time = other;
      expect(finder.knownFullHashes("mw-4b", prefix)).toBeNull();
    }
    expect(sent).toBe(1);
  });
});

test("a server that cannot listen asks nobody", async () => {
  const port = Number(new URL(other.origin).port);
  const admin = { kind: "tcp", host: "127.0.0.1", port } as const;
  await expect(keep(upstreamOf(other), { admin })).rejects.toThrow(/EADDRINUSE/);
  expect(other.asked).toEqual([]);
});

test("threats that only count in frames are only for clients that know frames", async () => {
  const hash = fullHash(LISTED);
  const answer = { hashes: [{ hash, isForFrames: true }], expires: 1 };
  const searches = upstreamSearches({
    knownFullHashes: () => answer,
    findFullHashes: async () => [answer],
  });
  const words = Uint32Array.of(Buffer.from(hash).readUInt32BE());
  const found = await searches.of("mw-4b", "malware", words).find(hash, () => "a");
  expect(found).toEqual({ hashes: [], forFrames: [hash], expires: 1 });
});

describe("when the other server is gone", () => {
  /** A server with a clock that the test can advance. */
  async function withClock(grace: number) {
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;
    const server = await keepReady(upstreamOf(other, { grace, now }));
    return { server, clock };
  }

  test("its lists are served for their grace, and then answers are 503 and never empty", async () => {
    const { server, clock } = await withClock(2 * HOUR);
    await other.stop();
    clock.ahead = HOUR;
    await server.updateUpstreams();
    await eventually(async () => expect(await ready(server)).toMatch(/is not being updated/));
    expect(await ready(server)).toMatch(
      /^The list malware of other is not being updated: its server does not answer; the version that is served is \d+ \w+ old\.\n$/,
    );
    expect(await status(server, "/readyz")).toBe(503);
    expect(await text(server, "/metrics")).toContain('urlhash_list_ready{list="malware"} 0');
    expect(await lookUp(server, "http://good.example/")).toBe(200);
    expect(await v5Client(sender(server), "mw-4b").update()).toBe("full");
    for (const [how, path] of Object.entries(CONFIRMATIONS)) {
      expect(await status(server, path), how).toBe(503);
    }

    clock.ahead = 3 * HOUR;
    await eventually(async () => expect(await ready(server)).toMatch(/is too old/));
    expect(await lookUp(server, "http://good.example/")).toBe(503);
    expect(await status(server, "/v5/hashLists:batchGet?names=mw-4b")).toBe(503);
    expect((await search(server, "good.example/")).status).toBe(503);
    expect(await ready(server)).toContain("is too old: its server does not answer");

    await other.start();
    await server.updateUpstreams();
    await eventually(async () => expect(await ready(server)).toBe("ready\n"));
    expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
  });

  test("a restarted server has the lists that it kept", async () => {
    const storage = directoryStorage(folder);
    const first = await keepReady(upstreamOf(other, { storage }));
    const client = v5Client(sender(first), "mw-4b");
    await client.update();
    await eventually(() => expect(storage.get("state")).resolves.not.toBeNull());
    await first.stop();
    await other.stop();
    const second = await keep(upstreamOf(other, { storage }));
    const again = v5Client(sender(second), "mw-4b");
    expect(await again.update()).toBe("full");
    expect(again.list()).toEqual(client.list());
    expect(await lookUp(second, "http://good.example/")).toBe(200);
    expect(await lookUp(second, `http://${LISTED}`)).toBe(503);
  });

  test("a server that never reached it answers 503", async () => {
    await other.stop();
    const server = await keep(upstreamOf(other));
    await eventually(async () =>
      expect(await ready(server)).toBe(
        "The list malware has not arrived from other yet: its server does not answer.\n",
      ),
    );
    expect(await lookUp(server, "http://good.example/")).toBe(503);
    expect(await status(server, "/v5/hashLists:batchGet?names=mw-4b")).toBe(503);
  });
});

/** Searches v4 for expressions and types of threats. */
async function searchV4(server: LoggedServer, threatTypes: string[], ...expressions: string[]) {
  const hashes = expressions.map((each) => Buffer.from(fullHash(each).slice(0, 4)));
  const threatInfo = {
    ...{ threatTypes, platformTypes: ["LINUX"], threatEntryTypes: ["URL"] },
    threatEntries: hashes.map((hash) => ({ hash: hash.toString("base64") })),
  };
  const response = await fetch(`${server.origin}/v4/fullHashes:find`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ threatInfo }),
  });
  if (!response.ok) return response.status;
  const { matches = [], negativeCacheDuration } = await response.json();
  return { found: matches.length, duration: negativeCacheDuration };
}

describe("own lists beside one of another server that is too old", () => {
  const OWN = "own.example/";
  const TOO_OLD = "phish.example/";
  const NEW = "new.example/";
  const BOTH_TYPES = ["MALWARE", "SOCIAL_ENGINEERING"];

  async function beside(isLoaded: boolean) {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", [OWN, "also.example/"]);
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;
    const lists = { "se-4b": "social-engineering" };
    const upstream = upstreamOf(other, { lists, grace: HOUR, now });
    if (!isLoaded) await other.stop();
    const server = isLoaded
      ? await keepReady(upstream, { storage })
      : await keep(upstream, { storage });
    if (isLoaded) await other.stop();
    clock.ahead = 3 * HOUR;
    await eventually(async () =>
      expect(await ready(server)).toMatch(isLoaded ? /is too old/ : /has not arrived/),
    );
    return server;
  }

  test("still have their entries found in v5, and no cache keeps the answer", async () => {
    const server = await beside(true);
    for (const [asked, found] of [
      [[OWN], [OWN]],
      [
        [OWN, "also.example/"],
        [OWN, "also.example/"],
      ],
    ] as const) {
      const { status, duration, headers, ...rest } = await search(server, ...asked);
      expect({ status, duration }).toEqual({ status: 200, duration: 0 });
      expect(rest.found!.toSorted()).toEqual(found.map(hexOf).toSorted());
      expect(headers!.get("cache-control")).toBe("private, no-store");
    }
  });

  test("do not make anything look as if it were not listed", async () => {
    const server = await beside(true);
    for (const asked of [[NEW], [OWN, NEW], [TOO_OLD], [OWN, TOO_OLD]]) {
      expect((await search(server, ...asked)).status, asked.join()).toBe(503);
      expect(await searchV4(server, BOTH_TYPES, ...asked), asked.join()).toBe(503);
    }
  });

  test("are searched alone when a request names their type of threat, or their name", async () => {
    const server = await beside(true);
    const usual = { found: 1, duration: "60s" };
    expect(await searchV4(server, ["MALWARE"], OWN, TOO_OLD)).toEqual(usual);
    expect(await searchV4(server, ["MALWARE"], NEW)).toEqual({ ...usual, found: 0 });
    expect(await searchV4(server, BOTH_TYPES, OWN)).toEqual({ found: 1, duration: "0s" });
    const hashes = (types: string, expression: string) =>
      status(
        server,
        `/v1/hashes:search?${types}&hashPrefix=${base64(fullHash(expression).slice(0, 4))}`,
      );
    const uris = (types: string, url: string) =>
      status(server, `/v1/uris:search?${types}&uri=http://${url}`);
    const own = "threatTypes=MALWARE";
    const both = `${own}&threatTypes=SOCIAL_ENGINEERING`;
    for (const ask of [hashes, uris]) {
      expect(await ask(own, NEW)).toBe(200);
      expect(await ask(both, OWN)).toBe(200);
      expect(await ask(both, NEW)).toBe(503);
    }
    expect(await lookUp(server, `http://${OWN}`)).toBe(403);
    expect(await lookUp(server, `http://${NEW}`)).toBe(503);
    expect(await status(server, `/lookup/status?lists=malware&url=http://${NEW}`)).toBe(200);
  });

  test("are searched by URL alone when the other list never came", async () => {
    const server = await beside(false);
    // The other list may have another full hash with the same prefix.
    expect((await search(server, OWN)).status).toBe(503);
    expect(await lookUp(server, `http://${OWN}`)).toBe(403);
  });

  test("have no answers left when the other server is back", async () => {
    const server = await beside(true);
    expect((await search(server, OWN)).duration).toBe(0);
    await other.start();
    await server.updateUpstreams();
    await eventually(async () => expect((await search(server, OWN, NEW)).duration).toBe(60));
    expect((await search(server, TOO_OLD)).found).toEqual([hexOf(TOO_OLD)]);
  });
});

test("an entry of two lists is found by its URL while one of them cannot confirm it", async () => {
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["phish.example/"]);
  const server = await keepReady(upstreamOf(other, { lists: { "se-4b": "theirs" } }), { storage });
  await other.stop();
  // The prefix may belong to another full hash on the list that cannot confirm it.
  expect((await search(server, "phish.example/")).status).toBe(503);
  expect(await lookUp(server, "http://phish.example/")).toBe(403);
  expect((await search(server, "good.example/")).duration).toBe(60);
});

/** A list of the other server with 200 entries, by its name in each protocol. */
const MALWARE_OVER = {
  v5: { "mw-4b": "malware" },
  v4: { MALWARE: "malware" },
  "web-risk": { MALWARE: "malware" },
} as const;
type Protocol = keyof typeof MALWARE_OVER;
const PROTOCOLS = Object.keys(MALWARE_OVER) as Protocol[];

interface Update {
  readonly lie: () => void;
  readonly log: RegExp;
  readonly protocols?: readonly Protocol[];
  readonly timeout?: number;
}

/** Runs a lie and an update, and expects that the server keeps its list, stays in service, and reports the problem. */
async function changesNothing(
  server: LoggedServer,
  name: string,
  lie: () => unknown,
  log: RegExp | string,
) {
  const before = server.lists.all()[0]!.loaded!.prefixes.checksum;
  await lie();
  await server.updateUpstreams();
  await eventually(() => expect(server.log()).toMatch(log));
  // The problem may also be in the log from before, if an honest server was slow.
  const problem = new RegExp(`^The list ${name} of other is not being updated: `);
  await eventually(async () => expect(await ready(server)).toMatch(problem));
  expect(server.lists.all()[0]!.loaded!.prefixes.checksum).toBe(before);
  expect(await lookUp(server, "http://good.example/")).toBe(200);
}

describe("a server that lies", () => {
  /** The lies of a server and the problems that are logged. */
  const UPDATES: Record<string, Update> = {
    "removes too much": {
      protocols: PROTOCOLS,
      lie: () => other.set("mw-4b", MANY.slice(100)),
      log: /100 of 200 entries would be removed; at most 20 may be/,
    },
    "empties the list": {
      lie: () => other.set("mw-4b", []),
      log: /it is empty/,
    },
    "sends a wrong checksum": {
      protocols: PROTOCOLS,
      lie: () => {
        other.set("mw-4b", [...MANY, "new.example/"]);
        other.lie = (_, answer) => ({ ...answer, body: changed(answer.body) });
      },
      log: /cannot be used/,
    },
    "sends a list with another type of threat": {
      protocols: ["v4"],
      lie: () => {
        other.set("mw-4b", [...MANY, "new.example/"]);
        // The number of the type is at the start of the list, and that of malware is 1.
        const malware = Uint8Array.of(8, 1);
        other.lie = (_, answer) => ({
          ...answer,
          body: replaced(answer.body, malware, Uint8Array.of(8, 2)),
        });
      },
      log: /cannot be used/,
    },
    "sends a list with another name": {
      lie: () => {
        other.set("mw-4b", [...MANY, "new.example/"]);
        other.lie = (_, answer) => ({
          ...answer,
          body: Buffer.from(answer.body.toString("latin1").replace("mw-4b", "xx-4b"), "latin1"),
        });
      },
      log: /cannot be used/,
    },
    "sends prefixes of five bytes": {
      protocols: ["v4", "web-risk"],
      lie: () => {
        other.lists["mw-4b"]!.versions.push([
          ...other.lists["mw-4b"]!.versions.at(-1)!,
          hexOf("new.example/").slice(0, 10),
        ]);
      },
      log: /hash prefixes of 5 bytes, but only those of 4 can be served/,
    },
    "sends something else": {
      protocols: PROTOCOLS,
      lie: () => {
        other.lie = (_, answer) => ({ ...answer, body: Buffer.from("<html>") });
      },
      log: /cannot be used/,
    },
    "sends a gigabyte": {
      lie: () => {
        other.lie = (_, __, response) => {
          sendForever(response, other);
          return null;
        };
      },
      log: /has more than \d+ bytes/,
    },
    "sends a byte now and then": {
      timeout: 500,
      lie: () => {
        other.lie = (_, __, response) => {
          drip(response);
          return null;
        };
      },
      log: /little or none of the answer arrived/,
    },
  };

  const updates = Object.entries(UPDATES).flatMap(([what, { protocols, ...rest }]) =>
    (protocols ?? (["v5"] as const)).map((protocol) => ({ what, protocol, ...rest })),
  );
  for (const { what, lie, log, protocol, ...options } of updates) {
    test(`and ${what} changes nothing, over ${protocol}`, async () => {
      const lists = MALWARE_OVER[protocol];
      const server = await keepReady(upstreamOf(other, { protocol, lists, ...options }));
      await changesNothing(server, "malware", lie, log);
      // An answer that is too long is not read to its end.
      expect(other.sent.bytes).toBeLessThan(2 ** 28);
    });
  }

  test.each(PROTOCOLS)(
    "and removes too much takes no entry off the list, over %s",
    async (protocol) => {
      const server = await keepReady(
        upstreamOf(other, { protocol, lists: MALWARE_OVER[protocol] }),
      );
      const { lie, log } = UPDATES["removes too much"]!;
      await changesNothing(server, "malware", lie, log);
      expect(await lookUp(server, "http://host199.example/")).toBe(403);
      expect((await search(server, LISTED)).status).toBe(503);
      expect(await lookUp(server, `http://${LISTED}`)).toBe(503);
    },
  );

  test("and shrinks the list bit by bit is stopped after a tenth", async () => {
    const server = await keepReady(upstreamOf(other));
    other.set("mw-4b", MANY.slice(15));
    await server.updateUpstreams();
    await eventually(() => expect(server.lists.all()[0]!.loaded!.words).toHaveLength(185));
    other.set("mw-4b", MANY.slice(30));
    await server.updateUpstreams();
    await eventually(() =>
      expect(server.log()).toMatch(
        /it had 200 entries in the last 24 hours, and would have 170; at most 20 may go/,
      ),
    );
    expect(server.lists.all()[0]!.loaded!.words).toHaveLength(185);
  });

  test("and breaks a list before it empties it is still found out", async () => {
    const server = await keepReady(upstreamOf(other));
    other.set("mw-4b", [...MANY, "new.example/"]);
    other.lie = (_, answer) => ({ ...answer, body: changed(answer.body) });
    await server.updateUpstreams();
    other.lie = null;
    other.set("mw-4b", MANY.slice(100));
    await server.updateUpstreams();
    await eventually(() => expect(server.log()).toMatch(/100 of 200 entries would be removed/));
    expect(server.lists.all()[0]!.loaded!.words).toHaveLength(200);
  });

  test("may remove as much as the settings allow", async () => {
    const server = await keepReady(upstreamOf(other, { maxRemoved: "100%" }));
    other.set("mw-4b", []);
    await server.updateUpstreams();
    await eventually(async () => expect(await lookUp(server, `http://${LISTED}`)).toBe(200));
    expect(await ready(server)).toBe("ready\n");
  });

  test("may remove what the operator allows, and after that no more than before", async () => {
    const from = (maxRemoved: string) =>
      upstreamOf(other, { storage: directoryStorage(folder), maxRemoved });
    const storage = memoryStorage();
    const server = await keepReady(from("10%"), { storage });
    // The first update may still be storing the list.
    await server.updateUpstreams();
    const allow = (maxRemoved: string) =>
      server.reload({
        ...{ storage, publicKeys: [signer.publicKey], keys: NO_API_KEYS, poll: 20 },
        ...{ window: 10, wait: 60_000, cache: 60_000, upstreams: [from(maxRemoved)] },
      });
    const words = () => server.lists.all()[0]!.loaded!.words.length;
    const client = v5Client(sender(server), "mw-4b");
    await client.update();
    other.set("mw-4b", MANY.slice(80));
    await server.updateUpstreams();
    await eventually(() =>
      expect(server.log()).toContain(
        "at most 20 may be; check its server; if it is right, set upstreams.other.max-removed to 80, send SIGHUP, and set it back once the list is updated",
      ),
    );
    await allow("79");
    await server.updateUpstreams();
    expect(words()).toBe(200);
    await allow("80");
    await server.updateUpstreams();
    await eventually(() => expect(words()).toBe(120));
    expect(await ready(server)).toBe("ready\n");
    await allow("10%");
    other.set("mw-4b", MANY.slice(88));
    await server.updateUpstreams();
    await eventually(() => expect(words()).toBe(112));
    other.set("mw-4b", []);
    await server.updateUpstreams();
    await eventually(() =>
      expect(server.log()).toMatch(/it is empty .* set upstreams\.other\.max-removed to 100%, /),
    );
    expect(words()).toBe(112);
    // A list that was withdrawn is empty for all clients.
    await allow("100%");
    await server.updateUpstreams();
    await eventually(() => expect(words()).toBe(0));
    expect(await lookUp(server, `http://${LISTED}`)).toBe(200);
    await client.update();
    expect(client.list()).toEqual([]);
  });

  test("and has no such list is not taken for one with an empty list", async () => {
    other.set("xx-4b", []);
    const server = await keep(upstreamOf(other, { lists: { "xx-4b": "theirs" } }));
    await eventually(() =>
      expect(server.log()).toMatch(/it is empty \(is its name right\?\); check its server/),
    );
    expect(await lookUp(server, "http://good.example/")).toBe(503);
  });

  const wrongHash: OtherServer["lie"] = (path, answer) =>
    path.includes("search") || path.includes("find")
      ? { ...answer, body: replaced(answer.body, fullHash(LISTED), fullHash("wrong.example/")) }
      : answer;

  for (const protocol of ["v4", "web-risk"] as const) {
    test(`to a search over ${protocol} with a wrong full hash is not believed`, async () => {
      const lists = MALWARE_OVER[protocol];
      const server = await keepReady(upstreamOf(other, { protocol, lists }));
      other.lie = wrongHash;
      expect((await search(server, LISTED)).status).toBe(503);
      expect(await lookUp(server, `http://${LISTED}`)).toBe(503);
      await eventually(() =>
        expect(server.log()).toMatch(/has a full hash for no requested prefix/),
      );
    });
  }

  const SEARCHES: Record<string, OtherServer["lie"]> = {
    "a full hash that does not begin with the prefix": wrongHash,
    "an error": (path, answer) =>
      path.includes("search") ? { ...answer, status: 500, body: Buffer.alloc(0) } : answer,
    "something else": (path, answer) =>
      path.includes("search") ? { ...answer, body: Buffer.from("<html>") } : answer,
    "a byte now and then": (path, answer, response) => {
      if (!path.includes("search")) return answer;
      drip(response);
      return null;
    },
  };
  for (const [what, lie] of Object.entries(SEARCHES)) {
    test(`to a search with ${what} makes every protocol answer with an error`, {
      tags: "deep",
    }, async () => {
      const server = await keepReady(upstreamOf(other, { timeout: 1000 }));
      other.lie = lie;
      for (const [how, path] of Object.entries(CONFIRMATIONS)) {
        expect(await status(server, path), how).toBe(503);
      }
      expect(await lookUp(server, "http://good.example/")).toBe(200);
      await eventually(() =>
        expect(server.log()).toMatch(/The full hashes of other cannot be searched/),
      );
    });
  }
});

describe("a store on a static host", () => {
  const theirs = memoryStorage();
  const publish = publisher(theirs, signer);
  const phishing = { phishing: "phishing" };
  /** Returns the bytes that the host sends for a key, or `null` if the function has sent an answer itself. */
  type Give = (
    key: string,
    bytes: Uint8Array | null,
    response: ServerResponse,
  ) => Uint8Array | null;
  let host: OtherServer;
  let give: Give;
  beforeEach(async () => {
    for (const { name } of await theirs.list("lists/phishing/v/")) {
      await theirs.delete(`lists/phishing/v/${name}`);
    }
    await theirs.delete("lists/phishing/head");
    await publish("phishing", MANY);
    give = (_, bytes) => bytes;
    host = await otherServer({});
    host.lie = (path, _, response) => {
      const key = path.slice(1);
      void theirs.get(key).then((bytes) => {
        const given = give(key, bytes, response);
        if (given !== null) response.writeHead(200).end(given);
        else if (bytes === null) response.writeHead(404).end();
      });
      return null;
    };
  });
  afterEach(() => host.stop());

  const storeOf = (more: Parameters<typeof upstreamOf>[1] = {}) =>
    upstreamOf(host, {
      ...{ protocol: "store", publicKeys: [signer.publicKey], lists: phishing },
      ...more,
    });

  test("has lists that are kept, too", async () => {
    const server = await keepReady(storeOf());
    expect(await lookUp(server, `http://${LISTED}`)).toBe(403);
    await publish("phishing", [...MANY, "new.example/"]);
    await server.updateUpstreams();
    await eventually(async () => expect(await lookUp(server, "http://new.example/")).toBe(403));
  });

  test("whose lists nobody has signed that is trusted has none", async () => {
    const { publicKey } = await newSigner();
    const server = await keep(storeOf({ publicKeys: [publicKey] }));
    await eventually(async () => expect(await ready(server)).toMatch(/cannot be used/));
    expect(await lookUp(server, "http://good.example/")).toBe(503);
  });

  /** The lies of a host about the next version and the problems that are logged. */
  const LIES: Record<
    string,
    Pick<Update, "log" | "timeout"> & { lie(): Promise<unknown> | undefined }
  > = {
    "removes too much": {
      lie: () => publish("phishing", MANY.slice(100)),
      log: /100 of 200 entries would be removed; at most 20 may be/,
    },
    "is empty": {
      lie: () => publish("phishing", []),
      log: /it is empty/,
    },
    "is of another list": {
      async lie() {
        await publish("other", ["new.example/"]);
        const others = (await theirs.get("lists/other/v/000000000001"))!;
        give = (key, bytes) => (key === "lists/phishing/v/000000000002" ? others : bytes);
      },
      log: /is a version of another list/,
    },
    "has damaged objects": {
      async lie() {
        await publish("phishing", [...MANY, "new.example/"]);
        give = (key, bytes) => {
          if (bytes !== null && key.startsWith("objects/")) bytes[bytes.length - 1]! ^= 1;
          return bytes;
        };
      },
      log: /is damaged: its bytes have another hash/,
    },
    "has a gigabyte": {
      async lie() {
        await publish("phishing", [...MANY, "new.example/"]);
        give = (key, bytes, response) => {
          if (!key.startsWith("objects/")) return bytes;
          sendForever(response, host);
          return null;
        };
      },
      log: /far too long/,
    },
    "comes a byte now and then": {
      timeout: 300,
      async lie() {
        await publish("phishing", [...MANY, "new.example/"]);
        give = (key, bytes, response) => {
          if (!key.startsWith("objects/")) return bytes;
          drip(response);
          return null;
        };
      },
      log: /little or none of the answer arrived/,
    },
  };
  for (const [what, { lie, log, ...options }] of Object.entries(LIES)) {
    test(`changes nothing when its next version ${what}`, { tags: "deep" }, async () => {
      const server = await keepReady(storeOf({ random: () => 0, ...options }));
      await changesNothing(server, "phishing", lie, log);
      expect(host.sent.bytes).toBeLessThan(2 ** 26);
    });
  }

  test("cannot confirm an entry with damaged full hashes", async () => {
    const server = await keepReady(storeOf());
    give = (key, bytes) => (key.startsWith("objects/") ? new Uint8Array(bytes!.length) : bytes);
    expect((await search(server, LISTED)).status).toBe(503);
    expect(await lookUp(server, `http://${LISTED}`)).toBe(503);
    expect(await lookUp(server, "http://good.example/")).toBe(200);
  });
});

/** Sends data for as long as the client reads, up to a gigabyte. */
function sendForever(response: ServerResponse, { sent }: Pick<OtherServer, "sent">): void {
  response.writeHead(200, { "content-type": "application/x-protobuf" });
  const piece = Buffer.alloc(2 ** 20);
  const more = () => {
    while (sent.bytes < 2 ** 30 && !response.destroyed) {
      sent.bytes += piece.length;
      if (!response.write(piece)) return;
    }
  };
  response.on("drain", more);
  more();
}

/** Sends a byte every 20 ms until the client closes the connection. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/x-protobuf" });
  const timer = setInterval(() => response.write("\n"), 20);
  response.on("close", () => clearInterval(timer));
}

/** Returns the answer with another checksum of the list. */
function changed(body: Buffer): Buffer {
  const prefixes = [...other.lists["mw-4b"]!.versions.at(-1)!].sort();
  const checksum = createHash("sha256")
    .update(Buffer.from(prefixes.join(""), "hex"))
    .digest();
  return replaced(body, checksum, fullHash("wrong.example/"));
}

/** Returns the answer with some bytes replaced, as they are or in base64. */
function replaced(body: Buffer, from: Uint8Array, to: Uint8Array): Buffer {
  const copy = Buffer.from(body);
  for (const form of ["latin1", "base64"] as const) {
    const at = body.indexOf(Buffer.from(from).toString(form), 0, "latin1");
    if (at < 0) continue;
    copy.write(Buffer.from(to).toString(form), at, "latin1");
    return copy;
  }
  return copy;
}
