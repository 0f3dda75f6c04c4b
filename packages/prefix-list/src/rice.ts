import { viewOf, WORD_BYTES } from "./word.ts";

/*
 * Ascending numbers below 2^32 as the Rice codes of their gaps: a gap is cut into its `parameter` low bits
 * and the rest; the rest is written in unary, so many 0 bits and a 1, then the low bits. The first bit of an
 * octet is its most significant; the last octet is filled with 0 bits. For the gaps of hashes, which are
 * geometrically distributed, no other code of whole bits is shorter by more than a hundredth.
 */

/** Ascending numbers in the coded form; `parameter` is the number of low bits. */
export interface RiceCoded {
  readonly parameter: number;
  readonly octets: Uint8Array;
}

/** With it no gap below 2^32 takes more than two bits of unary. */
export const MAX_RICE_PARAMETER = 31;
const WORD_BITS = 32;
const OCTET_BITS = 8;
const MAX_WORD = 0xffffffff;

/** The bits that the numbers take with a parameter. A gap is counted from `least`, the smallest there can be. */
function codedBits(words: Uint32Array, least: number, parameter: number): number {
  let previous = -least;
  let unary = 0;
  for (let i = 0; i < words.length; i++) {
    unary += (words[i]! - previous - least) >>> parameter;
    previous = words[i]!;
  }
  return unary + words.length * (1 + parameter);
}

/** The parameter of the fewest bits, the least of them: the logarithm of the mean gap times ln 2, or beside it. */
function bestParameter(words: Uint32Array, least: number): { parameter: number; bits: number } {
  const mean = words.length === 0 ? 1 : (words[words.length - 1]! + 1) / words.length;
  const middle = Math.min(MAX_RICE_PARAMETER, Math.max(0, Math.round(Math.log2(mean * Math.LN2))));
  let best = { parameter: middle, bits: Number.POSITIVE_INFINITY };
  for (const parameter of [middle - 1, middle, middle + 1]) {
    if (parameter < 0 || parameter > MAX_RICE_PARAMETER) continue;
    const bits = codedBits(words, least, parameter);
    if (bits < best.bits) best = { parameter, bits };
  }
  return best;
}

/** The coded form of ascending numbers; `strict` when no two are equal. */
export function riceEncode(words: Uint32Array, strict: boolean): RiceCoded {
  const least = strict ? 1 : 0;
  const { parameter, bits } = bestParameter(words, least);
  const octets = new Uint8Array(Math.ceil(bits / OCTET_BITS));
  let at = 0;
  let free = OCTET_BITS;
  let previous = -least;
  for (let i = 0; i < words.length; i++) {
    const gap = words[i]! - previous - least;
    previous = words[i]!;
    const zeros = OCTET_BITS - free + (gap >>> parameter);
    at += zeros >>> 3;
    free = OCTET_BITS - (zeros & 7);
    // The stop bit and the low bits are one number of at most 32 bits.
    const code = ((1 << parameter) | (gap & ((1 << parameter) - 1))) >>> 0;
    let left = parameter + 1;
    while (left >= free) {
      left -= free;
      octets[at]! |= code >>> left;
      at++;
      free = OCTET_BITS;
    }
    octets[at]! |= code << (free - left);
    free -= left;
  }
  return { parameter, octets };
}

/** The octets as words, the first octet the most significant, and two words of 0 after them. */
function wordsOf(octets: Uint8Array): Uint32Array {
  const whole = octets.length >>> 2;
  const words = new Uint32Array(whole + 3);
  const view = viewOf(octets);
  for (let i = 0; i < whole; i++) words[i] = view.getUint32(i * WORD_BYTES);
  for (let i = whole * WORD_BYTES; i < octets.length; i++) {
    words[whole]! |= octets[i]! << (WORD_BITS - OCTET_BITS - (i % WORD_BYTES) * OCTET_BITS);
  }
  return words;
}

/**
 * The `count` numbers of the coded form; or, as a number, the octet at which it breaks its rules: a number
 * beyond 2^32, an end too early or too late, or filling that is not 0.
 */
export function riceDecode(
  { parameter, octets }: RiceCoded,
  count: number,
  strict: boolean,
): Uint32Array | number {
  const input = wordsOf(octets);
  const words = new Uint32Array(count);
  const least = strict ? 1 : 0;
  const scale = 2 ** parameter;
  const lowShift = WORD_BITS - parameter;
  let value = -least;
  let word = 0;
  let bit = 0;
  for (let i = 0; i < count; i++) {
    // The next 32 bits; two shifts, since one by 32 would be one by 0.
    let window = (input[word]! << bit) | ((input[word + 1]! >>> 1) >>> (31 - bit));
    let unary = 0;
    while (window === 0) {
      unary += WORD_BITS;
      word++;
      if (word * WORD_BYTES >= octets.length) return octets.length;
      window = (input[word]! << bit) | ((input[word + 1]! >>> 1) >>> (31 - bit));
    }
    const zeros = Math.clz32(window);
    unary += zeros;
    bit += zeros + 1;
    let low = 0;
    if (parameter > 0) {
      if (zeros + 1 + parameter <= WORD_BITS) {
        low = (window << (zeros + 1)) >>> lowShift;
      } else {
        const at = word + (bit >>> 5);
        const inside = bit & 31;
        low = ((input[at]! << inside) | ((input[at + 1]! >>> 1) >>> (31 - inside))) >>> lowShift;
      }
      bit += parameter;
    }
    word += bit >>> 5;
    bit &= 31;
    value += unary * scale + low + least;
    if (value > MAX_WORD || word * WORD_BYTES > octets.length) {
      return Math.min(octets.length, word * WORD_BYTES);
    }
    words[i] = value;
  }
  const usedBits = word * WORD_BITS + bit;
  const usedOctets = Math.ceil(usedBits / OCTET_BITS);
  if (usedOctets !== octets.length) return Math.min(octets.length, usedOctets);
  const filling = octets.length * OCTET_BITS - usedBits;
  if (filling > 0 && (octets[octets.length - 1]! & ((1 << filling) - 1)) !== 0) {
    return octets.length - 1;
  }
  return words;
}
