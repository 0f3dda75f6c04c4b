/** The approximate length, in bytes, of Rice codes for `count` numbers below `end`. */
export function riceBytes(count: number, end: number): number {
  // Each number takes about 1.5 bits more than the binary logarithm of the mean gap, but at least four bits.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}

/** The overhead of downloading an object, in bytes: a request with its headers. */
export const REQUEST_BYTES = 500;
/** The approximate cost of downloading a manifest in bytes, including its request. */
export const MANIFEST_BYTES: number = REQUEST_BYTES + 1300;
