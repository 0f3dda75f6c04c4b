import { firstWords, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "../bytes.ts";
import { StoreError } from "../error.ts";
import type { Manifest } from "../manifest.ts";
import type { Sha256 } from "../objects.ts";
import type { Storage } from "../storage.ts";
import type { Layers } from "./layers.ts";
import { countBelow, distinct, NO_WORDS, type PrefixWords } from "./prefix-words.ts";
import { unionOfRows } from "./row-sets.ts";
import { readShardIndex } from "./shard-index.ts";
import { getShard } from "./shard-size.ts";
import { shardIn } from "./split-into-shards.ts";
import { getPrefixes, type StoredObject, wordsIn } from "./stored-prefixes.ts";
import { union, without } from "./word-sets.ts";

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
