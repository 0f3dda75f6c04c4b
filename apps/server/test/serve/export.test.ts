import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStorage, type Publication, type Storage } from "@x/list-store";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { formatManifest } from "../../../../packages/list-store/src/log/manifest.ts";
import { signNote } from "../../../../packages/list-store/src/log/signed-note.ts";
import { putObject } from "../../../../packages/list-store/src/objects.ts";
import {
  baseOf,
  DAY,
  newSigner,
  publisher,
} from "../../../../packages/list-store/test/support/publishing.ts";
import { createAnswering } from "../../src/serve/answering.ts";
import { hashApiKey, NO_API_KEYS, parseApiKeys } from "../../src/serve/api-keys.ts";
import { createExport } from "../../src/serve/export/export.ts";
import { splitTarget } from "../../src/serve/http/request.ts";
import { fullHashFinder } from "../../src/serve/lists/find-full-hashes.ts";
import { localHashes } from "../../src/serve/lists/local-hashes.ts";
import { storedLists } from "../../src/serve/lists/stored-lists.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { namesOf } from "../support/named-entries.ts";
import { hashesInMemory } from "../support/serving.ts";

const signer = await newSigner();
const KEY = "a-secret-key";
const PRIVATE = `${hashApiKey(KEY)} intranet\n${hashApiKey("another")} other`;
const HOUR = 3_600_000;
/** A time without milliseconds, because HTTP dates have none. */
const START = 1_800_000_000_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** There is no room for full hashes in memory or in a folder, so exports read them from the store. */
const NO_ROOM = { hashMemory: 0, hashFolder: "/dev/null" };
const nowhere = () => localHashes({ memory: NO_ROOM.hashMemory, folder: NO_ROOM.hashFolder });

/** Returns the exports of a store, without a socket. */
async function exporting(storage: Storage, { keys = PRIVATE, hashes = hashesInMemory() } = {}) {
  const clock = { now: START };
  const lists = storedLists({
    storage,
    hashes,
    publicKeys: [signer.publicKey],
    window: 10,
    seen: new Map(),
    onLoaded() {},
    now: () => clock.now,
  });
  const answering = createAnswering({
    lists,
    keys: keys === "" ? NO_API_KEYS : parseApiKeys(keys, "keys"),
    findFullHashes: fullHashFinder(hashes),
    wait: 1_800_000,
    cache: 300_000,
    now: () => clock.now,
  });
  const answer = createExport(answering, storage, () => clock.now);
  await lists.refresh();
  const reply = (
    target: string,
    headers: Record<string, string> = {},
    method = "GET",
    network = "",
  ) =>
    answer({
      ...splitTarget(target),
      method,
      headers: { get: (name) => headers[name] ?? null, getAll: () => [] },
      client: () => "127.0.0.1",
      network: () => network,
    });
  async function get(...args: Parameters<typeof reply>): Promise<Answer> {
    const given = await reply(...args)!;
    const pieces: Uint8Array[] = [];
    if ("stream" in given) for await (const piece of given.stream) pieces.push(piece);
    else pieces.push(given.body);
    return {
      status: given.status,
      headers: given.headers,
      text: Buffer.concat(pieces).toString("latin1"),
    };
  }
  return { clock, lists, reply, get };
}

const publishing =
  (storage: Storage, list: string) =>
  (entries: readonly string[], options: Partial<Publication> & { withdrawn?: boolean } = {}) =>
    publisher(storage, signer)(list, entries, { now: () => START, ...options });
const publishingNames = (storage: Storage, list: string) => (entries: readonly string[]) =>
  publishing(storage, list)(entries, { names: () => namesOf(entries) });
const hex = (entry: string) => Buffer.from(fullHash(entry)).toString("hex");

describe("/export/NAME.gdb", () => {
  async function malware(entries = ["evil.example/", "bad.example/path"]) {
    const storage = memoryStorage();
    const publish = publishing(storage, "malware");
    await publish(entries);
    return { storage, publish, ...(await exporting(storage)) };
  }

  test("holds the full hash of each entry, and says its length before", async () => {
    const { get } = await malware();
    const { status, headers, text } = await get("/export/malware.gdb");
    expect(status).toBe(200);
    const [comment, ...lines] = text.trimEnd().split("\n");
    expect(comment).toBe("# malware: 2 full hashes of URL expressions, for ClamAV");
    expect(lines.sort()).toEqual(
      ["evil.example/", "bad.example/path"].map((entry) => `S1:F:${hex(entry)}`).sort(),
    );
    expect(headers).toMatchObject({
      "Content-Type": "text/plain; charset=us-ascii",
      "Content-Length": String(text.length),
      "Cache-Control": "public, max-age=300",
      "Last-Modified": new Date(START).toUTCString(),
    });
  });

  test("is never empty", async () => {
    const { get } = await malware([]);
    const { status, text } = await get("/export/malware.gdb");
    expect({ status, text }).toEqual({
      status: 200,
      text: "# malware: 0 full hashes of URL expressions, for ClamAV\n",
    });
  });

  test("is sent in small pieces, whatever the length of the list", async () => {
    const entries = Array.from({ length: 70_000 }, (_, i) => `${i}.example/`);
    const { reply } = await malware(entries);
    const given = await reply("/export/malware.gdb")!;
    let [longest, bytes] = [0, 0];
    const lines = new Set<string>();
    for await (const piece of (given as { stream: AsyncIterable<Uint8Array> }).stream) {
      longest = Math.max(longest, piece.length);
      bytes += piece.length;
      for (const line of Buffer.from(piece).toString().trimEnd().split("\n")) lines.add(line);
    }
    expect(longest).toBeLessThan(2 ** 16);
    expect(given.headers["Content-Length"]).toBe(String(bytes));
    expect(lines.size).toBe(70_001);
    for (let i = 0; i < 70_000; i += 997) expect(lines).toContain(`S1:F:${hex(`${i}.example/`)}`);
  });

  test("is read from the store for one stream at a time", async () => {
    const stored = memoryStorage();
    await publishing(stored, "malware")(Array.from({ length: 70_000 }, (_, i) => `${i}.example/`));
    let [reading, most] = [0, 0];
    const storage: Storage = {
      ...stored,
      async get(key) {
        most = Math.max(most, ++reading);
        await nextTurn();
        reading--;
        return stored.get(key);
      },
    };
    const { get } = await exporting(storage, { hashes: nowhere() });
    most = 0;
    const networks = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"];
    const files = await Promise.all(
      networks.map((network) => get("/export/malware.gdb", {}, "GET", network)),
    );
    expect(most).toBe(1);
    expect(new Set(files.map(({ text }) => text.length)).size).toBe(1);
  });

  test("is whole although the store is away", async () => {
    const own = memoryStorage();
    let isAway = false;
    const storage = { ...own, get: async (key: string) => (isAway ? null : own.get(key)) };
    await publishing(own, "malware")(["a.example/", "b.example/"]);
    const { get } = await exporting(storage);
    isAway = true;
    const { text } = await get("/export/malware.gdb");
    for (const entry of ["a.example/", "b.example/"]) expect(text).toContain(`S1:F:${hex(entry)}`);
  });

  test.each(["missing", "damaged", "too short"])(
    "breaks off when a shard is %s",
    async (problem) => {
      const storage = memoryStorage();
      const publish = publishing(storage, "malware");
      const { manifest } = await publish(Array.from({ length: 70_000 }, (_, i) => `${i}.example/`));
      const { get } = await exporting(storage, { hashes: nowhere() });
      const { shards } = await baseOf(storage, manifest);
      expect(shards.length).toBeGreaterThan(1);
      const key = object(shards.at(-1)!);
      const bytes = (await storage.get(key))!;
      if (problem === "missing") await storage.delete(key);
      if (problem === "damaged") await storage.put(key, bytes.fill(1, 5, 9));
      if (problem === "too short") await storage.put(key, bytes.subarray(32));
      await expect(get("/export/malware.gdb")).rejects.toMatchObject({ name: "StoreError" });
    },
  );
});

const object = (hash: string) => `objects/sha256/${hash.slice(0, 2)}/${hash}`;

describe("a client that has a copy", () => {
  const FILE = "/export/malware.gdb";
  async function malware() {
    const storage = memoryStorage();
    const publish = publishing(storage, "malware");
    await publish(["evil.example/"]);
    const server = await exporting(storage);
    const since = async (time: number) =>
      (await server.get(FILE, { "if-modified-since": new Date(time).toUTCString() })).status;
    return { publish, since, ...server };
  }

  test("is told so by its entity tag, as long as the contents are the same", async () => {
    const { get, publish, lists, clock } = await malware();
    const first = await get(FILE);
    const etag = first.headers["ETag"]!;
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, text, headers } = await get(FILE, { "if-none-match": tags });
      expect({ status, text }).toEqual({ status: 304, text: "" });
      expect(headers["ETag"]).toBe(etag);
    }
    for (const tags of ['"x"', "", etag.slice(1), "\u0000"]) {
      expect((await get(FILE, { "if-none-match": tags })).status).toBe(200);
    }
    // The list is signed again, with the same entries.
    await publish(["evil.example/"], { renewWithin: 365 * DAY });
    await lists.refresh();
    expect((await get(FILE, { "if-none-match": etag })).status).toBe(304);
    await publish(["evil.example/", "bad.example/"]);
    await lists.refresh();
    expect((await get(FILE, { "if-none-match": etag })).status).toBe(200);
    // The entity tag takes precedence over the date (RFC 9110 §13.1.3).
    clock.now += 5 * HOUR;
    const date = new Date(clock.now).toUTCString();
    const both = { "if-none-match": '"x"', "if-modified-since": date };
    expect((await get(FILE, both)).status).toBe(200);
  });

  test("is told so by the time of its file, an hour after the version was first served", async () => {
    const { since, get, clock } = await malware();
    await get(FILE);
    clock.now += 10_000;
    // freshclam sends the time of its download.
    expect(await since(START)).toBe(200);
    expect(await since(START + 5000)).toBe(200);
    clock.now = START + HOUR + 10_000;
    expect(await since(START + HOUR - 1000)).toBe(200);
    expect(await since(START + HOUR)).toBe(304);
    expect((await get(FILE)).headers["Last-Modified"]).toBe(new Date(START + HOUR).toUTCString());
  });

  test("gets a new version though it downloaded the old one after the new one came", async () => {
    const { since, get, clock, publish, lists } = await malware();
    await get(FILE);
    clock.now += 5 * HOUR;
    await publish(["bad.example/"]);
    await lists.refresh();
    await get(FILE);
    // The client's copy came from a cache, or the client's clock is ahead.
    const downloaded = clock.now + HOUR / 2;
    clock.now += 2 * HOUR;
    expect(await since(downloaded)).toBe(200);
    expect(await since(clock.now - 1000)).toBe(304);
  });

  test("gets the file when its clock is ahead, without a time that it would compare", async () => {
    const { get, clock } = await malware();
    clock.now += 5 * HOUR;
    const date = new Date(clock.now + DAY).toUTCString();
    const { status, headers } = await get(FILE, { "if-modified-since": date });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("Last-Modified");
  });

  test.each(["", "yesterday", "9999", "Sun, 99 Foo 2026 10:00:00 GMT", "0", "-1", "\u0000"])(
    "gets the file when its date reads %j",
    async (date) => {
      const { get, clock } = await malware();
      await get(FILE);
      clock.now += 5 * HOUR;
      expect((await get(FILE, { "if-modified-since": date })).status).toBe(200);
    },
  );

  test("gets the whole file when it asks for a range", async () => {
    const { get } = await malware();
    const whole = await get(FILE);
    const { status, text, headers } = await get(FILE, { range: "bytes=0-3", "if-range": "x" });
    expect({ status, text }).toEqual({ status: 200, text: whole.text });
    expect(headers).not.toHaveProperty("Content-Range");
  });
});

describe("/export/NAME.rpz", () => {
  const ZONE = `/export/intranet.rpz?key=${KEY}`;
  async function intranet(entries: readonly string[]) {
    const storage = memoryStorage();
    const publish = publishingNames(storage, "intranet");
    await publish(entries);
    return { storage, publish, ...(await exporting(storage)) };
  }

  test("is sent in small pieces, whatever the length of the list", async () => {
    const { reply } = await intranet(Array.from({ length: 5000 }, (_, i) => `${i}.example/`));
    const given = await reply(ZONE)!;
    let [longest, bytes] = [0, 0];
    for await (const piece of (given as { stream: AsyncIterable<Uint8Array> }).stream) {
      longest = Math.max(longest, piece.length);
      bytes += piece.length;
    }
    expect(longest).toBeLessThan(2 ** 16);
    expect(given.headers["Content-Length"]).toBe(String(bytes));
  });

  test("blocks whole hosts, and counts all other entries", async () => {
    const { get } = await intranet([
      "evil.example/",
      "a.b.c.d.e.f.example/",
      "github.io/",
      "bad.example/path",
      "worse.example/?q",
      "1.2.3.4/",
      "8.0.0.0.0.rpz-ip/",
    ]);
    const { status, headers, text } = await get(ZONE);
    expect(status).toBe(200);
    expect(text).toBe(`; The list intranet, version 1, as a response policy zone
;
; Hosts in this zone:
;   2 with all hosts below them
;   1 alone: Safe Browsing clients do not block the hosts below these, either
;   1 of them are public suffixes or shared, such as github.io: this zone blocks every site below
;     these, and clients of v5 that have a public suffix list do not
; Entries that are not in this zone, which blocks whole hosts by name:
;   0 for a host below another one, whose records block it
;   2 for a part of a host
;   1 for an IP address
;   1 for a host that cannot be a name in a zone
;   0 published as a hash, without a name
;
$TTL 300
@ IN SOA localhost. root.localhost. 1 1800 300 2592000 300
@ IN NS localhost.
evil.example CNAME .
*.evil.example CNAME .
github.io CNAME .
*.github.io CNAME .
a.b.c.d.e.f.example CNAME .
`);
    expect(headers).toMatchObject({
      "Content-Type": "text/dns",
      "Content-Length": String(text.length),
      "Cache-Control": "private, no-store",
    });
  });

  test("has a higher serial in each version", async () => {
    const { get, publish, lists } = await intranet(["evil.example/"]);
    const serial = async () => /SOA \S+ \S+ (\d+)/.exec((await get(ZONE)).text)![1];
    expect(await serial()).toBe("1");
    await publish(["evil.example/", "bad.example/"]);
    await lists.refresh();
    expect(await serial()).toBe("2");
  });

  test("announces its length for many names", async () => {
    const entries = Array.from({ length: 70_000 }, (_, i) => `${i}${"x.y.z.a".slice(i % 5)}.zz/`);
    const { get } = await intranet(entries);
    const { text, headers } = await get(ZONE);
    expect(headers["Content-Length"]).toBe(String(text.length));
    const owners = text.match(/^(?:\*\.)?[0-9].* CNAME \.$/gm)!;
    expect(new Set(owners).size).toBe(owners.length);
    expect(owners.length).toBe(140_000);
  });

  test("of a withdrawn or empty list is an empty zone, so that nothing stays blocked", async () => {
    const { storage, get, lists } = await intranet(["evil.example/"]);
    await publishing(storage, "intranet")([], { withdrawn: true });
    await lists.refresh();
    const { status, text, headers } = await get(ZONE);
    expect(status).toBe(200);
    expect(text).toMatch(/\n@ IN NS localhost\.\n$/);
    expect(headers["Content-Length"]).toBe(String(text.length));
  });

  test("is not served to everyone", async () => {
    const storage = memoryStorage();
    await publishingNames(storage, "malware")(["evil.example/"]);
    const { get } = await exporting(storage);
    const { status, text } = await get(`/export/malware.rpz?key=${KEY}`);
    expect(status).toBe(403);
    expect(text).toContain("name malware in the file of serve --keys");
    expect(text).not.toContain("evil");
  });

  test("is served to everyone when its publisher says that the names are public", async () => {
    const storage = memoryStorage();
    const entries = ["evil.example/"];
    const publish = publishing(storage, "malware");
    const publishOpenly = (isPublic: boolean | undefined) =>
      publish(entries, { names: () => ({ ...namesOf(entries), isPublic }) });
    await publishOpenly(true);
    const { get, lists } = await exporting(storage);
    const { status, text, headers } = await get("/export/malware.rpz");
    expect(status).toBe(200);
    expect(text).toContain("\n*.evil.example CNAME .\n");
    expect(headers["Cache-Control"]).toBe("public, max-age=300");
    await publishOpenly(undefined);
    await lists.refresh();
    expect((await get("/export/malware.rpz")).status).toBe(403);
    // An empty zone makes resolvers stop blocking when the list is withdrawn.
    await publish([], { withdrawn: true });
    await lists.refresh();
    const empty = await get("/export/malware.rpz");
    expect(empty.status).toBe(200);
    expect(empty.text).not.toContain("CNAME");
  });

  test("is not there for a list without names, and says how it comes", async () => {
    const storage = memoryStorage();
    await publishing(storage, "intranet")(["evil.example/"]);
    const { get } = await exporting(storage);
    const { status, text } = await get(ZONE);
    expect(status).toBe(404);
    expect(text).toContain("publish it with --keep-names intranet");
  });

  test.each(["index", "shard"])("is unavailable or breaks off without its %s", async (which) => {
    const { storage, publish, get, lists } = await intranet(["evil.example/"]);
    const { manifest } = await publish(["bad.example/"]);
    await lists.refresh();
    const index = (await storage.get(object(manifest.contents.names!)))!;
    const { base } = JSON.parse(Buffer.from(index).toString());
    await storage.delete(object(which === "index" ? manifest.contents.names! : base.parts[0]));
    if (which === "index") expect((await get(ZONE)).status).toBe(503);
    else await expect(get(ZONE)).rejects.toMatchObject({ code: "missing" });
  });

  test("breaks off when its names are more than the index says", async () => {
    const { storage, publish, get, lists } = await intranet(["evil.example/"]);
    const { manifest } = await publish(["bad.example/"]);
    const index = (await storage.get(object(manifest.contents.names!)))!;
    const text = Buffer.from(index).toString().replace('"bytes":11', '"bytes":3');
    const contents = { ...manifest.contents, names: await putObject(storage, Buffer.from(text)) };
    const note = await signNote(formatManifest({ ...manifest, contents }), signer);
    await storage.put("lists/intranet/v/000000000002", note);
    await lists.refresh();
    await expect(get(ZONE)).rejects.toMatchObject({ code: "damaged" });
    await publish(["bad.example/"]);
    await lists.refresh();
    expect((await get(ZONE)).status).toBe(200);
  });
});

describe("keys", () => {
  const basic = (text: string) => ({
    authorization: `Basic ${Buffer.from(text).toString("base64")}`,
  });

  test.each<[string, string, Record<string, string>]>([
    ["a parameter", `?key=${KEY}`, {}],
    ["a header", "", { "x-goog-api-key": KEY }],
    ["a password, as in http://any:KEY@host/", "", basic(`any:${KEY}`)],
    ["a password without a user", "", basic(`:${KEY}`)],
  ])("open a private list: %s", async (_, query, headers) => {
    const storage = memoryStorage();
    await publishingNames(storage, "intranet")(["evil.example/"]);
    const { get } = await exporting(storage);
    for (const form of ["gdb", "rpz"]) {
      const answer = await get(`/export/intranet.${form}${query}`, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers["Cache-Control"]).toBe("private, no-store");
    }
  });

  test.each<[string, string, Record<string, string>]>([
    ["no key", "", {}],
    ["a wrong key", "?key=wrong", {}],
    ["the key of another list", "?key=another", {}],
    ["an empty key", "?key=", {}],
    ["a user without a password", "", basic(KEY)],
    ["broken base64", "", { authorization: "Basic %%%" }],
    ["another scheme", "", { authorization: `Bearer ${KEY}` }],
    ["the right key behind a wrong one", "?key=wrong", basic(`any:${KEY}`)],
  ])("do not open it: %s", async (_, query, headers) => {
    const storage = memoryStorage();
    await publishingNames(storage, "intranet")(["evil.example/"]);
    const { get } = await exporting(storage);
    for (const form of ["gdb", "rpz"]) {
      const { status, text } = await get(`/export/intranet.${form}${query}`, headers);
      expect(status).toBe(403);
      expect(text).not.toContain("evil");
    }
  });
});

describe("hostile requests", () => {
  test.each([
    "/export/",
    "/export/unknown.gdb",
    "/export/.gdb",
    "/export/malware",
    "/export/malware.txt",
    "/export/malware.gdb/",
    "/export/malware.gdb.rpz",
    "/export/Malware.gdb",
    "/export/../lists.key",
    "/export/../export/malware.gdb",
    "/export/..%2fmalware.gdb",
    "/export/%6dalware.gdb",
    "/export//malware.gdb",
    "/export/malware.gdb%00",
    "/export/malware.gdb;x",
    "/export/malware.gdb#x",
    "/export/__proto__.gdb",
    "/export/constructor.gdb",
    `/export/${"a".repeat(60_000)}.gdb`,
  ])("%.40j names no list", async (target) => {
    const storage = memoryStorage();
    await publishing(storage, "malware")(["evil.example/"]);
    const { get } = await exporting(storage);
    const { status, text } = await get(target);
    expect(status).toBe(404);
    expect(text.length).toBeLessThan(300);
  });

  test.each([
    "global-cache",
    "client-side-detection-allowlist",
    "download-allowlist",
    "high-confidence-allowlist",
  ])("the list of safe sites %s is never given to programs that would block it", async (name) => {
    const storage = memoryStorage();
    await publishingNames(storage, name)(["good.example/"]);
    const { get } = await exporting(storage, { keys: `${hashApiKey(KEY)} ${name}` });
    for (const form of ["gdb", "rpz"]) {
      const { status, text } = await get(`/export/${name}.${form}?key=${KEY}`);
      expect({ status, text }).toEqual({
        status: 404,
        text: expect.stringContaining("safe sites"),
      });
    }
  });

  test.each(["malicious-binary", "billing", "unwanted-software", "mine"])(
    "the list %s is given",
    async (name) => {
      const storage = memoryStorage();
      await publishing(storage, name)(["evil.example/"]);
      const { get } = await exporting(storage);
      expect((await get(`/export/${name}.gdb`)).status).toBe(200);
    },
  );

  test("a POST is refused", async () => {
    const storage = memoryStorage();
    await publishing(storage, "malware")(["evil.example/"]);
    const { get } = await exporting(storage);
    expect(await get("/export/malware.gdb", {}, "POST")).toMatchObject({
      status: 405,
      headers: { Allow: "GET, HEAD" },
    });
  });

  test("a list that may not be served is unavailable, never empty", async () => {
    const storage = memoryStorage();
    await publishing(storage, "malware")(["evil.example/"]);
    await publishingNames(storage, "intranet")(["evil.example/"]);
    const { get, lists, clock } = await exporting(storage);
    clock.now += 31 * DAY;
    await lists.refresh();
    for (const file of ["malware.gdb", "intranet.gdb", "intranet.rpz"]) {
      const { status, headers } = await get(`/export/${file}?key=${KEY}`);
      // The key is not needed for public files, and does no harm there.
      expect({ status, retry: headers["Retry-After"] }).toEqual({ status: 503, retry: "1" });
    }
  });

  test("one client with many slow readers leaves room for the others", async () => {
    const storage = memoryStorage();
    await publishing(storage, "malware")(["evil.example/"]);
    const { reply } = await exporting(storage);
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) {
      const given = (await reply("/export/malware.gdb", {}, "GET", "10.0.0.1"))!;
      statuses.push(given.status);
      if ("stream" in given) await given.stream[Symbol.asyncIterator]().next();
    }
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    expect((await reply("/export/malware.gdb", {}, "GET", "10.0.0.2"))!.status).toBe(200);
  });

  test("many slow readers do not take all memory", async () => {
    const storage = memoryStorage();
    await publishing(storage, "malware")(["evil.example/"]);
    const { reply, get } = await exporting(storage);
    const readers: AsyncIterator<Uint8Array>[] = [];
    for (let i = 0; i < 128; i++) {
      const from = `10.0.0.${i % 8}`;
      const given = await reply("/export/malware.gdb", {}, "GET", from);
      if (!given || !("stream" in given)) throw new Error("Expected a stream");
      const reader = given.stream[Symbol.asyncIterator]();
      await reader.next();
      readers.push(reader);
    }
    expect((await get("/export/malware.gdb")).status).toBe(503);
    // A client that leaves makes room for another one.
    await readers[0]!.return!();
    expect((await get("/export/malware.gdb")).status).toBe(200);
    for (const reader of readers) await reader.return!();
  });
});

describe("over HTTP", () => {
  test("a key may have a question mark", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("intranet", ["evil.example/"]);
    const key = "a?key?";
    const server = await startLoggedServer(storage, signer, {
      keys: `${hashApiKey(key)} intranet`,
    });
    try {
      const url = `${server.origin}/export/intranet.gdb?key=`;
      expect((await fetch(url + key)).status).toBe(200);
      expect((await fetch(`${url}a`)).status).toBe(403);
    } finally {
      await server.stop();
    }
  });

  test("HEAD says how long the file is, and sends nothing of it", async () => {
    const storage = memoryStorage();
    await publisher(storage, signer)("malware", ["evil.example/"]);
    const server = await startLoggedServer(storage, signer);
    try {
      const url = `${server.origin}/export/malware.gdb`;
      const head = await fetch(url, { method: "HEAD" });
      expect(head.status).toBe(200);
      const text = await (await fetch(url)).text();
      expect(head.headers.get("content-length")).toBe(String(text.length));
      expect(await head.text()).toBe("");
    } finally {
      await server.stop();
    }
  });

  test("a client never takes a part of a file for the whole", async () => {
    const storage = memoryStorage();
    const entries = Array.from({ length: 70_000 }, (_, i) => `${i}.example/`);
    const { manifest } = await publisher(storage, signer)("malware", entries);
    const { shards } = await baseOf(storage, manifest);
    const server = await startLoggedServer(storage, signer, NO_ROOM);
    try {
      await storage.delete(object(shards.at(-1)!));
      const response = await fetch(`${server.origin}/export/malware.gdb`);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    } finally {
      await server.stop();
    }
  });
});
