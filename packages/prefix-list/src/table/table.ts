import { countOf, putRests, type RawHashes, restsOf } from "../raw-hashes/raw-hashes.ts";
import { viewOf, WORD_BYTES } from "../raw-hashes/words.ts";

/**
 * The prefixes of one length, in a form made for searching. The fields may change with any version, so read lists with
 * the functions of this package.
 *
 * The prefixes are sorted and grouped into buckets by the most significant bits of their first words (their first four
 * bytes as a number). A large table has a bucket for each value of the upper 16 bits, and keeps only the lower 16 bits
 * of each first word.
 */
export interface PrefixTable {
  /** The prefix length in bytes. */
  readonly prefixBytes: number;
  /** The number of prefixes. */
  readonly size: number;
  /** How far a first word is shifted to the right to give its bucket. */
  readonly shift: number;
  /** The index at which each bucket begins and, at the end, the index at which the last one ends. */
  readonly buckets: Uint32Array;
  /** The lower halves of the first words; empty in a small table. */
  readonly halves: Uint16Array;
  /** The first words; empty in a large table. */
  readonly words: Uint32Array;
  /** For each prefix, the bytes after the first four. */
  readonly rests: Uint8Array;
}

/** In smaller tables, 4 bytes per word and few buckets take less memory than 2 bytes and 65 536 buckets. */
const LARGE_TABLE_SIZE = 2 ** 17;
/** A large table splits each first word into two halves. The upper half is the index of its bucket. */
export const HALF_BITS = 16;
const WORD_BITS = 32;
/**
 * In a small table, buckets hold 8 to 16 prefixes on average, so that they add at most about half a byte per prefix.
 */
const SMALL_BUCKET_BITS = 3;

function bucketBits(size: number): number {
  if (size >= LARGE_TABLE_SIZE) return HALF_BITS;
  return Math.max(1, Math.floor(Math.log2(size)) - SMALL_BUCKET_BITS);
}

/** Makes the table of sorted prefixes without duplicates. */
export function tableOf(group: RawHashes): PrefixTable {
  const { prefixBytes, rawHashes } = group;
  const size = countOf(group);
  const bits = bucketBits(size);
  const large = bits === HALF_BITS;
  const shift = WORD_BITS - bits;
  const buckets = new Uint32Array(2 ** bits + 1);
  const halves = new Uint16Array(large ? size : 0);
  const words = new Uint32Array(large ? 0 : size);
  const view = viewOf(rawHashes);
  for (let i = 0; i < size; i++) {
    const word = view.getUint32(i * prefixBytes);
    buckets[(word >>> shift) + 1]!++;
    if (large) halves[i] = word;
    else words[i] = word;
  }
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  return { prefixBytes, size, shift, buckets, halves, words, rests: restsOf(group) };
}

/** A copy of the sorted prefixes of a table, one after the other. */
export function rawHashesOf(table: PrefixTable): RawHashes {
  const { prefixBytes, size, buckets, halves, words, rests } = table;
  const rawHashes = new Uint8Array(size * prefixBytes);
  const view = viewOf(rawHashes);
  let bucket = 0;
  for (let i = 0; i < size; i++) {
    while (buckets[bucket + 1]! <= i) bucket++;
    const word = halves.length > 0 ? (bucket << HALF_BITS) | halves[i]! : words[i]!;
    view.setUint32(i * prefixBytes, word);
  }
  putRests({ prefixBytes, rawHashes }, rests);
  return { prefixBytes, rawHashes };
}

/** Whether a table still has all its memory. Its buffers may have been transferred to another thread. */
export function isWhole(table: PrefixTable): boolean {
  const { prefixBytes, size, shift, buckets, halves, words, rests } = table;
  const large = shift === HALF_BITS;
  return (
    size > 0 &&
    buckets.length === 2 ** (WORD_BITS - shift) + 1 &&
    halves.length === (large ? size : 0) &&
    words.length === (large ? 0 : size) &&
    rests.length === size * (prefixBytes - WORD_BYTES)
  );
}
