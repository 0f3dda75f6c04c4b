import { firstWords, wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import {
  type BlockLink,
  type BlockObjects,
  changeIn,
  checkAddsNothing,
  countsIn,
  isWritten,
  readBlock,
  type StoredObject,
  type WrittenLink,
} from "./block.ts";
import { concatBytes, decodeText, encodeText } from "./bytes.ts";
import { unionOfRows } from "./change.ts";
import { StoreError } from "./error.ts";
import { getShard, MAX_SHARD_BITS, shardIn, shardNumber } from "./full-hashes.ts";
import type { Manifest } from "./manifest.ts";
import { blocksTo, readSnapshot, type Snapshot } from "./snapshot.ts";
import { getObject, isHash, remembering, type Sha256, type Storage } from "./storage.ts";
import { countBelow, distinct, NO_WORDS, type PrefixWords, union, without } from "./words.ts";

/*
 * The contents of a version are those of its base, with the blocks from `base.version` on top. The newest block that
 * mentions a prefix has all full hashes with that prefix; if no block mentions it, the base has them. So a search reads
 * one shard. Shards may still have the full hashes of removed prefixes, so a search first looks the prefix up in the
 * list.
 */

/** The full hashes of a block, as an object of the store describes them. */
export interface BlockHashes {
  readonly count: number;
  /** Prefixes that the block does not change, but whose full hashes it has. */
  readonly others: readonly number[];
  /** The hash of the object with the rests of the full hashes. */
  readonly rests: string;
  /** The names of the shards, in ascending order of the full hashes in them. The number of shards is a power of two. */
  readonly shards: readonly string[];
}

/** The maximum length of the description of full hashes, in bytes. It has a name for each shard. */
const MAX_HASHES_BYTES = 2 ** MAX_SHARD_BITS * 80;

export function encodeHashes(hashes: BlockHashes): Uint8Array {
  return encodeText(`${JSON.stringify(hashes)}\n`);
}

export async function readHashes(storage: Storage, object: string): Promise<BlockHashes> {
  const text = decodeText(await getObject(storage, object, MAX_HASHES_BYTES));
  try {
    const { count, others, rests, shards } = JSON.parse(text) as BlockHashes;
    const isPower =
      Number.isInteger(Math.log2(shards.length)) && shards.length <= 2 ** MAX_SHARD_BITS;
    // Reading a list takes time for each shard.
    const areFilled = shards.length <= Math.max(1, count);
    const areWords = others.every(
      (word, i) => word >>> 0 === word && (i === 0 || word > others[i - 1]!),
    );
    if (
      isPower &&
      areFilled &&
      areWords &&
      Number.isSafeInteger(count) &&
      count >= 0 &&
      [rests, ...shards].every(isHash)
    ) {
      return { count, others, rests, shards };
    }
  } catch {
    // The error is thrown below.
  }
  throw new StoreError("damaged", `The object ${object} is damaged: it describes no full hashes`);
}

/** A block or a base, with the places of its full hashes. */
export interface HashBlock {
  /** The hash of the block. */
  readonly object: string;
  /** The version where the block begins; -1 in a base, which begins at nothing. */
  readonly after: number;
  /** The number of prefixes that the block removes, adds or mentions besides; 0 in a base. */
  readonly changed: number;
  /** The blocks that end where this one begins. */
  readonly links: readonly BlockLink[];
  /**
   * The prefixes whose full hashes are all in this block; `null` in the base, which has the full hashes of all other
   * prefixes.
   */
  readonly mentions: PrefixWords | null;
  /** The names of the shards. The number of shards is a power of two, or zero in a block without full hashes. */
  readonly shards: readonly string[];
}

/**
 * The prefixes that a block adds, and others whose full hashes it has. The bytes may be transferred to another thread.
 */
export interface StoredMentions {
  readonly block: StoredObject;
  readonly others: readonly number[];
}

/** Finds the prefixes whose full hashes a block has, in this thread or another one. `entries` estimates the work. */
export type MakeMentions = (
  stored: StoredMentions,
  entries: number,
) => PrefixWords | Promise<PrefixWords>;

export function makeMentions({ block, others }: StoredMentions): PrefixWords {
  const { added } = changeIn(block);
  return union(added, without(Uint32Array.from(others), added));
}

/** The blocks of a version from its base on, the newest first; the base is the last one. Known blocks are reused. */
export async function loadHashBlocks(
  storage: Storage,
  manifest: Manifest,
  known: readonly HashBlock[] = [],
  make: MakeMentions = makeMentions,
): Promise<HashBlock[]> {
  async function read({ object, bytes, hashes, after }: WrittenLink): Promise<HashBlock> {
    const same = known.find((block) => block.object === object && block.mentions !== null);
    if (same !== undefined) return same;
    const { stored, links } = await readBlock(storage, { object, bytes, hashes });
    const counts = countsIn(stored);
    const changed = counts.removed + counts.added;
    const place = { object, after, links };
    if (hashes === null) {
      checkAddsNothing(stored);
      return { ...place, changed, mentions: NO_WORDS, shards: [] };
    }
    const { others, shards } = await readHashes(storage, hashes);
    const mentions = await make({ block: stored, others }, bytes / 2 + others.length);
    return { ...place, changed: changed + others.length, mentions, shards };
  }
  const blocks = await blocksTo(manifest, read);
  const { object, hashes } = manifest.base;
  const same = known.find((block) => block.object === object && block.mentions === null);
  const { shards } = same ?? (await readHashes(storage, hashes));
  const base = { object, after: -1, changed: 0, links: [], mentions: null, shards };
  return [...blocks.map(({ block }) => block), base];
}

const NONE: Uint8Array = new Uint8Array(0);

/** The number of leading bits by which {@link fullHashesIn} splits the full hashes into chunks. */
export function pieceBits(hashBlocks: readonly Pick<HashBlock, "shards">[]): number {
  return Math.max(0, ...hashBlocks.map(({ shards }) => Math.log2(shards.length)));
}

/** Returns the bytes of a shard, from the store or from a server's cache. */
export type ReadShard = (name: string) => Promise<Uint8Array>;

/**
 * All full hashes of a list in ascending order, in chunks.
 *
 * Only one shard of each block is in memory at a time.
 */
export async function* fullHashesIn(
  storage: Storage,
  words: PrefixWords,
  hashBlocks: readonly Pick<HashBlock, "shards">[],
  readShard: ReadShard = (name) => getShard(storage, name),
): AsyncGenerator<Uint8Array> {
  const bits = pieceBits(hashBlocks);
  const read = hashBlocks.map(() => ({ name: "", bytes: NONE }));
  for (let number = 0; number < 2 ** bits; number++) {
    const parts: Uint8Array[] = [];
    for (const [i, { shards }] of hashBlocks.entries()) {
      if (shards.length === 0) continue;
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
 * Merges the hashes whose first words are among `words`, in ascending order. `parts` has the same range of each block,
 * the newest first. For each word, only the newest block with that word counts, because it has all hashes that begin
 * with the word. Each part has one prefix of `prefixBytes` bytes for each full hash.
 */
export function hashesWith(
  words: PrefixWords,
  parts: readonly Uint8Array[],
  prefixBytes: number = FULL_HASH_BYTES,
): Uint8Array {
  let found = NONE;
  /** The words of newer blocks. All hashes that begin with these words are in those blocks. */
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
  { words, hashBlocks }: { words: PrefixWords; hashBlocks: readonly HashBlock[] },
  prefix: Uint8Array,
): ShardOfPrefix | null {
  const word = wordAt(prefix, 0);
  const indexInList = countBelow(words, word);
  if (words[indexInList] !== word) return null;
  for (const { mentions, shards } of hashBlocks) {
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

/** The prefixes of a version, with the places of its full hashes. */
export interface StoredVersion extends Snapshot {
  readonly hashBlocks: readonly HashBlock[];
}

/** Reads the prefixes of a version, checks them against its manifest, and finds the places of its full hashes. */
export async function readVersion(
  files: Storage,
  manifest: Manifest,
  sha256?: Sha256,
): Promise<StoredVersion> {
  const storage = remembering(files);
  const snapshot = await readSnapshot(storage, manifest, sha256);
  return { ...snapshot, hashBlocks: await loadHashBlocks(storage, manifest) };
}

/** The entries of a version, as kept in the store. */
export interface StoredContents {
  readonly fullHashes: readonly Uint8Array[];
}

/** Reads the entries of a version. Throws `missing` when garbage collection has deleted some of them. */
export async function readContents(storage: Storage, manifest: Manifest): Promise<StoredContents> {
  const { words, hashBlocks } = await readVersion(storage, manifest);
  const fullHashes: Uint8Array[] = [];
  for await (const piece of fullHashesIn(storage, words, hashBlocks)) fullHashes.push(piece);
  checkCount(
    manifest,
    fullHashes.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0),
  );
  return { fullHashes };
}

/** Adds the hashes of blocks to a set, without their full hashes. */
export function addBlocks(hashes: Set<string>, { blocks }: Pick<Manifest, "blocks">): void {
  for (const { object } of blocks) if (object !== null) hashes.add(object);
}

/** Adds the hashes of all objects of a version to a set. */
export async function addContents(
  hashes: Set<string>,
  storage: Storage,
  manifest: Manifest,
): Promise<void> {
  async function add({ object, hashes: described }: BlockObjects): Promise<void> {
    hashes.add(object);
    if (described === null || hashes.has(described)) return;
    const { rests, shards } = await readHashes(storage, described);
    for (const each of [described, rests, ...shards]) hashes.add(each);
  }
  for (const block of [manifest.base, ...manifest.blocks.filter(isWritten)]) await add(block);
  await blocksTo(manifest, async (link) => {
    await add(link);
    return readBlock(storage, link);
  });
}
