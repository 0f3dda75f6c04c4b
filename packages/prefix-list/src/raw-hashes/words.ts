/**
 * The length of a word in bytes. Prefixes are sorted and looked up by their first word, which is their first four bytes
 * as one number.
 */
export const WORD_BYTES = 4;

/** The four bytes at `offset` as one number, the most significant byte first, so that numbers sort as bytes do. */
export function wordAt(bytes: Uint8Array, offset: number): number {
  return (
    ((bytes[offset]! << 24) |
      (bytes[offset + 1]! << 16) |
      (bytes[offset + 2]! << 8) |
      bytes[offset + 3]!) >>>
    0
  );
}

/** A `DataView` of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A new array with the bytes of all pieces, one after the other. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const piece of pieces) {
    all.set(piece, used);
    used += piece.length;
  }
  return all;
}

/**
 * Compares `length` bytes of `a` at `i` with the same number of bytes of `b` at `j`. The result is negative when the
 * bytes of `a` sort first, 0 when both are equal, and positive otherwise.
 */
export function compareBytes(
  a: Uint8Array,
  i: number,
  b: Uint8Array,
  j: number,
  length: number,
): number {
  for (let k = 0; k < length; k++) {
    const difference = a[i + k]! - b[j + k]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
