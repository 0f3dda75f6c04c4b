import {
  collectGarbage,
  type EntryChange,
  memoryStorage,
  publish,
  readEntry,
  readHistory,
  renew,
  rollBack,
  type Storage,
  withdraw,
} from "@x/list-store";
import { fullHash, toHex } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { objectKey, versionKey } from "../src/storage.ts";
import { bytesOfHash, type Hash, packed, wordOf } from "./support/hash-sets.ts";
import { DAY, newSigner, publisher, randomNumbers } from "./support/publishing.ts";

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const SEEDS = Array.from({ length: sampleSize(24, 3) }, (_, i) => i + 1);

type Facts = Pick<EntryChange, "version" | "change">;

const factsOf = ({ version, change }: Facts): Facts => ({ version, change });

/** The changes of what `isOn` says about the versions, from version 1 on. */
function changesOf(
  versions: readonly ReadonlySet<Hash>[],
  isOn: (set: ReadonlySet<Hash>) => boolean,
): Facts[] {
  const states = versions.map(isOn);
  return states.flatMap((state, i) => {
    if (state === (states[i - 1] ?? false)) return [];
    return [{ version: i + 1, change: state ? "added" : "removed" }];
  });
}

/** Entries of which three each have the same first four bytes. */
const OWN: readonly Hash[] = Array.from({ length: 60 }, (_, i) => {
  const word = ((i % 20) * 200_000_003).toString(16).padStart(8, "0");
  return word + String(i % 3).repeat(56);
});
/** Entries that are always on the longer list, so that not each version is stored completely. */
const OTHERS: readonly Hash[] = Array.from({ length: 600 }, (_, i) =>
  toHex(fullHash(`${i}.example/`)),
);

/**
 * Entries that a version adds or removes. In a long history, longer blocks often mention none of `OWN`, or hide one.
 */
function* changedEntries(
  isLong: boolean,
  version: number,
  upTo: (most: number) => number,
): Generator<Hash> {
  if (isLong) {
    yield toHex(fullHash(`changing-${upTo(50)}.example/`));
    if (upTo(8) === 0) yield OWN[(7 * (version >> 4)) % OWN.length]!;
  } else for (let i = upTo(4); i > 0; i--) yield OWN[upTo(OWN.length)]!;
}

/** Publishes versions, and returns their entries, from version 1 on. */
async function makeVersions(
  storage: Storage,
  random: () => number,
  count: number,
  isLong: boolean,
) {
  const upTo = (most: number) => Math.floor(random() * most);
  const common = { storage, list: LIST, publicKeys, signer, lifetime: 30 * DAY };
  const always = !isLong && upTo(3) === 0 ? [] : OTHERS;
  const versions: ReadonlySet<Hash>[] = [];
  let current: ReadonlySet<Hash> = new Set([...always, ...OWN.filter(() => random() < 0.3)]);
  while (versions.length < count) {
    // Versions that change everything have no longer blocks, so they are rare in long histories.
    const chance = versions.length === 0 ? 1 : random() * (isLong ? 20 : 1);
    const next = new Set(current.size === 0 ? always : current);
    let made: { readonly outcome: string };
    if (chance < 0.03) {
      next.clear();
      made = await withdraw(common);
    } else if (chance < 0.08) made = await renew({ ...common, renewWithin: 60 * DAY });
    else if (chance < 0.13) {
      const version = 1 + upTo(versions.length);
      next.clear();
      for (const hash of versions[version - 1]!) next.add(hash);
      made = await rollBack({ ...common, version });
    } else {
      for (const hash of changedEntries(isLong, versions.length, upTo)) {
        if (!next.delete(hash)) next.add(hash);
      }
      made = await publish({ ...common, fullHashes: [packed(next)] });
    }
    if (made.outcome === "unchanged") continue;
    current = chance >= 0.03 && chance < 0.08 ? (versions.at(-1) ?? next) : next;
    versions.push(current);
  }
  return versions;
}

describe("histories of entries", () => {
  const seen = { changes: 0, shared: 0, probable: 0, confirmed: 0 };

  test.each(SEEDS)("are those of a plain record, seed %i", { timeout: 60_000 }, async (seed) => {
    const random = randomNumbers(seed);
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const isLong = seed % 4 === 3;
    const count = (isLong ? 530 : 70) + Math.floor(random() * 80);
    const versions = await makeVersions(storage, random, count, isLong);
    const entries = [...OWN, OTHERS[0]!, wordOf(OWN[0]!) + "8".repeat(56), "9".repeat(64)];
    const issued = await Promise.all(
      versions.map(async (_, i) => (await readEntry(storage, LIST, i + 1))!.manifest.issued),
    );

    const whole = (await readHistory(stored, entries.map(bytesOfHash)))!;
    expect(whole.begins).toEqual({ version: 1, issued: issued[0] });
    for (const [i, hash] of entries.entries()) {
      const { listed, changes } = whole.entries[i]!;
      expect(listed).toBe(versions.at(-1)!.has(hash));
      const expected = changesOf(versions, (set) => set.has(hash)).map((facts) => ({
        ...facts,
        issued: issued[facts.version - 1],
        certain: true,
        orEarlier: false,
      }));
      expect(changes).toEqual(expected);
      seen.changes += changes.length;
      if (!isLong || i % 3 > 0) continue;
      // Alone, an entry is mentioned by fewer of the longer blocks.
      const alone = await readHistory(stored, [bytesOfHash(hash)]);
      expect(alone!.entries).toEqual([whole.entries[i]]);
    }

    const keep = seed % 2 === 0 ? 1 : 30;
    await collectGarbage({ storage, publicKeys, keep, keepChanges: 1, grace: -1 });
    const words = versions.map((set) => new Set([...set].map(wordOf)));
    const rest = (await readHistory(stored, entries.map(bytesOfHash)))!;
    expect(rest.begins).toEqual(whole.begins);
    for (const [i, hash] of entries.entries()) {
      const { listed, changes } = rest.entries[i]!;
      expect(listed).toBe(versions.at(-1)!.has(hash));
      // Additions and removals alternate, and lead to the newest version.
      expect(changes.map(({ change }) => change === "added")).toEqual(
        changes.map((_, k) => k % 2 === 0),
      );
      expect(changes.length % 2 === 1).toBe(listed);
      const record = changesOf(versions, (set) => set.has(hash));
      expect(record).toEqual(
        expect.arrayContaining(changes.filter(({ certain }) => certain).map(factsOf)),
      );
      const ofPrefix = changesOf(words, (set) => set.has(wordOf(hash)));
      // Without full hashes, a change is found if no other entry with the same prefix hides it.
      const plain = record.filter(({ version }) =>
        ofPrefix.some((each) => each.version === version),
      );
      expect(changes.map(factsOf)).toEqual(expect.arrayContaining(plain));
      if (record.length !== ofPrefix.length) seen.shared++;
      for (const { certain } of changes) seen[certain ? "confirmed" : "probable"]++;
    }
  });

  test("had all kinds of changes", () => {
    const { changes, shared, probable, confirmed } = seen;
    expect(Math.min(changes, shared, probable, confirmed)).toBeGreaterThan(20);
  });
});

describe("readHistory", () => {
  async function setUp() {
    const storage = memoryStorage();
    const put = publisher(storage, signer);
    for (const lists of [["a/", "b/"], ["b/"], ["a/", "b/"], ["b/", "c/"]]) await put(LIST, lists);
    return { stored: { storage, list: LIST, publicKeys }, storage };
  }

  const removeBlock = async (storage: Storage, version: number) => {
    const { manifest } = (await readEntry(storage, LIST, version))!;
    await storage.delete(objectKey(manifest.blocks[0]!.object!));
  };

  test("says where the record begins when a store has lost blocks", async () => {
    const { stored, storage } = await setUp();
    await removeBlock(storage, 3);
    const { begins, entries } = (await readHistory(stored, ["a/", "b/", "d/"].map(fullHash)))!;
    expect(begins.version).toBe(3);
    const [a, b, d] = entries;
    expect(a!.changes.map((change) => ({ ...change, issued: 0 }))).toEqual([
      { version: 3, issued: 0, change: "added", certain: true, orEarlier: true },
      { version: 4, issued: 0, change: "removed", certain: true, orEarlier: false },
    ]);
    expect(b).toMatchObject({ listed: true, changes: [{ version: 3, orEarlier: true }] });
    expect(d).toEqual({ listed: false, changes: [] });
  });

  test("does not miss entries where the record begins", async () => {
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const many = Array.from({ length: 600 }, (_, i) => `${i}.example/`);
    const put = publisher(storage, signer);
    for (const lists of [many, [...many, "a/"], [...many, "b/"], many.slice(20)]) {
      await put(LIST, lists);
    }
    // The full hashes of this block are still there, but they are those of few entries.
    await removeBlock(storage, 3);
    const { begins, entries } = (await readHistory(stored, many.slice(0, 20).map(fullHash)))!;
    expect(begins.version).toBe(3);
    for (const { changes } of entries) {
      expect(changes).toMatchObject([
        { version: 3, change: "added", certain: false, orEarlier: true },
        { version: 4, change: "removed", certain: false, orEarlier: false },
      ]);
    }
  });

  test("does not take a list without full hashes for one without an entry", async () => {
    const { stored, storage } = await setUp();
    await collectGarbage({ storage, publicKeys, keep: 1, keepChanges: 1, grace: -1 });
    const { entries } = (await readHistory(stored, [fullHash("a/")]))!;
    expect(entries[0]!.changes.map(({ version, certain }) => [version, certain])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, false],
    ]);
  });

  test("refuses what is not a full hash, and knows no other list", async () => {
    const { stored } = await setUp();
    await expect(readHistory(stored, [new Uint8Array(4)])).rejects.toThrow(RangeError);
    expect(await readHistory({ ...stored, list: "other" }, [])).toBe(null);
  });

  test("refuses manifests that the log does not lead to", async () => {
    const { stored, storage } = await setUp();
    const { note } = (await readEntry(storage, LIST, 2))!;
    const key = versionKey(LIST, 2);
    const text = Buffer.from(note)
      .toString()
      .replace(/"issued":"2/, '"issued":"3');
    await storage.delete(key);
    await storage.put(key, Buffer.from(text));
    await expect(readHistory(stored, [fullHash("a/")])).rejects.toMatchObject({ code: "forked" });
  });

  /** Counts the objects and older manifests that are read. */
  function counting(storage: Storage) {
    const objects: string[] = [];
    const manifests: string[] = [];
    const counted: Storage = {
      ...storage,
      async get(key, most) {
        if (key.startsWith("objects/")) objects.push(key);
        const file = await storage.get(key, most);
        if (file !== null && key.includes("/v/")) manifests.push(key);
        return file;
      },
    };
    return { objects, manifests, counted };
  }

  test("reads few objects where nothing changed", { timeout: 60_000 }, async () => {
    const storage = memoryStorage();
    const stored = { storage, list: LIST, publicKeys };
    const put = publisher(storage, signer);
    const many = Array.from({ length: 600 }, (_, i) => `${i}.example/`);
    // The entry is added and removed again in between, so no longer block adds or removes it.
    for (let version = 1; version <= 600; version++) {
      await put(LIST, [...many, `${version}/`, ...(version > 400 && version < 404 ? ["a/"] : [])]);
    }
    const expected = [
      [401, "added"],
      [404, "removed"],
    ];
    async function read(most: { readonly objects: number; readonly manifests: number }) {
      const { counted, objects, manifests } = counting(storage);
      const hashes = ["a/", "b/"].map(fullHash);
      const { begins, entries } = (await readHistory({ ...stored, storage: counted }, hashes))!;
      expect(begins.version).toBe(1);
      const [a, b] = entries.map(({ changes }) =>
        changes.map((each) => [each.version, each.change]),
      );
      expect([a, b]).toEqual([expected, []]);
      expect(objects.length).toBeLessThan(most.objects);
      expect(manifests.length).toBeLessThan(most.manifests);
    }
    await read({ objects: 100, manifests: 10 });
    await collectGarbage({ storage, publicKeys, keep: 1, keepChanges: 1, grace: -1 });
    await read({ objects: 100, manifests: 10 });
    for (let version = 16; version <= 600; version += 16) {
      const { manifest } = (await readEntry(storage, LIST, version))!;
      for (const { object } of manifest.blocks.slice(1)) {
        if (object !== null) await storage.delete(objectKey(object));
      }
    }
    await read({ objects: 700, manifests: 15 });
  });
});
