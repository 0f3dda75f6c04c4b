/** The octets of a word: prefixes are sorted and found by their first four octets as one number. */
export const WORD_BYTES = 4;

/** The four octets at `offset` as one number, the first octet the most significant: numbers then sort as the octets do. */
export function wordAt(octets: Uint8Array, offset: number): number {
  return (
    ((octets[offset]! << 24) |
      (octets[offset + 1]! << 16) |
      (octets[offset + 2]! << 8) |
      octets[offset + 3]!) >>>
    0
  );
}

/** A `DataView` of the same octets. */
export function viewOf(octets: Uint8Array): DataView {
  return new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
}
