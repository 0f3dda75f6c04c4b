import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { firstWords, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "./bytes.ts";
import { applyChange, type Change, unionOfRows } from "./change.ts";
import { joinChanges } from "./difference.ts";
import { StoreError } from "./error.ts";
import { findInShard, getShard, hashesIn, shardIn, shardNumber } from "./full-hashes.ts";
import {
  getPrefixes,
  type Layers,
  readLayers,
  readShardIndex,
  type StoredObject,
  type StoredPrefixes,
  wordsIn,
} from "./layers.ts";
import type { Manifest } from "./manifest.ts";
import type { Sha256 } from "./objects.ts";
import { readNewest, type StoredList } from "./read-log.ts";
import { applyStep } from "./step.ts";
import type { Storage } from "./storage.ts";
import {
  countBelow,
  distinct,
  listOfWords,
  NO_WORDS,
  type PrefixWords,
  union,
  without,
  wordsOf,
} from "./words.ts";

/** The prefixes of a version, as a list and as words. */
export interface Snapshot {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
}

/** The input of {@link makeSnapshot}. */
export interface SnapshotParts {
  /** All prefixes of an older version, as an object or as words. */
  readonly from: StoredObject | PrefixWords;
  /** The changes since that version, the newest first. */
  readonly changes: readonly Change<StoredObject | null>[];
  /** Steps to apply after the changes, the oldest first. */
  readonly steps?: readonly StoredObject[] | undefined;
  readonly list: string;
  /** The time of the version, in milliseconds since 1970. */
  readonly created: number;
}

/**
 * Makes the snapshot from objects, in this thread or another one.
 * `entries` is an estimate of the work. The bytes of objects may be transferred to the other thread.
 */
export type MakeSnapshot = (parts: SnapshotParts, entries: number) => Snapshot | Promise<Snapshot>;

/** Makes a snapshot in this thread. `sha256` replaces the JavaScript implementation of SHA-256. */
export function makeSnapshot(
  { from, changes, steps = [], list, created }: SnapshotParts,
  sha256?: Sha256,
): Snapshot {
  if ("object" in from && changes.length + steps.length === 0) {
    const prefixes = decodePrefixList(from.bytes, { sha256 });
    return { prefixes, words: wordsOf(prefixes) };
  }
  const before = wordsIn(from, sha256);
  let words = changes.length === 0 ? before : applyChange(before, joinChanges(changes, sha256));
  for (const step of steps) words = applyStep(words, step);
  const prefixes = listOfWords(words, list, created, sha256);
  // A change that adds existing prefixes is wrong, but the list, which has no duplicates, may still be correct.
  return { prefixes, words: prefixes.size === words.length ? words : wordsOf(prefixes) };
}

/** The number of changes that are read at the same time. */
const READS = 4;

/** Reads the objects of changes, in the order of the changes. */
export async function getChanges(
  storage: Storage,
  changes: readonly Change<StoredPrefixes | null>[],
): Promise<Change<StoredObject | null>[]> {
  const get = (prefixes: StoredPrefixes | null) => prefixes && getPrefixes(storage, prefixes);
  const stored: Change<StoredObject | null>[] = [];
  for (let start = 0; start < changes.length; start += READS) {
    const some = changes.slice(start, start + READS).map(async (change) => {
      const [removed, added] = await Promise.all([get(change.removed), get(change.added)]);
      return { removed, added };
    });
    stored.push(...(await Promise.all(some)));
  }
  return stored;
}

/** The total number of prefixes that changes remove and add. */
function countOf(changes: readonly Change<StoredPrefixes | null>[]): number {
  return changes.reduce(
    (sum, { removed, added }) => sum + (removed?.count ?? 0) + (added?.count ?? 0),
    0,
  );
}

/** Makes the prefixes of a version from their parts, and checks them against its manifest. */
async function checkedSnapshot(
  { contents, list, version, issued: created }: Manifest,
  parts: Omit<SnapshotParts, "list" | "created">,
  entries: number,
  make: MakeSnapshot,
): Promise<Snapshot> {
  const snapshot = await make({ ...parts, list, created }, entries);
  const { checksum, size } = snapshot.prefixes;
  if (checksum === contents.checksum && size === contents.prefixes) return snapshot;
  throw new StoreError(
    "damaged",
    `The prefixes of version ${version} of ${list} are not the ones that were signed`,
  );
}

/** Reads the prefixes of a version, and checks them against its manifest. */
export async function readSnapshot(
  storage: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<Snapshot> {
  const layers = await readLayers(storage, manifest);
  return loadSnapshot(storage, manifest, layers, (parts) => makeSnapshot(parts, sha256));
}

/** Like {@link readSnapshot}, for a caller that has already read the layers. */
export async function loadSnapshot(
  storage: Storage,
  manifest: Manifest,
  { base, layers }: Layers,
  make: MakeSnapshot,
): Promise<Snapshot> {
  const parts = {
    from: await getPrefixes(storage, base.prefixes),
    changes: await getChanges(storage, layers.toReversed()),
  };
  return checkedSnapshot(manifest, parts, base.prefixes.count + countOf(layers), make);
}

/** The prefixes of a version, made from those of an older one by steps, the oldest first. */
export async function stepToSnapshot(
  manifest: Manifest,
  from: PrefixWords,
  steps: readonly StoredObject[],
  make: MakeSnapshot,
): Promise<Snapshot> {
  // A step takes about two bytes for each prefix that it removes or adds.
  const count = steps.reduce((sum, { bytes }) => sum + bytes.length / 2, 0);
  return checkedSnapshot(manifest, { from, changes: [], steps }, from.length + count, make);
}

/** The stored full hashes of a layer or of the base. */
export interface HashLayer {
  /** The hash of the object that names the shards. */
  readonly index: string;
  /**
   * The prefixes whose full hashes are all in this layer; `null` in the base, which has the full hashes of all other
   * prefixes.
   */
  readonly mentions: PrefixWords | null;
  /** The names of the shards. The number of shards is a power of two. */
  readonly shards: readonly string[];
}

/** The stored prefixes whose full hashes a layer has. The bytes may be transferred to another thread. */
export interface StoredMentions {
  readonly added: StoredObject | null;
  readonly changed: StoredObject | null;
}

/** Finds the prefixes whose full hashes a layer has, in this thread or another one. `entries` estimates the work. */
export type MakeMentions = (
  stored: StoredMentions,
  entries: number,
) => PrefixWords | Promise<PrefixWords>;

export function makeMentions({ added, changed }: StoredMentions, sha256?: Sha256): PrefixWords {
  return union(wordsIn(added, sha256), wordsIn(changed, sha256));
}

/**
 * The layers that have full hashes, the newest first; the base is the last one. Layers that are already known are
 * reused.
 *
 * A layer may have the same index of shards as a known older base. That base is not reused for the layer, because it
 * has no mentions.
 */
export async function loadHashLayers(
  storage: Storage,
  { base, layers }: Layers,
  known: readonly HashLayer[] = [],
  make: MakeMentions = (stored) => makeMentions(stored),
): Promise<HashLayer[]> {
  const loaded: HashLayer[] = [];
  for (const { added, changed, shards: index } of layers.toReversed()) {
    if (index === null) continue;
    const same = known.find((layer) => layer.index === index && layer.mentions !== null);
    if (same !== undefined) {
      loaded.push(same);
      continue;
    }
    const stored = {
      added: added && (await getPrefixes(storage, added)),
      changed: changed && (await getPrefixes(storage, changed)),
    };
    const mentions = await make(stored, (added?.count ?? 0) + (changed?.count ?? 0));
    loaded.push({ index, mentions, ...(await readShardIndex(storage, index)) });
  }
  const same = known.find(({ index }) => index === base.shards);
  const ofBase = same ?? (await readShardIndex(storage, base.shards));
  return [...loaded, { index: base.shards, mentions: null, shards: ofBase.shards }];
}

const NONE: Uint8Array = new Uint8Array(0);

/** The number of leading bits by which {@link fullHashesIn} splits the full hashes into chunks. */
export function pieceBits(hashLayers: readonly HashLayer[]): number {
  return Math.max(...hashLayers.map(({ shards }) => Math.log2(shards.length)));
}

/** Returns the bytes of a shard, from the store or from a server's cache. */
export type ReadShard = (name: string) => Promise<Uint8Array>;

/**
 * All full hashes of a list in ascending order, in chunks.
 *
 * Only one shard of each layer is in memory at a time.
 */
export async function* fullHashesIn(
  storage: Storage,
  words: PrefixWords,
  hashLayers: readonly HashLayer[],
  readShard: ReadShard = (name) => getShard(storage, name),
): AsyncGenerator<Uint8Array> {
  const bits = pieceBits(hashLayers);
  const read = hashLayers.map(() => ({ name: "", bytes: NONE }));
  for (let number = 0; number < 2 ** bits; number++) {
    const parts: Uint8Array[] = [];
    for (const [i, { shards }] of hashLayers.entries()) {
      const name = shards[Math.floor((number * shards.length) / 2 ** bits)]!;
      if (read[i]!.name !== name) read[i] = { name, bytes: await readShard(name) };
      parts.push(shardIn(read[i]!.bytes, number, bits));
    }
    yield hashesWith(words, parts);
  }
}

/** Throws `damaged` unless `count` is the number of full hashes in the manifest. */
export function checkCount({ contents, list, version }: Manifest, count: number): void {
  if (count === contents.fullHashes) return;
  throw new StoreError(
    "damaged",
    `Version ${version} of ${list} has ${count} full hashes, but its manifest says ${contents.fullHashes}`,
  );
}

/**
 * Merges the hashes whose first words are among `words`, in ascending order. `parts` has the same range of each layer,
 * the newest first. For each word, only the newest layer with that word counts, because it has all hashes that begin
 * with the word. Each part has one prefix of `prefixBytes` bytes for each full hash.
 */
export function hashesWith(
  words: PrefixWords,
  parts: readonly Uint8Array[],
  prefixBytes: number = FULL_HASH_BYTES,
): Uint8Array {
  let found = NONE;
  /** The words of newer layers. All hashes that begin with these words are in those layers. */
  let newer: PrefixWords = NO_WORDS;
  for (const [i, part] of parts.entries()) {
    const kept: Uint8Array[] = [];
    let onList = part.length === 0 ? 0 : countBelow(words, wordAt(part, 0));
    let onNewer = 0;
    /** The offset after the last hash that was left out. */
    let start = 0;
    for (let at = 0; at < part.length; at += prefixBytes) {
      const word = wordAt(part, at);
      while (onList < words.length && words[onList]! < word) onList++;
      while (onNewer < newer.length && newer[onNewer]! < word) onNewer++;
      const isOnList = onList < words.length && words[onList] === word;
      if (isOnList && (onNewer === newer.length || newer[onNewer] !== word)) continue;
      if (at > start) kept.push(part.subarray(start, at));
      start = at + prefixBytes;
    }
    if (part.length > start) kept.push(part.subarray(start));
    found = unionOfRows(found, kept.length === 1 ? kept[0]! : concatBytes(kept), prefixBytes);
    if (i === parts.length - 1) break;
    newer = union(newer, without(distinct(firstWords({ prefixBytes, rawHashes: part })), newer));
  }
  return found;
}

/** The shard with all full hashes that begin with a prefix, and the approximate index of the first of them. */
interface ShardOfPrefix {
  readonly shard: string;
  readonly guess: number;
}

/** Whether the words of a list contain the first four bytes of a prefix. */
export function hasPrefix(words: PrefixWords, prefix: Uint8Array): boolean {
  const word = wordAt(prefix, 0);
  return words[countBelow(words, word)] === word;
}

/** Finds the shard for a prefix of at least four bytes; `null` when its first four bytes are not on the list. */
export function shardOf(
  { words, hashLayers }: { words: PrefixWords; hashLayers: readonly HashLayer[] },
  prefix: Uint8Array,
): ShardOfPrefix | null {
  const word = wordAt(prefix, 0);
  const indexInList = countBelow(words, word);
  if (words[indexInList] !== word) return null;
  for (const { mentions, shards } of hashLayers) {
    // The base has no `mentions`. The prefixes of the list are used instead, because they are nearly the same.
    const of = mentions ?? words;
    const index = mentions === null ? indexInList : countBelow(mentions, word);
    if (of[index] !== word) continue;
    const number = shardNumber(prefix, 0, Math.log2(shards.length));
    const start = countBelow(of, (number / shards.length) * 2 ** 32);
    return { shard: shards[number]!, guess: index - start };
  }
  return null;
}

/** The prefixes of a version, with the places where they and its full hashes are stored. */
interface StoredVersion extends Snapshot {
  readonly layers: Layers;
  readonly hashLayers: readonly HashLayer[];
}

/** Reads the prefixes of a version, checks them against its manifest, and finds the places of its full hashes. */
export async function readVersion(
  storage: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<StoredVersion> {
  const layers = await readLayers(storage, manifest);
  const snapshot = await loadSnapshot(storage, manifest, layers, (parts) =>
    makeSnapshot(parts, sha256),
  );
  const hashLayers = await loadHashLayers(storage, layers, [], (stored) =>
    makeMentions(stored, sha256),
  );
  return { layers, ...snapshot, hashLayers };
}

/** The entries of a version, as kept in the store. */
export interface StoredContents {
  readonly fullHashes: readonly Uint8Array[];
}

/** Reads the entries of a version. Throws `missing` when garbage collection has deleted some of them. */
export async function readContents(storage: Storage, manifest: Manifest): Promise<StoredContents> {
  const { words, hashLayers } = await readVersion(storage, manifest);
  const fullHashes: Uint8Array[] = [];
  for await (const piece of fullHashesIn(storage, words, hashLayers)) fullHashes.push(piece);
  checkCount(
    manifest,
    fullHashes.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0),
  );
  return { fullHashes };
}

/** Finds which of the given full hashes are on the newest version of a list; `null` when there is no such list. */
export async function hashesOnList<Hash extends Uint8Array>(
  stored: StoredList,
  hashes: readonly Hash[],
): Promise<{ readonly manifest: Manifest; readonly found: readonly Hash[] } | null> {
  const { storage } = stored;
  const newest = await readNewest(stored);
  if (newest === null) return null;
  const { manifest } = newest;
  const version = await readVersion(storage, manifest);
  const found: Hash[] = [];
  for (const hash of hashes) {
    const place = shardOf(version, hash);
    if (place === null) continue;
    const shard = hashesIn(await getShard(storage, place.shard));
    if (findInShard(shard, hash, place.guess).length > 0) found.push(hash);
  }
  return { manifest, found };
}
