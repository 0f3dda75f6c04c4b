import { viewOf } from "./word.ts";

/*
 * Ascending numbers below 2^32 as the Rice codes of their gaps: a gap is cut into its `parameter` low bits
 * and the rest; the rest is written in unary, so many 0 bits and a 1, then the low bits. The first bit of an
 * octet is its most significant; the last octet is filled with 0 bits. For the gaps of hashes, which are
 * geometrically distributed, nothing that codes each by itself is shorter by more than a hundredth.
 */

/** Ascending numbers in the coded form; `parameter` is the number of low bits. */
export interface RiceCoded {
  readonly parameter: number;
  readonly octets: Uint8Array;
}

/** The largest parameter: with it no number below 2^32 needs more than one bit of unary and its stop. */
export const MAX_RICE_PARAMETER = 31;

/** What a gap is counted from: equal neighbours have the gap 0 where they may be equal, and -1 where not. */
function gapLess(strict: boolean): number {
  return strict ? 1 : 0;
}

/** The bits that the numbers take with a parameter. */
function codedBits(words: Uint32Array, strict: boolean, parameter: number): number {
  const less = gapLess(strict);
  let previous = -less;
  let unary = 0;
  for (let i = 0; i < words.length; i++) {
    unary += (words[i]! - previous - less) >>> parameter;
    previous = words[i]!;
  }
  return unary + words.length * (1 + parameter);
}

function bestParameter(words: Uint32Array, strict: boolean): { parameter: number; bits: number } {
  const mean = words.length === 0 ? 1 : (words[words.length - 1]! + 1) / words.length;
  const middle = Math.min(MAX_RICE_PARAMETER, Math.max(0, Math.round(Math.log2(mean * Math.LN2))));
  let best = { parameter: middle, bits: codedBits(words, strict, middle) };
  for (const parameter of [middle - 1, middle + 1]) {
    if (parameter < 0 || parameter > MAX_RICE_PARAMETER) continue;
    const bits = codedBits(words, strict, parameter);
    if (bits < best.bits) best = { parameter, bits };
  }
  return best;
}

/** The coded form of ascending numbers; `strict` when no two are equal. */
export function riceEncode(words: Uint32Array, strict: boolean): RiceCoded {
  const { parameter, bits } = bestParameter(words, strict);
  const less = gapLess(strict);
  const octets = new Uint8Array(Math.ceil(bits / 8));
  let at = 0;
  let free = 8;
  let previous = -less;
  // `width` bits of `value`, at most 32.
  const put = (value: number, width: number): void => {
    let left = width;
    while (left > 0) {
      const take = Math.min(left, free);
      left -= take;
      const chunk = (value >>> left) & ((1 << take) - 1);
      free -= take;
      octets[at] = octets[at]! | (chunk << free);
      if (free === 0) {
        at++;
        free = 8;
      }
    }
  };
  for (let i = 0; i < words.length; i++) {
    const gap = words[i]! - previous - less;
    previous = words[i]!;
    const skipped = 8 - free + (gap >>> parameter);
    at += skipped >>> 3;
    free = 8 - (skipped & 7);
    put(1, 1);
    put(gap, parameter);
  }
  return { parameter, octets };
}

/**
 * The `count` numbers of the coded form, or the octet at which it breaks its rules: a number beyond 2^32,
 * an end too early or too late, or filling that is not 0.
 */
export function riceDecode(
  { parameter, octets }: RiceCoded,
  count: number,
  strict: boolean,
): Uint32Array | number {
  // A word more than there is, so that 32 bits can be read at every bit.
  const input = new Uint32Array(Math.ceil(octets.length / 4) + 2);
  const view = viewOf(octets);
  const whole = octets.length >>> 2;
  for (let i = 0; i < whole; i++) input[i] = view.getUint32(i * 4);
  for (let i = whole * 4; i < octets.length; i++) input[whole]! |= octets[i]! << (24 - (i & 3) * 8);

  const words = new Uint32Array(count);
  const less = gapLess(strict);
  let value = -less;
  let word = 0;
  let bit = 0;
  for (let i = 0; i < count; i++) {
    let unary = 0;
    let window = (input[word]! << bit) | ((input[word + 1]! >>> 1) >>> (31 - bit));
    while (window === 0) {
      unary += 32;
      word++;
      if (word * 4 >= octets.length) return octets.length;
      window = (input[word]! << bit) | ((input[word + 1]! >>> 1) >>> (31 - bit));
    }
    const zeros = Math.clz32(window);
    unary += zeros;
    bit += zeros + 1;
    word += bit >>> 5;
    bit &= 31;
    let low = 0;
    if (parameter > 0) {
      window = (input[word]! << bit) | ((input[word + 1]! >>> 1) >>> (31 - bit));
      low = window >>> (32 - parameter);
      bit += parameter;
      word += bit >>> 5;
      bit &= 31;
    }
    value += unary * 2 ** parameter + low + less;
    if (value > 0xffffffff) return Math.min(octets.length, word * 4 + (bit >>> 3));
    words[i] = value;
  }
  const usedBits = word * 32 + bit;
  if (Math.ceil(usedBits / 8) !== octets.length) return Math.min(octets.length, usedBits >>> 3);
  const padding = octets.length * 8 - usedBits;
  if (padding > 0 && (octets[octets.length - 1]! & ((1 << padding) - 1)) !== 0) {
    return octets.length - 1;
  }
  return words;
}
