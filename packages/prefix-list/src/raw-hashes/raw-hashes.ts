import { fullHash, toHex } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
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

/*
 * A prefix has an index in the group of its length, and another in the list, where prefixes of all lengths are in one
 * ascending order. In a list with one length, the two indices are the same.
 */

/**
 * Whether the prefix at byte `i` of `a` sorts before the one at byte `j` of `b`. A prefix sorts before longer ones that
 * begin with it.
 */
function sortsBefore(a: RawHashes, i: number, b: RawHashes, j: number): boolean {
  const common = Math.min(a.prefixBytes, b.prefixBytes);
  for (let k = 0; k < common; k++) {
    const difference = a.rawHashes[i + k]! - b.rawHashes[j + k]!;
    if (difference !== 0) return difference < 0;
  }
  return a.prefixBytes < b.prefixBytes;
}

/**
 * Merges several sorted groups into one ascending order. The result has, for each index in the list, the number of the
 * group that the prefix comes from. The prefixes of one group keep their order.
 */
export function mergedOrder(groups: readonly RawHashes[]): Uint8Array {
  const order = new Uint8Array(countEntries(groups));
  const open = [...groups.keys()].filter((number) => groups[number]!.rawHashes.length > 0);
  const next = groups.map(() => 0);
  let index = 0;
  while (open.length > 1) {
    let least = 0;
    for (let i = 1; i < open.length; i++) {
      const [a, b] = [open[i]!, open[least]!];
      if (sortsBefore(groups[a]!, next[a]!, groups[b]!, next[b]!)) least = i;
    }
    const number = open[least]!;
    order[index++] = number;
    next[number]! += groups[number]!.prefixBytes;
    if (next[number] === groups[number]!.rawHashes.length) open.splice(least, 1);
  }
  if (open.length === 1) order.fill(open[0]!, index);
  return order;
}

/**
 * Calls `visit` for each prefix of several sorted groups, in ascending order, with the number of its group, its index
 * in the group and its index in the list.
 */
function forEachInOrder(
  groups: readonly RawHashes[],
  visit: (number: number, index: number, listIndex: number) => void,
): void {
  const next = groups.map(() => 0);
  const order = mergedOrder(groups);
  for (let listIndex = 0; listIndex < order.length; listIndex++) {
    const number = order[listIndex]!;
    visit(number, next[number]!++, listIndex);
  }
}

/** Turns ascending indices in each group into ascending indices in the list. */
export function toListIndices(
  groups: readonly RawHashes[],
  groupIndices: readonly Uint32Array[],
): Uint32Array {
  if (groupIndices.length === 1) return groupIndices[0]!;
  const indices = new Uint32Array(groupIndices.reduce((sum, { length }) => sum + length, 0));
  const done = groups.map(() => 0);
  let used = 0;
  forEachInOrder(groups, (number, index, listIndex) => {
    if (groupIndices[number]![done[number]!] !== index) return;
    done[number]!++;
    indices[used++] = listIndex;
  });
  return indices;
}

/** Turns ascending indices in the list, all below its size, into ascending indices in each group. */
export function toGroupIndices(
  groups: readonly RawHashes[],
  listIndices: Uint32Array,
): Uint32Array[] {
  if (groups.length === 1) return [listIndices];
  const indices = groups.map((group) => {
    return new Uint32Array(Math.min(listIndices.length, countOf(group)));
  });
  const used = groups.map(() => 0);
  let done = 0;
  forEachInOrder(groups, (number, index, listIndex) => {
    if (listIndices[done] !== listIndex) return;
    done++;
    indices[number]![used[number]!++] = index;
  });
  return indices.map((found, number) => found.subarray(0, used[number]));
}

/** The options for computing a checksum. */
export interface ChecksumOptions {
  /** Replaces `fullHash` of `@x/sha256-prefix`, if the platform computes SHA-256 faster. */
  readonly sha256?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/** Throws when `sha256` is neither a function nor undefined. */
export function checkSha256(sha256: unknown): void {
  if (sha256 !== undefined && typeof sha256 !== "function") {
    throw typeError("sha256", "a function", sha256);
  }
}

/** The number and the checksum of the prefixes of one length. */
export interface LengthChecksum extends PrefixLength {
  /** The SHA-256 of these prefixes in ascending order, one after the other, in lower-case hex. */
  readonly checksum: string;
}

function inOneOrder(groups: readonly RawHashes[]): Uint8Array {
  const all = new Uint8Array(groups.reduce((sum, { rawHashes }) => sum + rawHashes.length, 0));
  let used = 0;
  forEachInOrder(groups, (number, index) => {
    const { prefixBytes, rawHashes } = groups[number]!;
    const at = index * prefixBytes;
    for (let k = 0; k < prefixBytes; k++) all[used++] = rawHashes[at + k]!;
  });
  return all;
}

/**
 * The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex.
 *
 * Different lists of mixed lengths can have the same checksum, as {11111111, 2222222233333333} and {1111111122222222,
 * 33333333} do. {@link checksumsByLength} tells such lists apart.
 *
 * @see Safe Browsing v4, Update API, `Checksum`
 */
export function checksumOf(
  groups: readonly RawHashes[],
  sha256: ChecksumOptions["sha256"] = fullHash,
): string {
  return toHex(sha256(groups.length === 1 ? groups[0]!.rawHashes : inOneOrder(groups)));
}

/**
 * The checksums that identify a list. No two different lists share them. `checksum` is the checksum of all the
 * prefixes.
 */
export function checksumsByLength(
  groups: readonly RawHashes[],
  checksum: string,
): readonly LengthChecksum[] {
  return groups.map((group) => ({
    prefixBytes: group.prefixBytes,
    count: countOf(group),
    checksum: groups.length === 1 ? checksum : checksumOf([group]),
  }));
}
