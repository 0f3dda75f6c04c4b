import {
  collectGarbage,
  type KeptVersion,
  type LoadedList,
  loadList,
  memoryStorage,
  publish,
  readContents,
  readEntry,
  readNewest,
  rollBack,
  type Storage,
  type StoreError,
  withdraw,
} from "@x/list-store";
import { type OpenList, openList } from "@x/list-store/serving";
import { sampleSize } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import { type BlockObjects, changeIn, readBlock } from "../src/block.ts";
import { Killed, killedAt, slowStorage } from "./support/failing-storage.ts";
import {
  changed,
  expectAllHashes,
  expectFound,
  expectNumbers,
  expectPrefixes,
  expectWords,
  type Hash,
  packed,
  someHash,
  sorted,
  wordOf,
} from "./support/hash-sets.ts";
import { DAY, newSigner, randomNumbers } from "./support/publishing.ts";

/*
 * Random histories of a store: publishers that are killed or race, withdrawals, rollbacks, renewals and garbage
 * collections. Readers must always have the same entries as a plain model, and find them.
 */

const LIST = "malware";
const signer = await newSigner();
const publicKeys = [signer.publicKey];
const SEEDS = Array.from({ length: sampleSize(24, 1) }, (_, i) => i + 1);
const STEPS = 120;
/** The number of versions whose changes garbage collection keeps. */
const KEEP_CHANGES = 30;

/** The parts of a list that a reader keeps in files. */
const pick = ({ entry, prefixes }: LoadedList): KeptVersion => ({ entry, prefixes });

/** The number of garbage collections that were killed in all histories. */
let killedCollectors = 0;
/** How often each thing happened in all histories. Races make the course of a history differ from run to run. */
const counts = new Map<string, number>();

test.each(SEEDS)("readers have what was published, seed %i", { timeout: 120_000 }, async (seed) => {
  const random = randomNumbers(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  let time = 0;
  const storage = memoryStorage(() => time);
  const stored = { storage, list: LIST, publicKeys, now: () => time };
  const common = { ...stored, signer, lifetime: 30 * DAY };
  /** The entries of each version, from version 1 on. */
  const versions: ReadonlySet<Hash>[] = [];
  const done = {
    killed: 0,
    raced: 0,
    collected: 0,
    partial: 0,
    inBlocks: 0,
    updated: 0,
  };
  let current: ReadonlySet<Hash> = new Set(Array.from({ length: 4500 }, () => someHash(random)));
  /** The lists of earlier readers, from which later readers continue. */
  const readers: { loaded: LoadedList; searched: OpenList }[] = [];
  /** The lists of earlier readers, with prefixes of any length. */
  const longReaders: LoadedList[] = [];

  async function newestVersion(): Promise<number> {
    return (await readNewest(stored))?.manifest.version ?? 0;
  }

  /** The entries to publish. */
  function entriesOf(set: ReadonlySet<Hash>) {
    return { fullHashes: [packed(set)] };
  }

  async function publishSet(set: ReadonlySet<Hash>, on = storage): Promise<void> {
    await publish({ ...common, storage: on, ...entriesOf(set) });
  }

  /** Records the entries of the newest version, if there is a new one. Returns whether there is one. */
  async function note(set: ReadonlySet<Hash>): Promise<boolean> {
    const newest = await newestVersion();
    if (newest === versions.length) return false;
    expect(newest).toBe(versions.length + 1);
    versions.push(set);
    current = set;
    return true;
  }

  async function beKilled(): Promise<void> {
    const next = changed(current, random);
    const dying = killedAt(storage, upTo(40), random() < 0.5 ? "before" : "after");
    const outcome = await publishSet(next, dying).catch((error: unknown) => error);
    if (outcome instanceof Killed) done.killed++;
    else expect(outcome).toBe(undefined);
    await note(next);
  }

  async function race(): Promise<void> {
    const sets = [changed(current, random), changed(current, random)];
    await Promise.all(sets.map((set) => publishSet(set, slowStorage(storage, random))));
    // The publisher that lost the race has made the newest version, unless it had nothing to change.
    const { fullHashes } = await readContents(storage, (await readNewest(stored))!.manifest);
    const isFirstOnTop = Buffer.concat(fullHashes).equals(packed([...sets[0]!].sort()));
    const inOrder = isFirstOnTop ? sets.toReversed() : sets;
    const made = (await newestVersion()) - versions.length;
    versions.push(...(made === 0 ? [] : inOrder.slice(-made)));
    current = inOrder[1]!;
    done.raced++;
  }

  async function restore(): Promise<void> {
    const version = 1 + upTo(versions.length);
    try {
      await rollBack({ ...common, version });
    } catch (error) {
      expect((error as StoreError).code).toBe("collected");
      return;
    }
    await note(versions[version - 1]!);
  }

  /** The shortest blocks, which are the history of the list, lead from the first version to the newest one. */
  async function expectHistory(): Promise<void> {
    const words = new Set(sorted(versions[0]!).map(wordOf));
    for (let version = 2; version <= versions.length; version++) {
      const { manifest } = (await readEntry(storage, LIST, version))!;
      const { stored } = await readBlock(storage, manifest.blocks[0] as BlockObjects);
      const { removed, added } = changeIn(stored);
      const hex = (prefixes: Uint32Array) =>
        [...prefixes].map((word) => word.toString(16).padStart(8, "0"));
      for (const word of hex(removed)) words.delete(word);
      for (const word of hex(added)) words.add(word);
      expect(words.size).toBe(manifest.contents.prefixes);
    }
    expect([...words].sort()).toEqual([...new Set(sorted(current).map(wordOf))]);
  }

  async function collect(): Promise<void> {
    const keep = 1 + upTo(5);
    // Some objects are younger than `grace`, although objects that they name are not.
    const grace = upTo(2) * upTo(60_000);
    const isKilled = random() < 0.3;
    const collecting = collectGarbage({
      ...{ publicKeys, keep, keepChanges: KEEP_CHANGES, grace, patience: 0 },
      storage: isKilled ? killedAt(storage, upTo(400), "after") : storage,
      now: () => time,
    });
    const outcome = await collecting.then(
      () => null,
      (error: unknown) => error,
    );
    if (outcome instanceof Killed) killedCollectors++;
    else expect(outcome).toBe(null);
    done.collected++;
    await expectHistory();
  }

  async function expectDifferences(loaded: LoadedList): Promise<void> {
    const { differenceSince } = await openList(storage, loaded, { window: KEEP_CHANGES - 1 });
    for (const { loaded: older } of readers) {
      const { version, contents } = older.entry.manifest;
      const since = contents.since;
      const difference = await differenceSince(since, contents.checksum, "a");
      if (typeof difference === "string") {
        expect(version - since >= 0 && difference).not.toBe("unknown-token");
        continue;
      }
      done.partial++;
      const removals = new Set(difference.removals);
      const rest = [...older.words].filter((_, index) => !removals.has(index));
      const bytes = Buffer.from(difference.additions[0]?.rawHashes ?? []);
      for (let at = 0; at < bytes.length; at += 4) rest.push(bytes.readUInt32BE(at));
      expectNumbers(
        rest.sort((a, b) => a - b),
        loaded.words,
      );
    }
  }

  /** Loads a list from one that a reader has, perhaps with another prefix length. */
  async function expectLongPrefixes(): Promise<void> {
    const before = random() < 0.2 ? undefined : longReaders[upTo(longReaders.length)];
    const same = before?.prefixes.lengths[0]?.prefixBytes;
    const prefixBytes = same !== undefined && random() < 0.6 ? same : [4, 8, 32][upTo(3)]!;
    // A reader that was restarted has only what it keeps in files.
    const kept = random() < 0.3 && before !== undefined ? pick(before) : before;
    let bytes = 0;
    const counted: Storage = {
      ...storage,
      async get(key, most) {
        const read = await storage.get(key, most);
        bytes += read?.length ?? 0;
        return read;
      },
    };
    const loaded = (await loadList({ ...stored, storage: counted, prefixBytes }, kept))!;
    expectWords(loaded, current);
    expectPrefixes(loaded, prefixBytes, current);
    const isShort = bytes < (current.size * prefixBytes) / 2;
    if (prefixBytes > 4 && isShort && before?.entry !== loaded.entry) done.updated++;
    longReaders.push(loaded);
    if (longReaders.length > 8) longReaders.splice(upTo(longReaders.length), 1);
  }

  await publishSet(current);
  await note(current);
  for (let step = 0; step < STEPS; step++) {
    time += upTo(20_000);
    const chance = random();
    if (chance < 0.05) {
      await withdraw(common);
      await note(new Set());
      // In most cases, the list gets entries again.
      const set = new Set(Array.from({ length: 4500 }, () => someHash(random)));
      await publishSet(set);
      await note(set);
    } else if (chance < 0.15) await beKilled();
    else if (chance < 0.22) await race();
    else if (chance < 0.27) await restore();
    else if (chance < 0.4) await collect();
    else {
      const next = chance < 0.45 ? current : changed(current, random);
      await publish({
        ...{ ...common, ...entriesOf(next) },
        renewWithin: chance < 0.43 ? 60 * DAY : 0,
      });
      await note(next);
    }
    expect(await newestVersion()).toBe(versions.length);

    const before = random() < 0.2 ? undefined : readers[upTo(readers.length)];
    const loaded = (await loadList(stored, before?.loaded))!;
    expectWords(loaded, current);
    const searched = await openList(storage, loaded, { window: 0 }, before?.searched);
    const gone = [...(versions.at(-2) ?? [])];
    for (const hash of [...current, ...gone].filter(() => random() < 0.005)) {
      await expectFound(storage, searched, wordOf(hash), current);
    }
    await expectAllHashes(searched, current);
    if (step % 2 === 0) await expectLongPrefixes();
    expect(loaded.entry.manifest.contents.fullHashes).toBe(current.size);
    if (searched.hashBlocks.length > 2) done.inBlocks++;
    if (step % 5 === 0) await expectDifferences(loaded);
    readers.push({ loaded, searched });
    if (readers.length > 8) readers.splice(upTo(readers.length), 1);
  }
  for (const [what, count] of Object.entries(done))
    counts.set(what, (counts.get(what) ?? 0) + count);
});

test("everything that can happen has happened in some history", () => {
  expect(counts.size).toBeGreaterThan(5);
  expect(Math.min(...counts.values())).toBeGreaterThan(0);
});

test("garbage collections were killed", () => {
  expect(killedCollectors).toBeGreaterThan(0);
});

function evenHashes(count: number, random: () => number): Hash[] {
  const words = Uint32Array.from({ length: 8 * count }, () => random() * 2 ** 32);
  return Buffer.from(words.buffer).toString("hex").match(/.{64}/g)!;
}

test("a block of several shards, on a base of more", async () => {
  const random = randomNumbers(5);
  const storage = memoryStorage();
  const stored = { storage, list: LIST, publicKeys };
  const common = { ...stored, signer, lifetime: DAY };
  const [first, second] = [evenHashes(100_000, random), evenHashes(40_000, random)];
  // Some new hashes have the same first word as old ones.
  for (let i = 0; i < 1000; i++) second[i] = wordOf(first[i * 7]!) + second[i]!.slice(8);
  await publish({ ...common, fullHashes: [packed(first)] });
  const lists = [
    [...first, ...second],
    [...first.slice(100), ...second.slice(50)],
  ];
  let before: OpenList | null = null;
  for (const list of lists) {
    await publish({ ...common, fullHashes: [packed(list)] });
    const loaded = (await loadList(stored, before))!;
    before = await openList(storage, loaded, { window: 0 }, before);
    const counts = before.hashBlocks.map(({ shards }) => shards.length);
    expect(counts.slice(-2)).toEqual([2, 4]);
    await expectAllHashes(before, new Set(list));
    const byWord = new Map<string, Hash[]>();
    for (const hash of list) byWord.set(wordOf(hash), [...(byWord.get(wordOf(hash)) ?? []), hash]);
    const some = sampleSize(200, 40);
    const searched = [...first.slice(0, some), ...second.slice(0, some), ...list.slice(-some)];
    for (const word of new Set(searched.map(wordOf))) {
      await expectFound(storage, before, word, new Set(byWord.get(word)));
    }
  }
});
