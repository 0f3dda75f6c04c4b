/*
 * Converts hash prefixes of four bytes to and from the numbers that are Rice coded. In v4 and Web Risk, the numbers are
 * little-endian and sort differently from the prefixes, so both conversions must sort. In v5, the numbers are
 * big-endian and sort as the prefixes do.
 *
 * See Safe Browsing v4, Update API, Compression.
 */

import { viewOf } from "@x/prefix-list/raw-hashes";

const WORD_BYTES = 4;

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
