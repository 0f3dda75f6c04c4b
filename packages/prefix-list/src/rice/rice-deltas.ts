import { typeError } from "@x/sha256-prefix/type-error";
import { checkBytes, hasOwn, isUint32Array, ownOptions } from "../check-arguments.ts";
import { PrefixListError } from "../error.ts";
import { checkEntryCount, type EntryLimit, maxEntriesOf } from "../limits.ts";
import {
  decodeDeltas,
  encodeDeltas,
  MAX_RICE_PARAMETER,
  MIN_RICE_PARAMETER,
  riceParameterFor,
} from "./delta-codes.ts";

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
