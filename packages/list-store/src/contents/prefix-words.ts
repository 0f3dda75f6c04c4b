import { type PrefixList, prefixList, rawHashesIn } from "@x/prefix-list";
import { firstWords } from "@x/prefix-list/raw-hashes";
import type { Sha256 } from "../objects.ts";
import { firstNotBelow } from "./search-hashes.ts";

/** The length in bytes of the prefixes in a store. Readers may keep longer ones. */
export const PREFIX_BYTES = 4;

/** The usual error of the second guess in a list of up to a million words. */
const FIRST_STEP = 16;

/** Hash prefixes of four bytes, as ascending numbers whose most significant byte comes first. */
export type PrefixWords = Uint32Array;

export const NO_WORDS: PrefixWords = new Uint32Array(0);

/** Removes repetitions from ascending words. */
export function distinct(words: PrefixWords): PrefixWords {
  return words.filter((word, index) => word !== words[index - 1]);
}

/** The first four bytes of a list's prefixes, as words. All prefixes must have the same length. */
export function wordsOf(list: PrefixList): PrefixWords {
  const [group] = rawHashesIn(list);
  if (group === undefined) return NO_WORDS;
  const words = firstWords(group);
  return group.prefixBytes === PREFIX_BYTES ? words : distinct(words);
}

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
