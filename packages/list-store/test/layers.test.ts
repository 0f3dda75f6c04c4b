import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { findInShard } from "../src/contents/full-hashes.ts";
import { fullHashesIn, shardOf } from "../src/contents/hash-layers.ts";
import { readLayers } from "../src/contents/layers.ts";
import { type LoadedList, loadList, memoryStorage, publish, readContents } from "../src/index.ts";
import { getObject } from "../src/objects.ts";
import { changesUpTo } from "../src/reading/changes-up-to.ts";
import { searchable } from "../src/reading/find-full-hashes.ts";
import { DAY, newSigner, randomNumbers } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const KEYS = [signer.publicKey];

/** Full hashes in hex. Few words are used, so that many begin with the same one. */
type Hash = string;
const wordOf = (hash: Hash) => hash.slice(0, 8);
const bytesOfHash = (hash: Hash) => Buffer.from(hash, "hex");
const sorted = (hashes: Iterable<Hash>) => [...hashes].sort();

function someHash(random: () => number): Hash {
  const word = Math.floor(random() * 900) * 4_771_993;
  const rest = Math.floor(random() * 3);
  return word.toString(16).padStart(8, "0") + String(rest).padStart(56, "0");
}

/** A list after more changes: a few, or nearly all of it; what left may come back. */
function changed(list: ReadonlySet<Hash>, random: () => number): Set<Hash> {
  const next = new Set(list);
  const many = random() < 0.02 ? 400 : Math.floor(random() * 12);
  for (const hash of sorted(next)) if (random() < many / next.size) next.delete(hash);
  for (let i = 0; i < many; i++) next.add(someHash(random));
  return next;
}

describe.each(IS_DEEP ? [1, 2, 3, 4] : [1])("versions in layers, seed %i", async (seed) => {
  const random = randomNumbers(seed);
  const storage = memoryStorage();
  const options = { storage, list: LIST, signer, publicKeys: KEYS, lifetime: 30 * DAY };
  const versions: Set<Hash>[] = [];
  const loads: LoadedList[] = [];
  let list = new Set(Array.from({ length: 1000 }, () => someHash(random)));
  const load = async (before: LoadedList | null) =>
    (await loadList({ storage, list: LIST, publicKeys: KEYS }, before))!;
  let levels = 0;
  let folds = 0;
  for (let version = 1; version <= 160; version++) {
    if (version > 1) list = changed(list, random);
    const published = await publish({
      ...options,
      fullHashes: [Buffer.concat([...list].map(bytesOfHash))],
      // Some versions are only signed again.
      renewWithin: 60 * DAY,
    });
    const before = versions.at(-1) ?? new Set();
    const added = [...list].filter((hash) => !before.has(hash)).length;
    const removed = [...before].filter((hash) => !list.has(hash)).length;
    const { change } = published.manifest;
    expect([change?.addedEntries ?? 0, change?.removedEntries ?? 0]).toEqual([added, removed]);
    versions.push(list);
    const { base, layers } = await readLayers(storage, published.manifest);
    levels = Math.max(levels, ...layers.map(({ level }) => level));
    if (base.version === version) folds++;
    // Most follow the version before; some are new or far behind.
    loads.push(
      await load(version % 20 === 0 ? null : (loads.at(version % 7 === 0 ? -7 : -1) ?? null)),
    );
  }

  test("are merged and folded on the way", () => {
    expect(levels).toBeGreaterThan(0);
    expect(folds).toBeGreaterThan(1);
  });

  test("have the words of their hashes, however they were loaded", () => {
    for (const [i, { words }] of loads.entries()) {
      const expected = new Set([...versions[i]!].map((hash) => Number.parseInt(wordOf(hash), 16)));
      expect([...words]).toEqual([...expected].sort((a, b) => a - b));
    }
  });

  test("have one shard with all hashes of a prefix", async () => {
    for (const [i, loaded] of loads.entries()) {
      const hashes = sorted(versions[i]!);
      const words = new Set([...versions[i]!, ...(versions[i - 1] ?? [])].map(wordOf));
      for (const word of [...words].filter(() => random() < 0.05)) {
        const place = shardOf(await searchable(storage, loaded), bytesOfHash(word));
        const found =
          place === null
            ? []
            : findInShard(await getObject(storage, place.shard), bytesOfHash(word), place.guess);
        expect(found.map((hash) => Buffer.from(hash).toString("hex"))).toEqual(
          hashes.filter((hash) => wordOf(hash) === word),
        );
      }
    }
  });

  test("do not tell the host which of a few entries somebody searches", async () => {
    for (const loaded of loads) {
      for (const { mentions } of (await searchable(storage, loaded)).hashLayers) {
        if (mentions !== null) expect(mentions.length).toBeGreaterThanOrEqual(128);
      }
    }
  });

  test("give all their hashes in order", async () => {
    for (const [i, loaded] of loads.entries()) {
      const { hashLayers } = await searchable(storage, loaded);
      const pieces: Uint8Array[] = [];
      for await (const piece of fullHashesIn(storage, loaded.words, hashLayers)) {
        pieces.push(piece);
      }
      const expected = Buffer.concat(sorted(versions[i]!).map(bytesOfHash));
      expect(Buffer.concat(pieces).equals(expected)).toBe(true);
      const contents = await readContents(storage, loaded.entry.manifest);
      expect(Buffer.concat(contents.fullHashes).equals(expected)).toBe(true);
    }
  });

  test("give differences from every version to some later ones", async () => {
    for (const [i, loaded] of loads.entries()) {
      if (i % 40 !== 39) continue;
      const changesSince = changesUpTo(storage, loaded, 1000);
      for (let since = 1; since <= i; since++) {
        const { contents } = loads[since - 1]!.entry.manifest;
        const difference = await changesSince(since, contents.checksum, "a");
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
        expect(rest.sort((a, b) => a - b)).toEqual([...loaded.words]);
      }
    }
  });
});

test("a version of a long list costs little more than what changed", async () => {
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
  const VERSIONS = 60;
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; i < 200; i++) hashes[Math.floor(random() * hashes.length)] = someBytes();
    const { manifest } = await publish({ ...options, fullHashes: [Buffer.concat(hashes)] });
    changes += manifest.change!.addedEntries + manifest.change!.removedEntries;
  }
  expect((written - VERSIONS * 20_000) / changes).toBeLessThan(4 * 32);
});
