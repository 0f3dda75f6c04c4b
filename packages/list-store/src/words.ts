import { type PrefixList, prefixList } from "@x/prefix-list";
import { firstWords, rawHashesInPart } from "@x/prefix-list/raw-hashes";
import type { Sha256 } from "./storage.ts";

/** The length in bytes of the prefixes in a store. Readers may keep longer ones. */
export const PREFIX_BYTES = 4;

/** The usual error of the second guess in a list of up to a million words. */
const FIRST_STEP = 16;

/** Hash prefixes of four bytes, as ascending numbers whose most significant byte comes first. */
export type PrefixWords = Uint32Array;

export const NO_WORDS: PrefixWords = new Uint32Array(0);

/** Removes repetitions from ascending words, in their own memory. */
export function distinct(words: PrefixWords): PrefixWords {
  // `filter` would take twelve times the memory of the words.
  let used = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (used === 0 || words[used - 1] !== word) words[used++] = word;
  }
  return words.subarray(0, used);
}

/** The first four bytes of a list's prefixes, as words. All prefixes must have the same length. */
export function wordsOf(list: PrefixList): PrefixWords {
  const words = new Uint32Array(list.size);
  const bits = list.size < 2 ** PART_BITS ? 0 : PART_BITS;
  let used = 0;
  for (let part = 0; part < 2 ** bits; part++) {
    for (const group of rawHashesInPart(list, part, bits)) {
      words.set(firstWords(group), used);
      used += group.rawHashes.length / group.prefixBytes;
    }
  }
  return distinct(words);
}

/** A long list is split into 2 to the power of this many parts, because its prefixes take much memory. */
const PART_BITS = 8;

/** Converts words into bytes, the most significant byte first. */
export function bytesOf(words: PrefixWords): Uint8Array {
  const bytes = new Uint8Array(words.length * PREFIX_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * PREFIX_BYTES, words[i]!);
  return bytes;
}

/** Makes a prefix list from words. `created` is in milliseconds since 1970. */
export function listOfWords(
  words: PrefixWords,
  name: string,
  created: number,
  sha256?: Sha256,
): PrefixList {
  const batches =
    words.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes: bytesOf(words) }];
  return prefixList(batches, { name, created, sha256 });
}

/** The number of ascending words that are less than `word`. */
export function countBelow(words: PrefixWords, word: number): number {
  const wordsPerValue = words.length / 2 ** 32;
  const guess = Math.min(words.length - 1, Math.floor(word * wordsPerValue));
  // The word at the first guess shows how far away the right index is.
  const better = guess < 0 ? 0 : guess + (word - words[guess]!) * wordsPerValue;
  return firstNotBelow(words.length, better, (index) => words[index]! < word, FIRST_STEP);
}

/** Operations on sets of prefixes in one form, such as words. All sets are in ascending order. */
export interface SetOperations<Part> {
  /** The empty set. */
  readonly none: Part;
  /** The prefixes of `a` that are not in `b`. */
  without(a: Part, b: Part): Part;
  /** The union of two sets that have no prefixes in common. */
  union(a: Part, b: Part): Part;
}

/**
 * The words of `a` that are not in `b`. The function never reads beyond the end of an array, because that would double
 * its time.
 */
export function without(a: PrefixWords, b: PrefixWords): PrefixWords {
  const rest = new Uint32Array(a.length);
  let used = 0;
  let at = 0;
  for (let i = 0; i < a.length; i++) {
    const word = a[i]!;
    while (at < b.length && b[at]! < word) at++;
    if (at === b.length || b[at] !== word) rest[used++] = word;
  }
  return rest.subarray(0, used);
}

/** The words that are in both `a` and `b`. */
export function common(a: PrefixWords, b: PrefixWords): PrefixWords {
  return without(a, without(a, b));
}

/** Merges two ascending sequences that have no words in common. */
export function union(a: PrefixWords, b: PrefixWords): PrefixWords {
  const all = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0; i + j < all.length; ) {
    const takesA = j === b.length || (i < a.length && a[i]! < b[j]!);
    all[i + j] = takesA ? a[i++]! : b[j++]!;
  }
  return all;
}

export const WORD_SETS: SetOperations<PrefixWords> = { none: NO_WORDS, without, union };

/**
 * The index of the first of `count` ascending items that is not below the one searched for; `count` when all are below.
 *
 * Hashes are spread evenly, so `guess` is nearly right. The search starts at `guess`, with steps that double, and reads
 * only a few memory locations. `firstStep` is the usual error of the guess. After a bad guess, the search takes about
 * twice as many steps as a binary search.
 */
export function firstNotBelow(
  count: number,
  guess: number,
  isBelow: (index: number) => boolean,
  firstStep: number = 1 + (Math.sqrt(count) >>> 1),
): number {
  let low = Math.min(count, Math.max(0, Math.floor(guess)));
  for (let step = firstStep; low > 0 && !isBelow(low - 1); step *= 2) low = Math.max(0, low - step);
  let high = low;
  for (let step = firstStep; high < count && isBelow(high); step *= 2) {
    low = high + 1;
    high = Math.min(count, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
