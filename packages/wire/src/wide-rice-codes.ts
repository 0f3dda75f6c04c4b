import { viewOf } from "@x/prefix-list/raw-hashes";
import { littleEndianWords, riceParameterFor } from "@x/prefix-list/rice";
import { WireError } from "./error.ts";
import { checkCount, WORD_BYTES } from "./rice-codes.ts";

/*
 * Rice codes of 64-, 128- and 256-bit numbers: hash prefixes of 8, 16 and 32 bytes, read as big-endian numbers.
 *
 * A number is a sequence of 32-bit words, the most significant first. The Rice parameter is larger than the number of
 * bits in all words but the first. A code starts with the quotient in unary, and the remainder follows: all words but
 * the first in full, in reverse order, and then the low bits of the first word, as many as the parameter leaves for it.
 *
 * See Safe Browsing v5, RiceDeltaEncoded64Bit, RiceDeltaEncoded128Bit and RiceDeltaEncoded256Bit.
 */

const WORD_BITS = 32;
const WORD = 2 ** WORD_BITS;
/** The minimum and maximum number of bits of the first word in the remainder. */
const MIN_FIRST_BITS = 3;
const MAX_FIRST_BITS = 30;
/** The maximum length of the codes in bytes. Bit indices must fit in 32 bits. */
const MAX_CODED_BYTES = 2 ** 29 - 1;

/** Encoded hash prefixes: the first prefix, followed by the codes of the differences between neighbours. */
interface WideRice {
  /** The first hash prefix. */
  readonly first: Uint8Array;
  readonly riceParameter: number;
  /** One less than the number of hash prefixes. */
  readonly entriesCount: number;
  readonly encodedData: Uint8Array;
}

/** Decodes hash prefixes. Throws unless they are in ascending order without duplicates. */
export function decodeWide(coded: WideRice, maxEntries: number): Uint8Array {
  const { first, riceParameter, entriesCount, encodedData } = coded;
  const prefixBytes = first.length;
  const wordsEach = prefixBytes / WORD_BYTES;
  const firstBits = riceParameter - (wordsEach - 1) * WORD_BITS;
  if (firstBits < MIN_FIRST_BITS || firstBits > MAX_FIRST_BITS) {
    throw new WireError("rice-parameter-wrong");
  }
  checkCount(entriesCount, riceParameter, encodedData, maxEntries);
  const bitCount = encodedData.length * 8;
  const words = littleEndianWords(encodedData);
  const rawHashes = new Uint8Array((entriesCount + 1) * prefixBytes);
  const view = viewOf(rawHashes);
  rawHashes.set(first);
  const damaged = () => new WireError("rice-data-damaged");
  if (encodedData.length > MAX_CODED_BYTES) throw damaged();
  const maxQuotient = 2 ** (WORD_BITS - firstBits) - 1;
  const mask = 2 ** firstBits - 1;
  let bit = 0;
  /** The next 32 bits. The shift is done in two steps, because JavaScript treats a shift by 32 as a shift by 0. */
  const peek = () => {
    const at = bit >>> 5;
    const inside = bit & 31;
    return (words[at]! >>> inside) | ((words[at + 1]! << 1) << (31 - inside));
  };
  for (let i = 1; i <= entriesCount; i++) {
    let quotient = 0;
    let window = peek();
    while (window === -1) {
      quotient += WORD_BITS;
      bit += WORD_BITS;
      if (quotient > maxQuotient || bit > bitCount) throw damaged();
      window = peek();
    }
    const ones = 31 - Math.clz32(~window & (window + 1));
    quotient += ones;
    bit += ones + 1;
    if (quotient > maxQuotient || bit + riceParameter > bitCount) throw damaged();
    const at = i * prefixBytes;
    let carry = 0;
    let isZero = quotient === 0;
    for (let word = wordsEach - 1; word >= 0; word--) {
      const whole = peek() >>> 0;
      const delta = word > 0 ? whole : quotient * 2 ** firstBits + (whole & mask);
      bit += word > 0 ? WORD_BITS : firstBits;
      isZero &&= delta === 0;
      const sum = view.getUint32(at - prefixBytes + word * WORD_BYTES) + delta + carry;
      carry = sum >= WORD ? 1 : 0;
      view.setUint32(at + word * WORD_BYTES, sum);
    }
    if (carry > 0) throw damaged();
    if (isZero) throw new WireError("additions-unordered");
  }
  // Fewer than 8 bits may follow the codes, and all of them must be 0.
  if (bitCount - bit >= 8 || (bit < bitCount && encodedData.at(-1)! >>> (bit & 7) !== 0)) {
    throw damaged();
  }
  return rawHashes;
}

/** Writes the words of the difference between the prefix at byte `at` and the one before it. */
function difference(view: DataView, at: number, prefixBytes: number, words: Uint32Array): void {
  let borrow = 0;
  for (let word = words.length - 1; word >= 0; word--) {
    const here = at + word * WORD_BYTES;
    const value = view.getUint32(here) - view.getUint32(here - prefixBytes) - borrow;
    borrow = value < 0 ? 1 : 0;
    words[word] = value;
  }
}

/** Encodes ascending hash prefixes of 8, 16 or 32 bytes; there must be at least one. */
export function encodeWide(prefixBytes: number, rawHashes: Uint8Array): WideRice {
  const view = viewOf(rawHashes);
  const wordsEach = prefixBytes / WORD_BYTES;
  const entriesCount = rawHashes.length / prefixBytes - 1;
  const range = view.getUint32(rawHashes.length - prefixBytes) - view.getUint32(0);
  const firstBits = riceParameterFor(entriesCount, range);
  const riceParameter = firstBits + (wordsEach - 1) * WORD_BITS;
  const delta = new Uint32Array(wordsEach);
  let bits = entriesCount * (riceParameter + 1);
  for (let at = prefixBytes; at < rawHashes.length; at += prefixBytes) {
    difference(view, at, prefixBytes, delta);
    bits += delta[0]! >>> firstBits;
  }
  const words = new Uint32Array(Math.ceil(bits / WORD_BITS) + 1);
  let bit = 0;
  /** Writes a number that fits in `length` bits, 1 to 32. */
  const put = (value: number, length: number) => {
    const at = bit >>> 5;
    const inside = bit & 31;
    words[at]! |= value << inside;
    if (inside > 0) words[at + 1]! |= value >>> (WORD_BITS - inside);
    bit += length;
  };
  for (let at = prefixBytes; at < rawHashes.length; at += prefixBytes) {
    difference(view, at, prefixBytes, delta);
    for (let ones = delta[0]! >>> firstBits; ones > 0; ones -= WORD_BITS) {
      const length = Math.min(ones, WORD_BITS);
      put(2 ** length - 1, length);
    }
    put(0, 1);
    for (let word = wordsEach - 1; word > 0; word--) put(delta[word]!, WORD_BITS);
    put(delta[0]! & (2 ** firstBits - 1), firstBits);
  }
  const coded = new Uint8Array(words.length * WORD_BYTES);
  const out = viewOf(coded);
  for (let i = 0; i < words.length; i++) out.setUint32(i * WORD_BYTES, words[i]!, true);
  return {
    first: rawHashes.slice(0, prefixBytes),
    riceParameter,
    entriesCount,
    encodedData: coded.subarray(0, Math.ceil(bits / 8)),
  };
}
