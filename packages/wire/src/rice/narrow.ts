import { type RiceDeltas, riceDecode, riceEncode } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";

/** The smallest and the largest Rice parameter. */
export type ParameterRange = readonly [least: number, most: number];

/** For 32 bits in v5. */
export const V5_RANGE: ParameterRange = [3, 30];
/** In v4 and Web Risk, which have no other width. */
export const V4_RANGE: ParameterRange = [2, 28];

const MAX_VALUE = 0xffffffff;

/** Throws unless the count of deltas is possible, so that no memory is allocated for more. */
export function checkCount(
  deltas: number,
  riceParameter: number,
  bytes: Uint8Array,
  maxEntries: number,
): void {
  // Each delta takes at least a 0 bit and the low bits.
  if (deltas < 0 || deltas * (riceParameter + 1) > bytes.length * 8) {
    throw new WireError("rice-count-wrong");
  }
  if (deltas + 1 > maxEntries) throw new WireError("too-many-entries");
}

/**
 * The ascending values of 32 bits that codes stand for.
 *
 * @param repeated the error for equal values.
 */
export function decodeValues(
  coded: RiceDeltas,
  range: ParameterRange,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  const { firstValue, riceParameter, entriesCount, encodedData } = coded;
  if (riceParameter < range[0] || riceParameter > range[1]) {
    throw new WireError("rice-parameter-wrong");
  }
  checkCount(entriesCount, riceParameter, encodedData, maxEntries);
  if (firstValue < 0 || firstValue > MAX_VALUE) throw new WireError("rice-data-damaged");
  let values: Uint32Array;
  try {
    values = riceDecode(coded, { riceParameters: range, maxEntries });
  } catch {
    // Everything except the coded data was checked above.
    throw new WireError("rice-data-damaged");
  }
  for (let i = 1; i < values.length; i++) {
    if (values[i] === values[i - 1]) throw new WireError(repeated);
  }
  return values;
}

/** The codes of ascending values of 32 bits; there is at least one. */
export function encodeValues(values: Uint32Array, range: ParameterRange): RiceDeltas {
  return riceEncode(values, { riceParameters: range });
}
