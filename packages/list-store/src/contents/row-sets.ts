import { compareBytes } from "@x/prefix-list/raw-hashes";
import { firstNotBelow } from "./search-hashes.ts";
import type { SetOperations } from "./word-sets.ts";

/* Sets of prefixes of one length, concatenated in ascending order. */

/** The prefixes of `a` that are not in `b`. */
function withoutRows(a: Uint8Array, b: Uint8Array, prefixBytes: number): Uint8Array {
  const rest = new Uint8Array(a.length);
  let used = 0;
  let at = 0;
  for (let i = 0; i < a.length; i += prefixBytes) {
    let order = 1;
    while (at < b.length) {
      order = compareBytes(b, at, a, i, prefixBytes);
      if (order >= 0) break;
      at += prefixBytes;
    }
    if (order === 0) continue;
    for (let k = 0; k < prefixBytes; k++) rest[used++] = a[i + k]!;
  }
  return rest.subarray(0, used);
}

/** Merges two ascending sequences that have no prefixes in common. The second one is usually much longer. */
export function unionOfRows(few: Uint8Array, many: Uint8Array, prefixBytes: number): Uint8Array {
  if (few.length === 0) return many;
  if (many.length === 0) return few;
  const all = new Uint8Array(few.length + many.length);
  let [from, used] = [0, 0];
  const put = (bytes: Uint8Array, start: number, end: number) => {
    all.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), used);
    used += end - start;
  };
  const rankIn = ranksOfRows(many, prefixBytes);
  for (let at = 0; at < few.length; at += prefixBytes) {
    const end = prefixBytes * rankIn(few, at);
    put(many, from, end);
    put(few, at, at + prefixBytes);
    from = end;
  }
  put(many, from, many.length);
  return all;
}

/**
 * Returns a function that counts the rows below the prefix at byte `at` of `other`. Call that function with ascending
 * prefixes.
 */
export function ranksOfRows(
  rows: Uint8Array,
  prefixBytes: number,
): (other: Uint8Array, at: number) => number {
  const count = rows.length / prefixBytes;
  let rank = 0;
  return (other, at) => {
    const isBelow = (index: number) =>
      compareBytes(rows, index * prefixBytes, other, at, prefixBytes) < 0;
    rank = firstNotBelow(count, rank, isBelow, 1);
    return rank;
  };
}

/** The set operations on prefixes of `prefixBytes` bytes. */
export function rowSets(prefixBytes: number): SetOperations<Uint8Array> {
  return {
    none: new Uint8Array(0),
    without: (a, b) => withoutRows(a, b, prefixBytes),
    union: (a, b) => unionOfRows(a, b, prefixBytes),
  };
}
