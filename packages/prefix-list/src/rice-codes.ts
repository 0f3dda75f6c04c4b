import { typeError } from "@x/sha256-prefix/type-error";
import { PrefixListError } from "./error.ts";
import {
  checkBytes,
  checkEntryCount,
  type EntryLimit,
  hasOwn,
  isUint32Array,
  maxEntriesOf,
  ownOptions,
} from "./limits.ts";
import { viewOf, WORD_BYTES } from "./raw-hashes/raw-hashes.ts";

/**
 * Rice codes of ascending 32-bit values, in the fields of the message `RiceDeltaEncoded32Bit`.
 *
 * @see Safe Browsing v5, `RiceDeltaEncoded32Bit`
 */
export interface RiceDeltas {
  /** The first value. */
  readonly firstValue: number;
  /** The number of low bits of each delta that are written in binary. The other bits are written in unary. */
  readonly riceParameter: number;
  /** The number of encoded deltas, which is one less than the number of values. */
  readonly entriesCount: number;
  /** The codes. */
  readonly encodedData: Uint8Array;
}

/** The range of allowed Rice parameters. */
export interface RiceOptions {
  /**
   * The smallest and the largest parameter. The default is `[3, 30]`, as in Safe Browsing v5. For v4, use `[2, 28]`.
   */
  readonly riceParameters?: readonly [least: number, most: number] | undefined;
}

function parametersOf(options: RiceOptions): readonly [number, number] {
  const { riceParameters = [MIN_RICE_PARAMETER, MAX_RICE_PARAMETER] } = ownOptions(options);
  const [least, most] = riceParameters;
  if (typeof least !== "number" || typeof most !== "number") {
    throw typeError("riceParameters", "two numbers", riceParameters);
  }
  const areWhole = Number.isInteger(least) && Number.isInteger(most);
  if (!areWhole || least < 0 || least > most || most > MAX_RICE_PARAMETER) {
    throw new RangeError(
      `riceParameters must be whole numbers from 0 to ${MAX_RICE_PARAMETER}, the smaller one first`,
    );
  }
  return [least, most];
}

/**
 * Encodes ascending values as Rice codes, in the bit order of Safe Browsing. The parameter is computed from the number
 * and the range of the values, so that evenly spread values take the fewest bits.
 *
 * @throws {RangeError} when there is no value, when values descend, or when `riceParameters` is out of range.
 * @throws {TypeError} when `values` is not a `Uint32Array`, or `riceParameters` are not two numbers.
 * @example
 * ```ts
 * import { riceDecode, riceEncode } from "@x/prefix-list/rice";
 *
 * const coded = riceEncode(Uint32Array.of(5, 20, 29));
 * coded.riceParameter; // → 3
 * coded.entriesCount; // → 2
 * coded.encodedData; // → Uint8Array.of(0xbd, 0x00)
 * [...riceDecode(coded)]; // → [5, 20, 29]
 * ```
 * @see Safe Browsing v5, `RiceDeltaEncoded32Bit`
 */
export function riceEncode(values: Uint32Array, options: RiceOptions = {}): RiceDeltas {
  const [least, most] = parametersOf(options);
  if (!isUint32Array(values)) throw typeError("values", "a Uint32Array", values);
  const firstValue = values[0];
  const last = values[values.length - 1];
  if (firstValue === undefined || last === undefined) {
    throw new RangeError("values must hold at least one value");
  }
  for (let i = 1; i < values.length; i++) {
    if (values[i]! < values[i - 1]!)
      throw new RangeError(`values must ascend, but [${i}] does not`);
  }
  const entriesCount = values.length - 1;
  const riceParameter = riceParameterFor(entriesCount, last - firstValue, least, most);
  const encodedData = encodeDeltas(values, riceParameter);
  return { firstValue, riceParameter, entriesCount, encodedData };
}

function rangeProblem(coded: RiceDeltas, [least, most]: readonly [number, number]): string | null {
  const { firstValue, riceParameter, entriesCount } = coded;
  if (firstValue >>> 0 !== firstValue) return `The first value is ${firstValue}`;
  if (!Number.isInteger(riceParameter) || riceParameter < least || riceParameter > most) {
    return `The Rice parameter is ${riceParameter}`;
  }
  if (entriesCount >>> 0 !== entriesCount) return `The number of deltas is ${entriesCount}`;
  return null;
}

/**
 * Decodes ascending values, some of which may be equal.
 *
 * No memory is allocated for more values than the codes can hold or `maxEntries` allows.
 *
 * @throws {PrefixListError} `rice-invalid` when a number is out of range, the codes end too early, a value does not fit
 * into 32 bits, or the codes are followed by anything but up to seven 0 bits; `too-many-entries` when there are more
 * than `maxEntries` values.
 * @throws {RangeError} when an option is out of range.
 * @throws {TypeError} when `coded` is not a `RiceDeltas`, or an option is of the wrong type.
 * @example
 * ```ts
 * import { riceDecode } from "@x/prefix-list/rice";
 *
 * const coded = { firstValue: 5, riceParameter: 3, entriesCount: 2, encodedData: Uint8Array.of(0xbd, 0x00) };
 * [...riceDecode(coded)]; // → [5, 20, 29]
 * riceDecode({ ...coded, entriesCount: 4 }); // throws rice-invalid
 * ```
 * @see Safe Browsing v5, `RiceDeltaEncoded32Bit`
 */
export function riceDecode(
  coded: RiceDeltas,
  options: RiceOptions & EntryLimit = {},
): Uint32Array<ArrayBuffer> {
  const parameters = parametersOf(options);
  const maxEntries = maxEntriesOf(options);
  if (!hasOwn(coded, "firstValue", "riceParameter", "entriesCount", "encodedData")) {
    throw typeError("coded", "a RiceDeltas", coded);
  }
  const { firstValue, riceParameter, entriesCount, encodedData } = coded;
  checkBytes("encodedData", encodedData);
  const problem = rangeProblem(coded, parameters);
  if (problem !== null) throw new PrefixListError("rice-invalid", problem);
  checkEntryCount(entriesCount + 1, maxEntries);
  const values = decodeDeltas(firstValue, riceParameter, entriesCount, encodedData, 0);
  if (typeof values === "number") {
    throw new PrefixListError("rice-invalid", "The codes are damaged", values);
  }
  return values;
}

/*
 * Ascending 32-bit values as Rice codes of their deltas, in the bit order of Safe Browsing v5.
 *
 * The first value is stored separately from the codes. A delta is divided by 2^parameter: the quotient is written as
 * that many 1 bits and a 0 bit, then the remainder in `parameter` bits, the least significant first. The first bit of a
 * byte is its least significant one. The last byte is filled with 0 bits.
 */

const WORD_BITS = 32;
const MAX_VALUE = 0xffffffff;

/** The Rice parameters that Safe Browsing v5 allows for 32-bit values. */
export const MIN_RICE_PARAMETER = 3;
export const MAX_RICE_PARAMETER = 30;

/**
 * 2 · ln((1 + √5) / 2) = 0.9624… as a fraction. A parameter gives fewer bits than the next smaller parameter when 2 to
 * the power of the parameter is at most this factor times the mean delta. The numerator has 20 bits, so that its
 * product with a range of 32 bits is exact in a double. A count times a power of two is exact, too.
 */
const FACTOR_NUMERATOR = 1_009_174;
const FACTOR_DENOMINATOR = 2 ** 20;

/**
 * The Rice parameter, from `least` to `most`, for a number of deltas with the sum `range`. The result is
 * floor(log2(0.9624 · mean delta)) in exact arithmetic, which gives the fewest bits when values are evenly spread.
 */
export function riceParameterFor(
  deltas: number,
  range: number,
  least: number = MIN_RICE_PARAMETER,
  most: number = MAX_RICE_PARAMETER,
): number {
  let parameter = least;
  if (deltas === 0) return parameter;
  const limit = range * FACTOR_NUMERATOR;
  while (parameter < most && deltas * FACTOR_DENOMINATOR * 2 ** (parameter + 1) <= limit)
    parameter++;
  return parameter;
}

/** Encodes the deltas of ascending values. */
export function encodeDeltas(values: Uint32Array, parameter: number): Uint8Array<ArrayBuffer> {
  let bits = (values.length - 1) * (parameter + 1);
  for (let i = 1; i < values.length; i++) bits += (values[i]! - values[i - 1]!) >>> parameter;
  const view = new DataView(new ArrayBuffer(Math.ceil(bits / WORD_BITS) * WORD_BYTES));
  const mask = 2 ** parameter - 1;
  let at = 0;
  let word = 0;
  let used = 0;
  /** Writes the lowest `length` bits of `code`. `length` is from 1 to 32. */
  const put = (code: number, length: number) => {
    word |= code << used;
    if (used + length < WORD_BITS) {
      used += length;
      return;
    }
    view.setUint32(at, word, true);
    at += WORD_BYTES;
    // This case is separate, because a shift by 32 would be a shift by 0.
    word = used === 0 ? 0 : code >>> (WORD_BITS - used);
    used += length - WORD_BITS;
  };
  for (let i = 1; i < values.length; i++) {
    const delta = values[i]! - values[i - 1]!;
    let ones = delta >>> parameter;
    for (; ones + parameter >= WORD_BITS; ones--) put(1, 1);
    put((((delta & mask) << (ones + 1)) | ((1 << ones) - 1)) >>> 0, ones + 1 + parameter);
  }
  if (used > 0) view.setUint32(at, word, true);
  return new Uint8Array(view.buffer, 0, Math.ceil(bits / 8));
}

/** The bytes as words, the first byte being the least significant, followed by at least two words of 0. */
export function littleEndianWords(bytes: Uint8Array): Uint32Array {
  const whole = bytes.length >>> 2;
  const words = new Uint32Array(whole + 3);
  const view = viewOf(bytes);
  for (let i = 0; i < whole; i++) words[i] = view.getUint32(i * WORD_BYTES, true);
  for (let i = whole * WORD_BYTES; i < bytes.length; i++) {
    words[whole]! |= bytes[i]! << ((i % WORD_BYTES) * 8);
  }
  return words;
}

/**
 * Decodes ascending values from the first one and the codes of their deltas. Returns the approximate index of the
 * faulty byte instead when the codes end early or late, a delta is less than `least`, a value does not fit into 32
 * bits, or the padding is not 0.
 */
export function decodeDeltas(
  first: number,
  parameter: number,
  deltas: number,
  bytes: Uint8Array,
  least: 0 | 1,
): Uint32Array<ArrayBuffer> | number {
  // Each code has a 0 bit and a remainder, so no memory is allocated for more values than there can be.
  if (deltas * (parameter + 1) > bytes.length * 8) return bytes.length;
  const input = littleEndianWords(bytes);
  const values = new Uint32Array(deltas + 1);
  const scale = 2 ** parameter;
  const mask = scale - 1;
  let value = first;
  values[0] = first;
  let word = 0;
  let bit = 0;
  for (let i = 1; i <= deltas; i++) {
    // The next 32 bits. The shift is done in two parts, because a shift by 32 would be a shift by 0.
    let window = (input[word]! >>> bit) | ((input[word + 1]! << 1) << (31 - bit));
    let ones = 0;
    while (window === -1) {
      ones += WORD_BITS;
      word++;
      window = (input[word]! >>> bit) | ((input[word + 1]! << 1) << (31 - bit));
    }
    // The number of 1 bits at the low end is the index of the lowest 0 bit.
    const run = 31 - Math.clz32(~window & ((window + 1) | 0));
    ones += run;
    const consumed = run + 1;
    let low: number;
    if (consumed + parameter <= WORD_BITS) {
      low = (window >>> consumed) & mask;
      bit += consumed;
    } else {
      bit += consumed;
      const at = word + (bit >>> 5);
      const inside = bit & 31;
      low = ((input[at]! >>> inside) | ((input[at + 1]! << 1) << (31 - inside))) & mask;
    }
    bit += parameter;
    word += bit >>> 5;
    bit &= 31;
    const delta = ones * scale + low;
    value += delta;
    // This check also finds quotients that are too large, because the value is then too large.
    if (delta < least || value > MAX_VALUE || word * WORD_BYTES > bytes.length) {
      return Math.min(bytes.length, word * WORD_BYTES);
    }
    values[i] = value;
  }
  const usedBits = word * WORD_BITS + bit;
  const usedBytes = Math.ceil(usedBits / 8);
  if (usedBytes !== bytes.length) return Math.min(bytes.length, usedBytes);
  const filling = usedBytes * 8 - usedBits;
  if (filling > 0 && bytes[usedBytes - 1]! >>> (8 - filling) !== 0) return usedBytes - 1;
  return values;
}
