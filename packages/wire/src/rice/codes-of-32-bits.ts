import { type RiceDeltas, riceDecode } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";

/** The smallest and the largest Rice parameter. */
export interface ParameterRange {
  readonly riceParameters: readonly [least: number, most: number];
}

/** The range for 32-bit numbers in v5. */
export const V5_RANGE: ParameterRange = { riceParameters: [3, 30] };
/** The range for v4 and Web Risk, where all numbers have 32 bits. */
export const V4_RANGE: ParameterRange = { riceParameters: [2, 28] };

/**
 * Throws when the codes are too short for the number of deltas, or when there are too many entries. Call this function
 * before you allocate memory for the entries.
 */
export function checkCount(
  deltas: number,
  riceParameter: number,
  bytes: Uint8Array,
  maxEntries: number,
): void {
  // Each delta takes at least one 0 bit, followed by its low bits.
  if (deltas < 0 || deltas * (riceParameter + 1) > bytes.length * 8) {
    throw new WireError("rice-count-wrong");
  }
  if (deltas + 1 > maxEntries) throw new WireError("too-many-entries");
}

/**
 * Decodes ascending 32-bit values.
 *
 * @param repeated the error for equal values.
 */
export function decodeValues(
  coded: RiceDeltas,
  range: ParameterRange,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  const { riceParameter, entriesCount, encodedData } = coded;
  const [least, most] = range.riceParameters;
  if (riceParameter < least || riceParameter > most) throw new WireError("rice-parameter-wrong");
  checkCount(entriesCount, riceParameter, encodedData, maxEntries);
  let values: Uint32Array;
  try {
    values = riceDecode(coded, { ...range, maxEntries });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "rice-invalid") throw error;
    throw new WireError("rice-data-damaged");
  }
  for (let i = 1; i < values.length; i++) {
    if (values[i] === values[i - 1]) throw new WireError(repeated);
  }
  return values;
}
