import {
  compareBytes,
  countOf,
  putRests,
  type RawHashes,
  restsOf,
  viewOf,
  WORD_BYTES,
} from "./raw-hashes/raw-hashes.ts";

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
  /** The number of bits by which a first word is shifted to the right to give its bucket. */
  readonly shift: number;
  /** The index at which each bucket begins and, as the last element, the index at which the last bucket ends. */
  readonly buckets: Uint32Array;
  /** The lower halves of the first words. Empty in a small table. */
  readonly halves: Uint16Array;
  /** The first words. Empty in a large table. */
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

/** The number of bits by which first words are shifted in a table of this size. */
export function shiftFor(size: number): number {
  return WORD_BITS - bucketBits(size);
}

type ArrayName = "buckets" | "halves" | "words" | "rests";

/** The lengths of the arrays of a table. */
export function arrayLengths({
  prefixBytes,
  size,
  shift,
}: Omit<PrefixTable, ArrayName>): Record<ArrayName, number> {
  const large = shift === HALF_BITS;
  return {
    buckets: 2 ** (WORD_BITS - shift) + 1,
    halves: large ? size : 0,
    words: large ? 0 : size,
    rests: size * (prefixBytes - WORD_BYTES),
  };
}

/** Makes the table of sorted prefixes without duplicates. */
export function tableOf(group: RawHashes): PrefixTable {
  const { prefixBytes, rawHashes } = group;
  const size = countOf(group);
  const shift = shiftFor(size);
  const lengths = arrayLengths({ prefixBytes, size, shift });
  const buckets = new Uint32Array(lengths.buckets);
  const halves = new Uint16Array(lengths.halves);
  const words = new Uint32Array(lengths.words);
  const large = halves.length > 0;
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
  const { size, buckets, halves, words, rests } = table;
  const lengths = arrayLengths(table);
  return (
    size > 0 &&
    buckets.length === lengths.buckets &&
    halves.length === lengths.halves &&
    words.length === lengths.words &&
    rests.length === lengths.rests
  );
}

/**
 * The index of the first prefix that is in the wrong bucket or does not sort after the one before it, or -1 when there
 * is none.
 */
export function misplacedAt(table: PrefixTable): number {
  const { size, buckets, halves, words } = table;
  const large = halves.length > 0;
  let at = 0;
  for (let bucket = 0; bucket < buckets.length - 1; bucket++) {
    const end = buckets[bucket + 1]!;
    if (buckets[bucket] !== at || end < at || end > size) return at;
    let before = -1;
    for (; at < end; at++) {
      const word = large ? halves[at]! : words[at]!;
      if (!large && word >>> table.shift !== bucket) return at;
      if (word < before || (word === before && !isRestAfter(table, at))) return at;
      before = word;
    }
  }
  return at === size ? -1 : at;
}

/** Whether the bytes after the first four of the prefix at `at` sort after those of the prefix before. */
function isRestAfter({ prefixBytes, rests }: PrefixTable, at: number): boolean {
  const restBytes = prefixBytes - WORD_BYTES;
  const from = at * restBytes;
  return compareBytes(rests, from - restBytes, rests, from, restBytes) < 0;
}
