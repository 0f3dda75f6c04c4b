import { type PrefixList, prefixList, rawHashesIn } from "@x/prefix-list";
import { firstNotBelow } from "./search-hashes.ts";

/** The length in bytes of the prefixes that clients keep. */
export const PREFIX_BYTES = 4;

/** How far away the second guess usually is in a million words, or less. */
const FIRST_STEP = 16;

/** Hash prefixes of four bytes as ascending numbers, most significant byte first. */
export type PrefixWords = Uint32Array;

/** The prefixes of a list of four-byte prefixes as words. */
export function wordsOf(list: PrefixList): PrefixWords {
  const [batch] = rawHashesIn(list);
  if (batch === undefined) return new Uint32Array(0);
  return readWords(batch.rawHashes, PREFIX_BYTES);
}

/** The four bytes at an offset as a word. */
export function wordAt(bytes: Uint8Array, offset: number): number {
  const [a, b, c, d] = [bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!, bytes[offset + 3]!];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The first four bytes of each hash of `hashBytes` bytes as a word. */
export function readWords(hashes: Uint8Array, hashBytes: number): PrefixWords {
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  const words = new Uint32Array(hashes.length / hashBytes);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * hashBytes);
  return words;
}

/** The bytes of words, most significant byte first. */
export function bytesOf(words: PrefixWords): Uint8Array {
  const bytes = new Uint8Array(words.length * PREFIX_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint32(i * PREFIX_BYTES, words[i]!);
  return bytes;
}

/** The list of words, under a name and time. */
export function listOfWords(words: PrefixWords, name: string, created: number): PrefixList {
  const batches =
    words.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes: bytesOf(words) }];
  return prefixList(batches, { name, created });
}

/** How many of the ascending words are less than `word`. */
export function countBelow(words: PrefixWords, word: number): number {
  const wordsPerValue = words.length / 2 ** 32;
  const guess = Math.min(words.length - 1, Math.floor(word * wordsPerValue));
  // The word at the first guess says how far away the right index is.
  const better = guess < 0 ? 0 : guess + (word - words[guess]!) * wordsPerValue;
  return firstNotBelow(words.length, better, (index) => words[index]! < word, FIRST_STEP);
}
