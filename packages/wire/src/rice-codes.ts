import { viewOf } from "@x/prefix-list/raw-hashes";
import { type RiceDeltas, riceDecode } from "@x/prefix-list/rice";
import { WireError } from "./error.ts";

/** The length of a 32-bit number in bytes. */
export const WORD_BYTES = 4;

/** The smallest and the largest Rice parameter. */
interface ParameterRange {
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

/*
 * Converts hash prefixes of four bytes to and from the numbers that are Rice coded. In v4 and Web Risk, the numbers are
 * little-endian and sort differently from the prefixes, so both conversions must sort. In v5, the numbers are
 * big-endian and sort as the prefixes do.
 *
 * See Safe Browsing v4, Update API, Compression.
 */

function swapBytes(words: Uint32Array): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    words[i] = (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
  }
}

/** Reads prefixes as little-endian numbers, and sorts the numbers. */
export function toLittleEndian(rawHashes: Uint8Array): Uint32Array {
  const values = new Uint32Array(rawHashes.length / WORD_BYTES);
  const view = viewOf(rawHashes);
  for (let i = 0; i < values.length; i++) values[i] = view.getUint32(i * WORD_BYTES, true);
  return values.sort();
}

/** Writes numbers as big-endian prefixes, in the same sequence. The prefixes reuse the memory of the numbers. */
export function fromBigEndian(values: Uint32Array): Uint8Array {
  const rawHashes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const view = viewOf(rawHashes);
  for (let i = 0; i < values.length; i++) view.setUint32(i * WORD_BYTES, values[i]!);
  return rawHashes;
}

/** Writes numbers as little-endian prefixes, and sorts the prefixes. The prefixes reuse the memory of the numbers. */
export function fromLittleEndian(values: Uint32Array): Uint8Array {
  swapBytes(values);
  return fromBigEndian(values.sort());
}
