import { setImmediate as nextTurn } from "node:timers/promises";
import { memoryStorage } from "@x/list-store";
import type { OpenList } from "@x/list-store/serving";
import type { FindFullHashesRequest } from "@x/wire/v4";
import { expect, test } from "vitest";
import { putObject } from "../../../../packages/list-store/src/objects.ts";
import {
  type SearchableList,
  searchFullHashes,
} from "../../../../packages/list-store/src/reading/find-full-hashes.ts";
import { createAnswering } from "../../src/serve/answering.ts";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { type FullHashFinder, fullHashFinder } from "../../src/serve/lists/find-full-hashes.ts";
import { threatRow } from "../../src/serve/lists/threat-rows.ts";
import { findHashes } from "../../src/serve/protocols/v4.ts";
import { search } from "../../src/serve/protocols/v5.ts";

const SHARDS = 256;

/** A list that can be searched, with these words. */
function openWith(searched: SearchableList, words: Uint32Array): OpenList {
  const list = { ...searched, words };
  return { ...list, search: (prefix) => searchFullHashes(list, prefix) } as OpenList;
}

/** A list of one hash in each of 256 shards, and a storage that counts what is read from it. */
async function manyShards() {
  const storage = memoryStorage();
  const hashes = Array.from({ length: SHARDS }, (_, i) => new Uint8Array(32).fill(7).fill(i, 0, 1));
  const shards: string[] = [];
  for (const hash of hashes) shards.push(await putObject(storage, hash));
  const words = Uint32Array.from(hashes, (hash) => new DataView(hash.buffer).getUint32(0));
  const manifest = { list: "malware", contents: { fullHashes: SHARDS } };
  const hashLayers = [{ index: "", mentions: null, shards }];
  const searched = { words, hashLayers, entry: { manifest } } as unknown as SearchableList;
  const loaded = openWith(searched, words);
  const reads: string[] = [];
  const facts = { underWay: 0, most: 0 };
  const counting = {
    ...storage,
    async get(key: string) {
      reads.push(key.slice(key.lastIndexOf("/") + 1));
      facts.most = Math.max(facts.most, ++facts.underWay);
      await nextTurn();
      facts.underWay--;
      return storage.get(key);
    },
  };
  return { loaded, hashes, shards, reads, facts, storage: counting };
}

const finderOf = ({ storage }: Awaited<ReturnType<typeof manyShards>>, bytes?: number) =>
  fullHashFinder(storage, () => expect.unreachable(), bytes);

/** Reads every shard, one after the other, as a request does. */
async function findAll(
  find: FullHashFinder,
  { loaded, hashes }: Awaited<ReturnType<typeof manyShards>>,
  network: string,
) {
  const found: Uint8Array[] = [];
  for (const hash of hashes) found.push(...(await find(loaded, hash, () => network)).hashes);
  return found;
}

test("however many searches are under way, few shards are read at the same time", async () => {
  const list = await manyShards();
  const find = finderOf(list, 0);
  await Promise.all(
    list.hashes.map((hash, i) => find(list.loaded, hash, () => `network ${i % 50}`)),
  );
  expect(list.facts.most).toBe(4);
});

test("searches of several clients read a shard once, and of one client after another", async () => {
  const list = await manyShards();
  const find = finderOf(list);
  const all = list.hashes.map((hash) => find(list.loaded, hash, () => "rude"));
  const last = list.hashes.at(-1)!;
  // The same shard is the last one in the queue of the other client.
  expect((await find(list.loaded, last, () => "other")).hashes).toEqual([last]);
  expect(list.reads.length).toBeLessThan(16);
  await Promise.all(all);
  expect(list.reads).toHaveLength(SHARDS);
});

test("one client cannot have any number of reads wait", async () => {
  const list = await manyShards();
  const find = finderOf(list, 0);
  const results = await Promise.allSettled(
    Array.from({ length: 1100 }, (_, i) => find(list.loaded, list.hashes[i % SHARDS]!, () => "a")),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(50);
  for (const each of refused) expect(each).toMatchObject({ reason: { status: 429 } });
});

test("what was found does not keep the shards in memory", async () => {
  const list = await manyShards();
  // Node reads files into parts of larger buffers, whose slices share their memory.
  const { storage } = list;
  const get = async (key: string) => Buffer.concat([(await storage.get(key))!]);
  const find = fullHashFinder({ ...storage, get }, () => {});
  const found = await findAll(find, list, "a");
  expect(found).toEqual(list.hashes);
  expect(new Set(found.map(({ buffer }) => buffer.byteLength))).toEqual(new Set([32]));
});

test("one search reads each shard once, in whatever order it names the prefixes", async () => {
  const list = await manyShards();
  // An order in which neighbors are far apart, and each prefix comes with another hash of the same shard.
  const prefixes = list.hashes
    .flatMap((hash) => [hash.slice(0, 4), hash.slice(0, 4).fill(1, 3)])
    .map((_, i, all) => all[(i * 77) % all.length]!);
  const served = {
    ...{ name: "malware", row: threatRow("malware"), problem: null, detail: null },
    loaded: openWith(list.loaded, Uint32Array.from(prefixes, wordOf).sort()),
  };
  const answering = createAnswering({
    lists: {
      all: () => [served],
      expire: () => false,
      refresh: async () => false,
      reportLost() {},
    },
    ...{ keys: NO_API_KEYS, wait: 1, cache: 1, now: Date.now },
    findFullHashes: finderOf(list, 0),
  });
  const caller = { key: null, network: () => "a", hasFailed: () => false };
  const inV5 = await search({ hashPrefixes: prefixes }, caller, answering);
  expect(inV5.facts.search).toEqual({ asked: 512, found: SHARDS });
  expect(repeats(list.reads)).toBeLessThanOrEqual(1);
  list.reads.length = 0;
  const threatEntries = prefixes.map((hash) => ({ hash }));
  const types = { threatTypes: ["MALWARE"], platformTypes: [], threatEntryTypes: ["URL"] };
  const asked = { threatInfo: { ...types, threatEntries } };
  const inV4 = await findHashes(asked as unknown as FindFullHashesRequest, caller, answering);
  expect(inV4.facts.search).toEqual({ asked: 512, found: SHARDS });
  expect(repeats(list.reads)).toBeLessThanOrEqual(1);
});

const wordOf = (prefix: Uint8Array) => Buffer.from(prefix).readUInt32BE();

/** How many of the names are there again after another one. */
function repeats(names: readonly string[]): number {
  const changes = names.filter((name, i) => name !== names[i - 1]).length;
  return changes - new Set(names).size;
}
