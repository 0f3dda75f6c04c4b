import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { isWritten } from "../src/block.ts";
import { encodeHashes, readHashes } from "../src/contents.ts";
import {
  collectGarbage,
  type LoadedList,
  loadList,
  memoryStorage,
  publish,
  readContents,
  readEntry,
  readNewest,
  rollBack,
} from "../src/index.ts";
import { openList } from "../src/open-list.ts";
import {
  changed,
  expectAllHashes,
  expectFound,
  expectNumbers,
  expectWords,
  type Hash,
  packed,
  someHash,
  sorted,
  wordOf,
} from "./support/hash-sets.ts";
import { DAY, newSigner, publisher, putObject, randomNumbers } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const KEYS = [signer.publicKey];

describe.each(IS_DEEP ? [1, 2, 3, 4] : [1])("versions in blocks, seed %i", async (seed) => {
  const random = randomNumbers(seed);
  const storage = memoryStorage();
  const options = { storage, list: LIST, signer, publicKeys: KEYS, lifetime: 30 * DAY };
  const versions: Set<Hash>[] = [];
  const loads: LoadedList[] = [];
  let list = new Set(Array.from({ length: 4500 }, () => someHash(random)));
  const load = async (before: LoadedList | null) =>
    (await loadList({ storage, list: LIST, publicKeys: KEYS }, before))!;
  let joined = 0;
  let bases = 0;
  for (let version = 1; version <= (IS_DEEP ? 160 : 80); version++) {
    if (version > 1) list = changed(list, random);
    const published = await publish({
      ...options,
      fullHashes: [packed(list)],
      // Some versions are only signed again.
      renewWithin: 60 * DAY,
    });
    const before = versions.at(-1) ?? new Set();
    const added = [...list].filter((hash) => !before.has(hash)).length;
    const removed = [...before].filter((hash) => !list.has(hash)).length;
    const { change } = published.manifest;
    expect([change?.addedEntries ?? 0, change?.removedEntries ?? 0]).toEqual([added, removed]);
    versions.push(list);
    const { base, blocks } = published.manifest;
    if (blocks.slice(1).some(isWritten)) joined++;
    if (base.version === version) bases++;
    // Most readers come from the previous version; some are new or far behind.
    loads.push(
      await load(version % 20 === 0 ? null : (loads.at(version % 7 === 0 ? -7 : -1) ?? null)),
    );
  }

  test("are joined, and new bases are written", () => {
    expect(joined).toBeGreaterThan(0);
    expect(bases).toBeGreaterThan(1);
  });

  test("have the words of their hashes, however they were loaded", { tags: "deep" }, () => {
    for (const [i, { words }] of loads.entries()) {
      expectWords({ words }, versions[i]!);
    }
  });

  test("have one shard with all hashes of a prefix", { tags: "deep" }, async () => {
    for (const [i, loaded] of loads.entries()) {
      if (!IS_DEEP && i % 5 > 0) continue;
      const words = new Set([...versions[i]!, ...(versions[i - 1] ?? [])].map(wordOf));
      const searched = await openList(storage, loaded, { window: 0 });
      for (const word of [...words].filter(() => random() < 0.01)) {
        await expectFound(storage, searched, word, versions[i]!);
      }
    }
  });

  test("do not tell the host which of a few entries somebody searches", async () => {
    for (const loaded of loads) {
      /** The prefixes for which newer blocks are read. */
      const newer = new Set<number>();
      for (const { mentions } of (await openList(storage, loaded, { window: 0 })).hashBlocks) {
        if (mentions === null || mentions.length === 0) continue;
        const read = [...mentions].filter((word) => !newer.has(word));
        // When a block is written, it mentions 128 prefixes that no other block does. Some of them change later.
        expect(read.length).toBeGreaterThanOrEqual(newer.size === 0 ? 128 : 64);
        for (const word of mentions) newer.add(word);
      }
    }
  });

  test("give all their hashes in order", { tags: "deep" }, async () => {
    for (const [i, loaded] of loads.entries()) {
      if (!IS_DEEP && i % 5 > 0) continue;
      await expectAllHashes(await openList(storage, loaded, { window: 0 }), versions[i]!);
      const contents = await readContents(storage, loaded.entry.manifest);
      expect(Buffer.concat(contents.fullHashes).equals(packed(sorted(versions[i]!)))).toBe(true);
    }
  });

  test("give differences from every version to some later ones", { tags: "deep" }, async () => {
    for (const [i, loaded] of loads.entries()) {
      if (i % 40 !== 39) continue;
      const { differenceSince } = await openList(storage, loaded, { window: 1000 });
      for (let since = 1; since <= i; since++) {
        const { contents } = loads[since - 1]!.entry.manifest;
        const difference = await differenceSince(since, contents.checksum, "a");
        if (difference === "unknown-token") {
          expect(contents.since).toBeLessThan(since);
          continue;
        }
        if (typeof difference === "string") {
          expect(difference).toBe("full-is-smaller");
          continue;
        }
        const removals = new Set(difference.removals);
        const rest = [...loads[since - 1]!.words].filter((_, index) => !removals.has(index));
        const bytes = Buffer.from(difference.additions[0]?.rawHashes ?? []);
        for (let at = 0; at < bytes.length; at += 4) rest.push(bytes.readUInt32BE(at));
        expectNumbers(
          rest.sort((a, b) => a - b),
          loaded.words,
        );
      }
    }
  });
});

test("a version of a long list costs little more than what changed", { tags: "deep" }, async () => {
  const random = randomNumbers(3);
  const storage = memoryStorage();
  let written = 0;
  const counting = {
    ...storage,
    async create(key: string, bytes: Uint8Array) {
      written += bytes.length;
      return storage.create(key, bytes);
    },
  };
  const someBytes = () =>
    Buffer.from(Uint32Array.from({ length: 8 }, () => random() * 2 ** 32).buffer);
  const hashes = Array.from({ length: 20_000 }, someBytes);
  const options = { storage: counting, list: LIST, signer, publicKeys: KEYS, lifetime: 30 * DAY };
  await publish({ ...options, fullHashes: [Buffer.concat(hashes)] });
  written = 0;
  let changes = 0;
  const VERSIONS = IS_DEEP ? 60 : 20;
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; i < 200; i++) hashes[Math.floor(random() * hashes.length)] = someBytes();
    const { manifest } = await publish({ ...options, fullHashes: [Buffer.concat(hashes)] });
    changes += manifest.change!.addedEntries + manifest.change!.removedEntries;
  }
  expect((written - VERSIONS * 20_000) / changes).toBeLessThan(4 * 32);
});

/** The hosts with numbers from `from` up to `to`, which is excluded. */
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${from + i}.example/`);

const hashesIn = (contents: { fullHashes: readonly Uint8Array[] }) =>
  Buffer.concat(contents.fullHashes).length / 32;

test("entries of a base that a block removed are not in later versions", async () => {
  const storage = memoryStorage();
  const publishHosts = publisher(storage, signer);
  await publishHosts(LIST, hosts(0, 1000));
  const { manifest } = await publishHosts(LIST, hosts(5, 1000));
  expect(manifest.blocks).toMatchObject([{ hashes: null }]);
  expect(hashesIn(await readContents(storage, manifest))).toBe(995);
  const { change } = (await publishHosts(LIST, hosts(3, 1000))).manifest;
  expect(change).toMatchObject({ addedEntries: 2, removedEntries: 0 });
  const options = { storage, list: LIST, signer, publicKeys: KEYS, lifetime: DAY };
  const restored = await rollBack({ ...options, version: 2 });
  expect(restored.manifest.contents.fullHashes).toBe(995);
});

test("differences go on after garbage collection", {
  tags: "deep",
}, async () => {
  let time = 0;
  const now = () => time;
  const storage = memoryStorage(now);
  const stored = { storage, list: LIST, publicKeys: KEYS, now };
  const publishHosts = publisher(storage, signer);
  for (let version = 1; version <= 24; version++) {
    time += 60_000;
    await publishHosts(LIST, hosts(100 * version, 5000 + 100 * version), { now });
  }
  const newest = (await loadList(stored))!;
  // The list has become a new base at least once.
  expect(newest.entry.manifest.base.version).toBeGreaterThan(10);
  const options = { storage, publicKeys: KEYS, now, keep: 1, keepChanges: 30 };
  await collectGarbage({ ...options, grace: 8 * 60_000 });
  const { differenceSince } = await openList(storage, newest, { window: 30 });
  for (let since = 1; since < 24; since++) {
    const { contents } = (await readEntry(storage, LIST, since))!.manifest;
    expect(await differenceSince(since, contents.checksum, "a")).toHaveProperty("removals");
  }
  // Another garbage collection may keep more versions than there are.
  await collectGarbage({ ...options, keep: 30, grace: 0 });
  const contents = await readContents(storage, (await readNewest(stored))!.manifest);
  expect(hashesIn(contents)).toBe(5000);
});

test("a reader whose two files are of different versions loads the list that was signed", async () => {
  const storage = memoryStorage();
  const publishHosts = publisher(storage, signer);
  const stored = { storage, list: LIST, publicKeys: KEYS };
  await publishHosts(LIST, hosts(0, 1000));
  const { prefixes } = (await loadList(stored))!;
  await publishHosts(LIST, hosts(0, 1010));
  const newest = (await loadList(stored))!;
  expect((await loadList(stored, { entry: newest.entry, prefixes }))!.words).toEqual(newest.words);
  await publishHosts(LIST, hosts(0, 1020));
  const later = (await loadList(stored, { entry: newest.entry, prefixes }))!;
  expect(later.words).toEqual((await loadList(stored))!.words);
});

test("refuses a description with more shards than full hashes, which would take long to read", async () => {
  const storage = memoryStorage();
  const name = "0".repeat(64);
  const describe = (count: number, shards: number) => {
    const hashes = { count, others: [], rests: name, shards: Array<string>(shards).fill(name) };
    return putObject(storage, encodeHashes(hashes));
  };
  for (const [count, shards] of [
    [0, 1],
    [1, 1],
    [2, 2],
  ] as const) {
    expect((await readHashes(storage, await describe(count, shards))).shards).toHaveLength(shards);
  }
  for (const [count, shards] of [
    [0, 2],
    [3, 4],
    [9, 2 ** 16],
  ] as const) {
    const reading = readHashes(storage, await describe(count, shards));
    await expect(reading).rejects.toMatchObject({ code: "damaged" });
  }
});
