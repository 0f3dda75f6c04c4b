import { hasOwn, isByteArray } from "../limits.ts";

/**
 * Many hash prefixes of one length in one array, as in the Safe Browsing Update API. Use this form to pass millions of
 * prefixes: ten million `Uint8Array`s take gigabytes.
 *
 * @see Safe Browsing v4, Update API, `RawHashes`
 */
export interface RawHashes {
  /** The prefix length in bytes, 4 to 32. */
  readonly prefixBytes: number;
  /** The prefixes, one after the other. The length of the array is a multiple of `prefixBytes`. */
  readonly rawHashes: Uint8Array;
}

/** The number of prefixes of one length in a list. */
export interface PrefixLength {
  /** The prefix length in bytes, 4 to 32. */
  readonly prefixBytes: number;
  /** The number of prefixes of this length, at least 1. */
  readonly count: number;
}

export function isRawHashes(value: unknown): value is RawHashes {
  return (
    hasOwn(value, "prefixBytes", "rawHashes") &&
    typeof value.prefixBytes === "number" &&
    isByteArray(value.rawHashes)
  );
}

/** The number of prefixes in a group. */
export function countOf({ prefixBytes, rawHashes }: RawHashes): number {
  return rawHashes.length / prefixBytes;
}

/** The total number of prefixes in several groups. */
export function countEntries(groups: readonly RawHashes[]): number {
  return groups.reduce((sum, group) => sum + countOf(group), 0);
}

/** The group of the prefixes of one length, or an empty group when there is none. */
export function groupOfLength(groups: readonly RawHashes[], prefixBytes: number): RawHashes {
  const group = groups.find((candidate) => candidate.prefixBytes === prefixBytes);
  return group ?? { prefixBytes, rawHashes: new Uint8Array(0) };
}

/** The first four bytes of each prefix as a number. These numbers sort in the same order as the bytes. */
export function firstWords({ prefixBytes, rawHashes }: RawHashes): Uint32Array<ArrayBuffer> {
  const view = viewOf(rawHashes);
  const words = new Uint32Array(rawHashes.length / prefixBytes);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * prefixBytes);
  return words;
}

/** For each prefix, the bytes after the first four, all in one array. */
export function restsOf({ prefixBytes, rawHashes }: RawHashes): Uint8Array<ArrayBuffer> {
  const restBytes = prefixBytes - WORD_BYTES;
  const rests = new Uint8Array((rawHashes.length / prefixBytes) * restBytes);
  let from = WORD_BYTES;
  for (let at = 0; at < rests.length; from += WORD_BYTES) {
    for (let k = 0; k < restBytes; k++) rests[at++] = rawHashes[from++]!;
  }
  return rests;
}

/** Writes the bytes after the first four into each prefix. */
export function putRests({ prefixBytes, rawHashes }: RawHashes, rests: Uint8Array): void {
  const restBytes = prefixBytes - WORD_BYTES;
  let to = WORD_BYTES;
  for (let at = 0; at < rests.length; to += WORD_BYTES) {
    for (let k = 0; k < restBytes; k++) rawHashes[to++] = rests[at++]!;
  }
}

/** The index of the first prefix that does not sort after the one before it, or -1 when there is none. */
export function unsortedAt({ prefixBytes, rawHashes }: RawHashes): number {
  for (let i = prefixBytes; i < rawHashes.length; i += prefixBytes) {
    if (compareBytes(rawHashes, i - prefixBytes, rawHashes, i, prefixBytes) >= 0) {
      return i / prefixBytes;
    }
  }
  return -1;
}

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
