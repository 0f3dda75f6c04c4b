import { createClient } from "@x/client";
import { memoryStorage, type Signer, type Storage } from "@x/list-store";
import type { OpenList } from "@x/list-store/serving";
import { IS_DEEP } from "@x/test-support/sample-size";
import { writeRequest } from "@x/wire";
import { fetchThreatListUpdates } from "@x/wire/v4";
import { computeThreatListDiff } from "@x/wire/web-risk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { plainList } from "../../../../packages/list-store/test/support/plain-list.ts";
import {
  baseOf,
  hashesOf,
  newSigner,
  publisher,
  randomNumbers,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { longerPrefixes, newLongerLists } from "../../src/serve/lists/longer-prefixes.ts";
import { NO_PROBLEM } from "../../src/serve/lists/served-lists.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";
import { readyReply } from "../../src/serve/operator-routes.ts";
import { AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { type PlainClient, v4Client, v5Client, webRiskClient } from "../support/plain-client.ts";
import { hashesInMemory, testServer } from "../support/serving.ts";

const signer: Signer = await newSigner();
const MALWARE = 1;
const VERSIONS = IS_DEEP ? 200 : 80;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe("a client of mw-8b over HTTP", () => {
  let storage: Storage;
  let server: LoggedServer;
  beforeEach(async () => {
    storage = memoryStorage();
    await publisher(storage, signer)("malware", entriesAt(1));
    server = await startLoggedServer(storage, signer, { longer: [8], poll: 20, cache: 0 });
  });
  afterEach(() => server.stop());

  /** The entries of a version: 300, and one for each version. Every new version removes four entries and adds five. */
  const entriesAt = (version: number): string[] =>
    Array.from({ length: 300 + version }, (_, i) => `${i + 4 * version}.example/`);

  async function publish(version: number): Promise<void> {
    await publisher(storage, signer)("malware", entriesAt(version));
    const served = () => server.lists.all()[0]!.loaded!.entry.manifest.version;
    await expect.poll(served, { timeout: 5000 }).toBe(version);
  }

  const open = () => createClient({ protocol: "v5", server: server.origin, lists: ["mw-8b"] });

  test("follows its updates, and confirms matches without a search", { tags: "deep" }, async () => {
    const [often, rarely] = [open(), open()];
    const checksumOf = (client: typeof often) => client.list("mw-8b")!.checksum;
    await rarely.update();
    for (let version = 1; version <= 6; version++) {
      if (version > 1) await publish(version);
      expect((await often.update()).lists).toMatchObject([{ changed: true, error: null }]);
      expect((await often.update()).lists).toMatchObject([{ changed: false, error: null }]);
      expect(often.list("mw-8b")!.lengths).toMatchObject([
        { prefixBytes: 8, count: 300 + version },
      ]);
    }
    await rarely.update();
    expect(checksumOf(rarely)).toBe(checksumOf(often));
    const answered = server.log().match(/"updates":\["malware:\w+"\]/g) ?? [];
    const kinds = answered.map((line) => /malware:(\w+)/.exec(line)![1]);
    // The first answers to both clients are whole lists. The client `often` then asks twice for each version.
    expect(kinds).toEqual([
      ...["full", "full", "none"],
      ...Array.from({ length: 5 }, () => ["partial", "none"]).flat(),
      "partial",
    ]);
    for (const entry of entriesAt(6)) {
      const verdict = await rarely.check(`http://${entry}`);
      expect(verdict).toMatchObject({ verdict: "unsafe", confirmed: true });
      expect(verdict.matches).toMatchObject([
        { list: "mw-8b", by: "length", threatTypes: ["MALWARE"] },
      ]);
    }
    for (const entry of ["0.example/", "9999.example/"]) {
      expect(await rarely.check(`http://${entry}`)).toMatchObject({ verdict: "safe" });
    }
    expect(rarely.status().requests).toMatchObject({ searches: 0, prefixes: 0 });
  });

  test("finds the list by its name", async () => {
    const answer = await fetch(`${server.origin}/v5/hashLists?alt=json`);
    expect(await answer.json()).toEqual({
      hashLists: [
        { name: "mw-4b", hashLength: "FOUR_BYTES" },
        { name: "mw-8b", hashLength: "EIGHT_BYTES" },
      ].map(({ name, hashLength }) => ({
        ...{ name, metadata: { threatTypes: ["MALWARE"], description: "malware", hashLength } },
      })),
    });
  });
});

/** The names of the list in v5, by the length of its prefixes. */
const NAMES = { 4: "mw-4b", 8: "mw-8b", 16: "mw-16b", 32: "mw-32b" } as const;
const LENGTHS = [4, 8, 16, 32] as const;

describe.each(Array.from({ length: IS_DEEP ? 4 : 1 }, (_, i) => i + 1))(
  "clients with prefixes of all lengths at random old versions, seed %i",
  (seed) => {
    test("have the newest list after each update", { tags: "deep" }, async () => {
      const random = randomNumbers(seed);
      const storage = memoryStorage();
      const publish = publisher(storage, signer);
      const server = testServer(storage, [signer.publicKey], {
        ...{ longer: [8, 16, 32], prepares: true },
      });
      const pick = (count: number) => Math.floor(random() * count);
      let entries = new Set(Array.from({ length: 400 }, (_, i) => `${i}.example/`));
      const clients = LENGTHS.flatMap((length) =>
        Array.from({ length: 3 }, (_, i) => {
          const send = server.sender(`${length} ${i}`);
          return { length, client: v5Client(send, NAMES[length], "&names=uws-4b") };
        }),
      );
      const kinds = { none: 0, partial: 0, full: 0 };
      const afterDrop = new Set<string>();
      for (let version = 1; version <= VERSIONS; version++) {
        const next = new Set(entries);
        for (const entry of entries) if (random() < 0.01) next.delete(entry);
        for (let i = pick(12); i > 0; i--) next.add(`${pick(1200)}.example/`);
        // In some rounds, the list becomes empty.
        if (random() < 0.03) next.clear();
        entries = next;
        await publish("malware", entries, { withdrawn: entries.size === 0 });
        await server.refresh();
        for (let asked = pick(6); asked > 0; asked--) {
          const { length, client } = clients[pick(clients.length)]!;
          const drops = random() < 0.1;
          const kind = await client.update(drops);
          kinds[kind]++;
          if (!drops) expect(client.list()).toEqual(plainList(hashesOf(entries), length));
          else if (kind === "partial") afterDrop.add(await client.update());
        }
      }
      for (const { length, client } of clients) {
        await client.update();
        expect(client.list()).toEqual(plainList(hashesOf(entries), length));
        expect(await client.update()).toBe("none");
      }
      expect(kinds.partial).toBeGreaterThan(20);
      expect(kinds.full).toBeGreaterThan(10);
      expect([...afterDrop]).toEqual(["full"]);
    });
  },
);

/**
 * Returns the targets of a search and of requests for the list with prefixes of four bytes in each protocol. `token`
 * is in base64.
 */
function targetsFor(token: string): string[] {
  const version = Buffer.from(token, "base64");
  const types = { threatType: "MALWARE", platformType: "LINUX", threatEntryType: "URL" } as const;
  const targets = [
    `/v5/hashList/mw-4b?version=${encodeURIComponent(token)}`,
    `/v5/hashList/mw-4b?alt=json&sizeConstraints.maxUpdateEntries=1024&version=${encodeURIComponent(token)}`,
    `/v5/hashLists:batchGet?names=mw-4b&names=se-4b&version=${encodeURIComponent(token)}`,
    "/v5/hashes:search?hashPrefixes=AAAAAA==",
  ];
  for (const supportedCompressions of [["RICE"], ["RAW"]] as const) {
    const constraints = { supportedCompressions };
    targets.push(
      writeRequest(
        fetchThreatListUpdates,
        { listUpdateRequests: [{ ...types, state: version, constraints }] },
        { form: "$req" },
      ).target,
      writeRequest(computeThreatListDiff, {
        ...{ threatType: "MALWARE", versionToken: version, constraints },
      }).target,
    );
  }
  return targets;
}

test("clients with prefixes of four bytes get the same bytes as from a server without longer ones", {
  tags: "deep",
}, async () => {
  const now = () => 1_800_000_000_000;
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const servers = [[], [8, 16, 32]].map((longer) =>
    testServer(storage, [signer.publicKey], { longer, now, prepares: true }),
  );
  const tokens = [""];
  let clients = 0;
  for (let version = 1; version <= 5; version++) {
    const entries = Array.from({ length: 100 }, (_, i) => `${i + 7 * version}.example/`);
    await publish("malware", entries, { now });
    for (const server of servers) await server.refresh();
    const { body } = await servers[0]!.get("/v5/hashList/mw-4b?alt=json", {}, `${version}`);
    tokens.push(JSON.parse(text(body)).version);
    for (const target of tokens.flatMap(targetsFor)) {
      const name = `client ${clients++}`;
      const [without, other] = await Promise.all(servers.map((each) => each.get(target, {}, name)));
      expect(without!.status).toBe(200);
      expect(other).toEqual(without);
    }
  }
  const kinds = new Set(
    servers[0]!.answered.flatMap(({ updates }) => updates).map(({ kind }) => kind),
  );
  expect([...kinds].sort()).toEqual(["full", "none", "partial"]);
});

describe("a request", () => {
  const entries = Array.from({ length: 3000 }, (_, i) => `${i}.example/`);
  async function started(longer: readonly number[]) {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", entries);
    const server = testServer(storage, [signer.publicKey], { longer });
    await server.refresh();
    return server;
  }
  async function json(server: Awaited<ReturnType<typeof started>>, target: string) {
    const { status, body } = await server.get(target);
    return { status, body: status === 200 ? JSON.parse(text(body)) : text(body) };
  }
  const versionOf = async (server: Awaited<ReturnType<typeof started>>, name: string) => {
    const { body } = await json(server, `/v5/hashList/${name}?alt=json`);
    return encodeURIComponent(body.version);
  };

  test("with the versions of both lengths updates both lists", async () => {
    const server = await started([8]);
    const [four, eight] = [await versionOf(server, "mw-4b"), await versionOf(server, "mw-8b")];
    expect(Buffer.from(decodeURIComponent(eight), "base64").toString()).toMatch(
      /^malware\.8b\.1\.[0-9a-f]{16}$/,
    );
    const { body } = await json(
      server,
      `/v5/hashLists:batchGet?alt=json&names=mw-4b&names=mw-8b&version=${eight}&version=${four}`,
    );
    expect(body.hashLists).toMatchObject([
      { name: "mw-4b", partialUpdate: true, version: decodeURIComponent(four) },
      { name: "mw-8b", partialUpdate: true, version: decodeURIComponent(eight) },
    ]);
  });

  test("with the version of another length gets the whole list", async () => {
    const server = await started([8, 16]);
    const versions = await Promise.all(
      ["mw-4b", "mw-8b", "mw-16b"].map((name) => versionOf(server, name)),
    );
    for (const [i, name] of ["mw-4b", "mw-8b", "mw-16b"].entries()) {
      for (const [k, version] of versions.entries()) {
        const { body } = await json(server, `/v5/hashList/${name}?alt=json&version=${version}`);
        expect(body.partialUpdate ?? false).toBe(i === k);
      }
    }
  });

  test("with a version of a length that is no longer served is refused, and never answered with an empty list", async () => {
    const version = await versionOf(await started([8]), "mw-8b");
    const server = await started([]);
    for (const target of [
      `/v5/hashList/mw-8b?alt=json&version=${version}`,
      `/v5/hashLists:batchGet?alt=json&names=mw-4b&names=mw-8b&version=${version}`,
    ]) {
      const { status, body } = await json(server, target);
      expect(status).toBe(503);
      expect(body).toContain("prefixes of 8 bytes, which this server no longer serves");
    }
    // A new client gets an empty list, as for every name that the server does not know.
    const { body } = await json(server, "/v5/hashList/mw-8b?alt=json");
    expect(body.additionsEightBytes).toBeUndefined();
  });

  test("with a limit gets the first prefixes", async () => {
    const server = await started([8]);
    const client = v5Client(
      server.sender("a"),
      "mw-8b",
      "&sizeConstraints.maxDatabaseEntries=1500",
    );
    expect(await client.update()).toBe("full");
    expect(client.list()).toEqual(plainList(hashesOf(entries), 8).slice(0, 1024));
    expect(await client.update()).toBe("none");
  });

  test("of a client without the key of a private list is refused", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", entries);
    const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const server = testServer(storage, [signer.publicKey], {
      ...{ longer: [8], keys: `${hash} malware\n` },
    });
    await server.refresh();
    for (const name of ["mw-4b", "mw-8b"]) {
      expect((await server.get(`/v5/hashList/${name}`)).status).toBe(403);
      expect((await server.get(`/v5/hashList/${name}?key=abc`)).status).toBe(200);
    }
    const { body } = await server.get("/v5/hashLists?alt=json");
    expect(JSON.parse(text(body))).toEqual({});
  });
});

describe("longer prefixes that cannot be read", () => {
  test("are not served until they can be, and all other prefixes are", async () => {
    const storage = memoryStorage();
    const { manifest } = await publisher(storage, signer)("malware", ["evil.example/"]);
    const [shard] = (await baseOf(storage, manifest)).shards;
    const key = `objects/sha256/${shard!.slice(0, 2)}/${shard}`;
    const bytes = (await storage.get(key))!;
    await storage.put(key, Buffer.from("damaged"));
    const server = await startLoggedServer(storage, signer, { longer: [8], cache: 0 });
    const get = (path: string) => fetch(`${server.origin}${path}`);
    try {
      const client: PlainClient = v5Client(
        async (target) => Buffer.from(await (await get(target)).arrayBuffer()),
        "mw-4b",
      );
      await client.update();
      expect(client.list()).toEqual(plainList(hashesOf(["evil.example/"])));
      const refused = await get("/v5/hashList/mw-8b");
      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain("The list mw-8b is not available: ");
      expect((await get("/readyz")).status).toBe(503);
      expect(await (await get("/metrics")).text()).toContain(
        'urlhash_list_ready{list="malware"} 0',
      );

      await storage.put(key, bytes);
      await server.lists.refresh();
      expect((await get("/v5/hashList/mw-8b")).status).toBe(200);
      expect((await get("/readyz")).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  /** An open list with only the fields that these tests need. */
  function opened(words: readonly number[], fullHashes: number, chunks: readonly Uint8Array[]) {
    const contents = { since: 1, entries: `${words} ${fullHashes}`, fullHashes };
    let reads = 0;
    const list = {
      words: Uint32Array.from(words),
      entry: { manifest: { list: "malware", version: 1, issued: 0, contents } },
      async *fullHashes() {
        reads++;
        yield* chunks;
      },
    } as unknown as OpenList;
    return { list, reads: () => reads };
  }
  const hash = (first: number, last: number) => {
    const bytes = new Uint8Array(32);
    bytes[3] = first;
    bytes[31] = last;
    return bytes;
  };
  const make = () => longerPrefixes({ window: 10, differences: {}, aside: AT_ONCE });
  const before = newLongerLists(threatRow("malware"), [8]);

  test.each([
    ["too few full hashes", [1, 2], 3, [hash(1, 0), hash(2, 0)]],
    ["too many full hashes", [1, 2], 1, [hash(1, 0), hash(2, 0)]],
    ["a hash that no prefix has", [1], 2, [hash(1, 0), hash(2, 0)]],
    ["a prefix that no hash has", [1, 2], 1, [hash(1, 0)]],
    ["other hashes", [1, 3], 2, [hash(1, 0), hash(2, 0)]],
    ["hashes out of order", [1, 2], 3, [hash(1, 0), hash(2, 0), hash(1, 0)]],
  ])("because the store has %s are refused without reading them again", async (...row) => {
    const [, words, count, chunks] = row;
    const { list, reads } = opened(words, count, chunks);
    const withLonger = make();
    const [state] = (await withLonger(list, NO_PROBLEM, before))!;
    expect(state).toMatchObject({
      ...{ name: "mw-8b", loaded: null },
      problem: "Its full hashes do not belong to its hash prefixes",
    });
    expect(await withLonger(list, NO_PROBLEM, [state!])).toEqual([state]);
    expect(reads()).toBe(1);
  });

  test("are counted once, although full hashes share them", async () => {
    const hashes = [hash(1, 0), hash(1, 1), hash(1, 2), hash(2, 0)];
    const { list } = opened([1, 2], 4, [Buffer.concat(hashes.slice(0, 2)), ...hashes.slice(2)]);
    const [state] = (await make()(list, NO_PROBLEM, before))!;
    expect(state).toMatchObject({ problem: null });
    expect(Buffer.from(state!.loaded!.contents.rawHashes).toString("hex")).toBe(
      "00000001000000000000000200000000",
    );
  });

  test("because reading fails are read again", async () => {
    const { list } = opened([1], 1, [hash(1, 0)]);
    let fails = true;
    const failing = {
      ...list,
      fullHashes: () => {
        if (fails) throw new Error("EIO: i/o error");
        return list.fullHashes();
      },
    };
    const withLonger = make();
    const failed = (await withLonger(failing, NO_PROBLEM, before))!;
    expect(failed).toMatchObject([
      { loaded: null, problem: "Its full hashes cannot be read", detail: "EIO: i/o error" },
    ]);
    fails = false;
    expect(await withLonger(failing, NO_PROBLEM, failed)).toMatchObject([{ problem: null }]);
  });

  test("are a problem of their list, which is served with the others", async () => {
    const storage = memoryStorage();
    const publish = publisher(storage, signer);
    await publish("malware", ["evil.example/"]);
    const own = hashesInMemory();
    let fails = false;
    const hashes: typeof own = {
      ...own,
      shard(name) {
        if (fails) throw new Error("EIO: i/o error");
        return own.shard(name);
      },
    };
    const server = testServer(storage, [signer.publicKey], { longer: [8], hashes });
    await server.refresh();
    const client = v5Client(server.sender("a"), "mw-8b");
    await client.update();
    fails = true;
    await publish("malware", ["evil.example/", "bad.example/"]);
    await server.refresh();
    const problem = "The list mw-8b is not served: Its full hashes cannot be read";
    expect(server.lists.all()).toMatchObject([{ problem, detail: "EIO: i/o error" }]);
    const ready = readyReply(server.lists);
    expect([ready.status, text(ready.body)]).toEqual([503, expect.stringContaining(problem)]);
    await expect(client.update()).rejects.toThrow(/^503 .*mw-8b is not available/);
    const four = v5Client(server.sender("b"), "mw-4b");
    await four.update();
    expect(four.list()).toEqual(plainList(hashesOf(["evil.example/", "bad.example/"])));
    fails = false;
    await server.refresh();
    expect(readyReply(server.lists).status).toBe(200);
    expect(await client.update()).toBe("partial");
    expect(client.list()).toEqual(plainList(hashesOf(["evil.example/", "bad.example/"]), 8));
  });
});

test("clients of v4 and Web Risk have prefixes of four bytes, whatever v5 has", async () => {
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["evil.example/", "bad.example/"]);
  const server = testServer(storage, [signer.publicKey], { longer: [8] });
  await server.refresh();
  for (const client of [
    v4Client(server.sender("a"), MALWARE),
    webRiskClient(server.sender("b"), "MALWARE", "RAW"),
    webRiskClient(server.sender("c"), "MALWARE", "RICE"),
  ]) {
    expect(await client.update()).toBe("full");
    expect(client.list()).toEqual(plainList(hashesOf(["evil.example/", "bad.example/"])));
  }
});

test.each([
  ["malware", 8, "mw-8b"],
  ["feed", 8, "feed-8b"],
  ["feed-4b", 16, "feed-16b"],
  // Clients would treat these as standard lists, and the first one as a list of safe sites.
  ["gc", 32, undefined],
  ["mcrx", 16, undefined],
  ["social-engineering-extended-coverage", 8, undefined],
])("the list %s with prefixes of %i bytes is called %s", (list, length, name) => {
  expect(newLongerLists(threatRow(list), [length])[0]?.name).toBe(name);
});
