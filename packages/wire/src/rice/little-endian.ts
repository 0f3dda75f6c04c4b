import type { RiceDeltas } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";
import { decodeValues, encodeValues, V4_RANGE } from "./narrow.ts";

/** The values of codes in v4 and Web Risk. A single value has no parameter. */
export function decodeV4Values(
  coded: RiceDeltas,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  const isSingle = coded.entriesCount === 0 && coded.riceParameter === 0;
  if (isSingle && coded.encodedData.length > 0) throw new WireError("rice-data-damaged");
  const riceParameter = isSingle ? V4_RANGE[0] : coded.riceParameter;
  return decodeValues({ ...coded, riceParameter }, V4_RANGE, maxEntries, repeated);
}

/** The codes of ascending values in v4 and Web Risk. */
export function encodeV4Values(values: Uint32Array): RiceDeltas {
  const coded = encodeValues(values, V4_RANGE);
  return coded.entriesCount === 0 ? { ...coded, riceParameter: 0 } : coded;
}
