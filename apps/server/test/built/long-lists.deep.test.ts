import { randomBytes } from "node:crypto";
import { memoryStorage, publish, StoreError } from "@x/list-store";
import type { OpenList } from "@x/list-store/serving";
import { diffPrefixLists, updatePrefixList } from "@x/prefix-list";
import { fullUpdate, type ListUpdate, partialUpdate, readResponse, writeResponse } from "@x/wire";
import { fetchThreatListUpdates, toListUpdateResponse } from "@x/wire/v4";
import { getHashList, toHashList } from "@x/wire/v5";
import { computeThreatListDiff, toThreatListDiff } from "@x/wire/web-risk";
import fc from "fast-check";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { objectKey } from "../../../../packages/list-store/src/storage.ts";
import { listOfWords } from "../../../../packages/list-store/src/words.ts";
import { baseOf, newSigner } from "../../../../packages/list-store/test/support/publishing.ts";
import { largeBodyOf } from "../../src/serve/http/large-answer.ts";
import { codedUpdates } from "../../src/serve/updates/coded-updates.ts";
import { JOBS } from "../../src/serve/worker-thread/jobs.ts";
import { AT_ONCE, asideInThread } from "../../src/serve/worker-thread/run-job.ts";
import { type TestServer, testServer } from "../support/serving.ts";

/* A worker thread processes long lists, and the main thread short ones. The answers must be the same bytes. */

const MODULE = new URL("../../dist/serve/worker-thread/worker.js", import.meta.url);
const WAIT = 1_800_000;
const signer = await newSigner();
const thread = asideInThread({ module: MODULE });
afterAll(() => thread.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const HASH_BYTES = 32;
/** The thread processes lists and differences that are longer than this. */
const LONG = 2 ** 14;
const PROTOBUF = "application/x-protobuf";
const wait = { minimumWaitDuration: WAIT };
const types = { threatType: "MALWARE", platformType: "LINUX", threatEntryType: "URL" } as const;

async function serving() {
  const storage = memoryStorage();
  const server = testServer(storage, [signer.publicKey], { aside: thread, now: () => NOW });
  const lifetime = 30 * 24 * 60 * 60 * 1000;
  const loadedNow = () => server.lists.all()[0]!.loaded as OpenList;
  return {
    server,
    storage,
    async publish(fullHashes: Uint8Array) {
      const publicKeys = [signer.publicKey];
      const { hash } = await publish({
        ...{ storage, list: "malware", fullHashes: [fullHashes], signer, publicKeys, lifetime },
      });
      // If a version takes long to read, a later call of `refresh` serves it.
      do await server.refresh();
      while (loadedNow().entry.hash !== hash);
      return loadedNow();
    },
  };
}
const NOW = Date.now();

/** Returns the requests for an update in each protocol, with the expected answers in plain encoding. */
function answers(update: ListUpdate, version: Uint8Array, state: string) {
  const bytes = Buffer.from(version);
  const forms = [];
  for (const format of ["protobuf", "json"] as const) {
    const alt = format === "json" ? "json" : "proto";
    const answer = { format, enums: "names" } as const;
    const name = "mw-4b";
    const hashList = toHashList(update, { name, version: bytes, ...wait });
    forms.push({
      target: `/v5/hashList/${name}?alt=${alt}&version=${encodeURIComponent(base64(state))}`,
      plain: writeResponse(getHashList, hashList, answer),
    });
    for (const supportedCompressions of [["RICE", "RAW"], ["RAW"]] as const) {
      const response = toListUpdateResponse(update, {
        ...types,
        supportedCompressions,
        newClientState: bytes,
      });
      const request = {
        listUpdateRequests: [
          { ...types, state: base64(state), constraints: { supportedCompressions } },
        ],
      };
      forms.push({
        target: `/v4/threatListUpdates:fetch?alt=${alt}`,
        body: JSON.stringify(request),
        plain: writeResponse(
          fetchThreatListUpdates,
          { listUpdateResponses: [response], ...wait },
          answer,
        ),
      });
      const diff = toThreatListDiff(update, {
        supportedCompressions,
        recommendedNextDiff: NOW + WAIT,
        newVersionToken: bytes,
      });
      const compressions = supportedCompressions
        .map((each) => `&constraints.supportedCompressions=${each}`)
        .join("");
      forms.push({
        target: `/v1/threatLists:computeDiff?threatType=MALWARE&alt=${alt}&versionToken=${encodeURIComponent(base64(state))}${compressions}`,
        plain: writeResponse(computeThreatListDiff, diff, answer),
      });
    }
  }
  return forms;
}

const base64 = (token: string) => Buffer.from(token, "latin1").toString("base64");

async function tokenOf(server: TestServer): Promise<string> {
  const { body } = await server.get("/v5/hashList/mw-4b?alt=json");
  return Buffer.from(JSON.parse(Buffer.from(body).toString()).version, "base64").toString("latin1");
}

async function expectPlain(server: TestServer, update: ListUpdate, state: string): Promise<void> {
  const version = Buffer.from(await tokenOf(server), "latin1");
  let client = 0;
  for (const { target, body, plain } of answers(update, version, state)) {
    const reply = await server.api.answer({
      method: body === undefined ? "GET" : "POST",
      target,
      headers: { get: (name) => (name === "content-type" ? "application/json" : null) },
      ...(body !== undefined && { body: Buffer.from(body) }),
      // Each request comes from another client, because a client that asks for the same update again gets the
      // whole list.
      client: () => `${client++}`,
      network: () => "network",
    });
    expect(reply.status).toBe(200);
    expect(Buffer.from(reply.body).equals(Buffer.from(plain.body)), target).toBe(true);
  }
}

/** Whether a job decodes a short object, such as the few additions of a long difference. */
function decodesLittle(argument: unknown): boolean {
  const { bytes } = argument as { readonly bytes?: Uint8Array };
  return bytes !== undefined && bytes.length <= LONG;
}

/** Counts the jobs that run in the main thread. */
function countJobs(): () => number {
  const spies = Object.keys(JOBS).map((name) => vi.spyOn(JOBS, name as keyof typeof JOBS));
  return () =>
    spies.reduce((sum, spy) => {
      const { length } = spy.mock.calls.filter(([argument]) => !decodesLittle(argument));
      spy.mockClear();
      return sum + length;
    }, 0);
}

test("full and partial updates are the plain encoding, and long ones are made in the thread", async () => {
  const jobsDone = countJobs();
  const reached = { short: 0, long: 0, longPartial: 0, shortPartial: 0 };
  const size = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: LONG - 100, max: LONG + 100 }),
    fc.integer({ min: 3 * LONG, max: 4 * LONG }),
  );
  await fc.assert(
    fc.asyncProperty(size, fc.constantFrom(0.1, 0.6, 0.62, 0.95), async (entries, keptShare) => {
      jobsDone();
      const { server, publish } = await serving();
      const hashes = randomBytes(entries * HASH_BYTES);
      const from = (await publish(hashes)).prefixes;
      await expectPlain(server, fullUpdate(from), "");
      const done = jobsDone();
      if (from.size > LONG) expect(done).toBe(0);
      reached[from.size > LONG ? "long" : "short"]++;

      const state = await tokenOf(server);
      const kept = hashes.subarray(0, Math.ceil(entries * keptShare) * HASH_BYTES);
      const to = (await publish(Buffer.concat([kept, randomBytes(2 * HASH_BYTES)]))).prefixes;
      jobsDone();
      const difference = diffPrefixLists(from, to);
      const changes = changesIn(difference);
      const isPartial = changes <= to.size;
      await expectPlain(server, isPartial ? partialUpdate(difference) : fullUpdate(to), state);
      if (!isPartial) return;
      if (changes > LONG) expect(jobsDone()).toBe(0);
      reached[changes > LONG ? "longPartial" : "shortPartial"]++;
    }),
    { seed: 24, numRuns: 30 },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(1);
});

test("the start of a long list is the plain encoding", async () => {
  const { server, publish } = await serving();
  const jobsDone = countJobs();
  const { words } = await publish(randomBytes(5 * LONG * HASH_BYTES));
  for (const most of [100, 2 * LONG]) {
    const cut = listOfWords(words.slice(0, 2 ** Math.floor(Math.log2(most))), "", 0);
    const { body } = await server.get(
      `/v1/threatLists:computeDiff?threatType=MALWARE&alt=proto&constraints.maxDatabaseEntries=${most}`,
    );
    const { newVersionToken } = readResponse(computeThreatListDiff, body, PROTOBUF);
    const plain = toThreatListDiff(fullUpdate(cut), {
      recommendedNextDiff: NOW + WAIT,
      newVersionToken,
    });
    const answer = { format: "protobuf", enums: "names" } as const;
    const expected = writeResponse(computeThreatListDiff, plain, answer).body;
    expect(Buffer.from(body).equals(Buffer.from(expected))).toBe(true);
    // A short list needs one job in the main thread, for its checksum.
    expect(jobsDone()).toBe(most === 100 ? 1 : 0);
  }
});

test("what many clients ask for at the same time is made once, and its bytes are shared", async () => {
  const names: string[] = [];
  const coded = codedUpdates({
    ...thread,
    run(name, ...rest) {
      names.push(name);
      return thread.run(name, ...rest);
    },
  });
  const words = new Uint32Array(new SharedArrayBuffer(8 * LONG)).map((_, i) => i * 1000);
  const contents = { words, checksum: "00".repeat(32) };
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, i) => coded.listUpdate(contents, i % 2 === 0)),
  );
  expect(names).toEqual(["listUpdateOf", "rawHashesOf"]);
  expect(new Set(made).size).toBe(2);
  for (const { additions } of made) {
    const bytes = additions[0]!.riceHashes?.encodedData ?? additions[0]!.rawHashes!.rawHashes;
    expect(largeBodyOf([bytes]).ownBytes).toBe(0);
    // V8 counts the memory of an `ArrayBuffer`, and so frees it soon after a list has changed.
    expect(bytes.buffer).toBeInstanceOf(ArrayBuffer);
  }
});

test.each([
  ["mw-8b", 8],
  ["mw-32b", 32],
])(
  "the longer prefixes of %s are compared and coded in the thread as they are at once",
  async (name, length) => {
    const storage = memoryStorage();
    const publicKeys = [signer.publicKey];
    const jobs = vi.spyOn(thread, "run");
    const servers = [thread, AT_ONCE].map((aside) =>
      testServer(storage, publicKeys, { aside, longer: [length], now: () => NOW }),
    );
    const hashes = randomBytes(4 * LONG * HASH_BYTES);
    let version = "";
    const kinds: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      // Each version replaces a quarter of the entries of the version before.
      if (round > 0) randomBytes(LONG * HASH_BYTES).copy(hashes);
      await publish({
        ...{ storage, list: "malware", fullHashes: [hashes], signer, publicKeys, lifetime: 1e9 },
      });
      for (const server of servers) await server.refresh();
      for (const given of round === 0 ? [""] : ["", version]) {
        const target = `/v5/hashList/${name}?version=${encodeURIComponent(given)}`;
        const [inThread, atOnce] = await Promise.all(
          servers.map(async (server) => Buffer.from((await server.get(target, {}, given)).body)),
        );
        expect(inThread!.equals(atOnce!)).toBe(true);
        const read = readResponse(getHashList, inThread!, PROTOBUF);
        kinds.push(read.partialUpdate);
        if (round === 0) version = Buffer.from(read.version).toString("base64");
      }
    }
    expect(kinds).toEqual([false, false, true]);
    const names = new Set(jobs.mock.calls.map(([job]) => job));
    expect(names).toContain("compareLonger");
    expect(names).toContain("makeDifference");
    expect(names).toContain("hashListOf");
  },
);

const partsOf = (from: { object: string; bytes: Uint8Array }) => ({
  ...{ from, blocks: [], list: "malware", created: 0 },
});

test("damaged objects are refused, and in the thread with the same error", async () => {
  const { storage, server, publish } = await serving();
  const { entry } = await publish(randomBytes(2 * LONG * HASH_BYTES));
  const { prefixes: object } = await baseOf(storage, entry.manifest);
  const bytes = (await storage.get(objectKey(object)))!.slice();
  bytes[1000]! ^= 1;
  await storage.put(objectKey(object), bytes);
  const fresh = testServer(storage, [signer.publicKey], { aside: thread });
  await fresh.refresh();
  expect(fresh.lists.all()[0]).toMatchObject({
    loaded: null,
    problem: `The object ${object} is damaged: its bytes have another hash`,
  });
  const parts = partsOf({ bytes: bytes.subarray(1), object });
  await expect(thread.run("makeSnapshot", bytes.length, parts)).rejects.toThrow(
    new StoreError("damaged", `The object ${object} is damaged: it is not a block`),
  );
  expect(server.lists.all()[0]!.problem).toBeNull();
});

test("bytes are moved to the thread, unless others may use a part of their memory", async () => {
  const { storage, publish } = await serving();
  const { entry } = await publish(randomBytes(2 * LONG * HASH_BYTES));
  const { checksum } = entry.manifest.contents;
  const { prefixes: object } = await baseOf(storage, entry.manifest);
  const bytes = (await storage.get(objectKey(object)))!;
  const part = new Uint8Array(bytes.length + 1).subarray(1);
  part.set(bytes);
  for (const given of [part, bytes]) {
    const parts = partsOf({ bytes: given, object });
    const read = await thread.run("makeSnapshot", given.length, parts, [given]);
    expect(read.prefixes.checksum).toBe(checksum);
  }
  expect([part.length, bytes.length]).toEqual([part.buffer.byteLength - 1, 0]);
});

test("changes are joined in the thread as they are at once, in shared memory", async () => {
  const { storage, publish } = await serving();
  const hashes = randomBytes(4 * LONG * HASH_BYTES);
  const half = hashes.length / 2;
  const old = await publish(hashes.subarray(0, half + 32));
  const { entry, words, prefixes } = await publish(hashes.subarray(half - 32));
  const { removedEntries, addedEntries } = entry.manifest.change!;
  const object = entry.manifest.blocks[0]!.object!;
  const parts = {
    changes: [{ object, bytes: (await storage.get(objectKey(object)))! }],
    ...{ words, checksum: prefixes.checksum, list: "malware", created: 0 },
    before: { prefixes: old.prefixes.size, checksum: old.prefixes.checksum },
  };
  const joined = await thread.run("makeDifference", removedEntries + addedEntries, parts);
  expect(joined).toEqual(JOBS.makeDifference(parts));
  expect(updatePrefixList(old.prefixes, joined).checksum).toBe(prefixes.checksum);
  expect(joined.removals.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(joined.additions[0]!.rawHashes.buffer).toBeInstanceOf(SharedArrayBuffer);
  // All answers with this difference share the codes. No later job needs them, so they need no shared memory.
  const coded = codedUpdates(thread);
  const v5 = await coded.hashList(joined, "mw-4b");
  const v4 = await coded.listUpdate(joined, true);
  for (const codes of [v5.compressedRemovals, v4.removals[0]!.riceIndices]) {
    expect(largeBodyOf([codes!.encodedData]).ownBytes).toBe(0);
    expect(codes!.encodedData.buffer).toBeInstanceOf(ArrayBuffer);
  }
});

test("a server that follows a long list applies its changes in the thread", async () => {
  const { storage, publish } = await serving();
  const hashes = randomBytes(4 * LONG * HASH_BYTES);
  await publish(hashes);
  randomBytes(hashes.length / 128).copy(hashes);
  const jobs = vi.spyOn(thread, "run");
  const { words, prefixes } = await publish(hashes);
  expect(jobs.mock.calls.map(([name]) => name)).toEqual(["makeSnapshot", "makeMentions"]);
  expect(words.buffer).toBeInstanceOf(SharedArrayBuffer);
  const fresh = testServer(storage, [signer.publicKey], { aside: thread, now: () => NOW });
  await fresh.refresh();
  const { loaded } = fresh.lists.all()[0]!;
  expect(loaded!.prefixes.checksum).toBe(prefixes.checksum);
  expect(Buffer.compare(new Uint8Array(loaded!.words.buffer), new Uint8Array(words.buffer))).toBe(
    0,
  );
});

test("a thread that ends fails its jobs, and the next job has another thread", async () => {
  const words = new Uint32Array(2 * LONG);
  const broken = asideInThread({ module: new URL("no-such-module.js", MODULE) });
  for (const _ of [1, 2]) {
    await expect(broken.run("checksumOf", words.length, words)).rejects.toThrow("no-such-module");
  }
  const quits = new URL("data:text/javascript,process.exit(1)");
  const quiet = asideInThread({ module: quits });
  for (const _ of [1, 2]) {
    await expect(quiet.run("checksumOf", words.length, words)).rejects.toThrow("has ended");
  }
  const brief = asideInThread({ module: MODULE, idle: 0 });
  const checksum = JOBS.checksumOf(words);
  expect(await brief.run("checksumOf", words.length, words)).toBe(checksum);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await brief.run("checksumOf", words.length, words)).toBe(checksum);
  const lost = expect(brief.run("checksumOf", words.length, words)).rejects.toThrow("has ended");
  await brief.close();
  await lost;
});

function changesIn({ removals, additions }: ReturnType<typeof diffPrefixLists>): number {
  return additions.reduce(
    (sum, { rawHashes, prefixBytes }) => sum + rawHashes.length / prefixBytes,
    removals.length,
  );
}
