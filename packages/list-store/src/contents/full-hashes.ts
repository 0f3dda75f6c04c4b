import { compareBytes, sortPrefixes } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { decodeText, encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { getObject, hashesOf } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import { firstNotBelow } from "./search-hashes.ts";

/*
 * The full hashes of a list are cut into shards by their first bits, so that a search reads one small object. An
 * index object names the shards in order.
 */

/** The maximum number of full hashes in a shard, if hashes are spread evenly: one megabyte. */
const SHARD_HASHES = 2 ** 15;
/** Far more bytes than there are in a shard. */
export const MAX_SHARD_BYTES: number = 2 ** 25;
/** Two bytes of a hash are enough for 2 billion hashes. */
const MAX_SHARD_BITS = 16;
/** The maximum length of an index in bytes: a line for each shard. */
const MAX_INDEX_BYTES = 2 ** MAX_SHARD_BITS * 80;

/** The names of the shards, in the order of their hashes. The number of shards is a power of two. */
export interface ShardIndex {
  readonly shards: readonly string[];
}

/** Full hashes in memory, in ascending order and cut into shards. */
export interface Shards {
  readonly bits: number;
  readonly parts: readonly Uint8Array[];
  readonly count: number;
}

function shardBits(count: number): number {
  return Math.min(MAX_SHARD_BITS, Math.max(0, Math.ceil(Math.log2(count / SHARD_HASHES))));
}

/** The number of the shard, of 2 to the `bits`, for the hash or prefix at an offset. */
export function shardNumber(hash: Uint8Array, offset: number, bits: number): number {
  return ((hash[offset]! << 8) | hash[offset + 1]!) >>> (MAX_SHARD_BITS - bits);
}

/** Full hashes in ascending order, each once. */
function sortAndFold(rawHashes: Uint8Array<ArrayBuffer>): Uint8Array {
  return sortPrefixes({ prefixBytes: FULL_HASH_BYTES, rawHashes }).rawHashes;
}

const WORD_BYTES: number = Uint32Array.BYTES_PER_ELEMENT;
const FULL_HASH_WORDS = FULL_HASH_BYTES / WORD_BYTES;

/** Bytes as words in the byte order of the machine: hashes are copied faster word by word. */
function inWords(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % WORD_BYTES === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / WORD_BYTES);
}

/** Sorts full hashes, removes duplicates, and cuts them into shards. The pieces may have any length. */
export function shardsOf(pieces: readonly Uint8Array[]): Shards {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const bits = shardBits(bytes / FULL_HASH_BYTES);
  const lengths = new Float64Array(2 ** bits);
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += FULL_HASH_BYTES) {
      lengths[shardNumber(piece, at, bits)]! += FULL_HASH_WORDS;
    }
  }
  const unsorted = Array.from(lengths, (length) => new Uint32Array(length));
  lengths.fill(0);
  for (const piece of pieces) {
    const words = inWords(piece);
    for (let at = 0; at < words.length; at += FULL_HASH_WORDS) {
      const shard = shardNumber(piece, at * WORD_BYTES, bits);
      const to = unsorted[shard]!;
      const end = lengths[shard]!;
      for (let k = 0; k < FULL_HASH_WORDS; k++) to[end + k] = words[at + k]!;
      lengths[shard] = end + FULL_HASH_WORDS;
    }
  }
  // Each unsorted shard is dropped when it is sorted, so the memory is not needed twice.
  const parts: Uint8Array[] = [];
  for (let i = 0; i < unsorted.length; i++) {
    parts.push(sortAndFold(new Uint8Array(unsorted[i]!.buffer)));
    unsorted[i] = new Uint32Array(0);
  }
  const count = parts.reduce((sum, { length }) => sum + length / FULL_HASH_BYTES, 0);
  return { bits, parts, count };
}

export function encodeShardIndex(index: ShardIndex): Uint8Array {
  return encodeText(`${JSON.stringify(index, null, 2)}\n`);
}

/** The shard index in an object. */
export async function readShardIndex(storage: Storage, hash: string): Promise<ShardIndex> {
  const text = decodeText(await getObject(storage, hash, MAX_INDEX_BYTES));
  try {
    const { shards } = JSON.parse(text) as ShardIndex;
    const isPower =
      Number.isInteger(Math.log2(shards.length)) && shards.length <= 2 ** MAX_SHARD_BITS;
    if (isPower && shards.every((shard) => /^[0-9a-f]{64}$/.test(shard))) return { shards };
  } catch {
    // Below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of shards`);
}

/** Computes the names of shards without storing them. */
export async function shardIndexOf({ parts }: Shards): Promise<ShardIndex> {
  return { shards: await hashesOf(parts) };
}

/**
 * The full hashes in a shard that begin with a prefix, each as a view of the shard's memory. `guess` is about the
 * index of the first one.
 */
export function findInShard(shard: Uint8Array, prefix: Uint8Array, guess: number): Uint8Array[] {
  const start = firstNotBelow(
    shard.length / FULL_HASH_BYTES,
    guess,
    (index) => compareBytes(shard, index * FULL_HASH_BYTES, prefix, 0, prefix.length) < 0,
    1,
  );
  const found: Uint8Array[] = [];
  for (let at = start * FULL_HASH_BYTES; at < shard.length; at += FULL_HASH_BYTES) {
    if (compareBytes(shard, at, prefix, 0, prefix.length) !== 0) break;
    found.push(shard.subarray(at, at + FULL_HASH_BYTES));
  }
  return found;
}
