import { compareBytes } from "@x/prefix-list/raw-hashes";
import { firstNotBelow, type PrefixWords, type SetOperations, without } from "./words.ts";

/**
 * The prefixes removed and added between two versions of a list. First, the removed prefixes are taken off the list,
 * and then the added ones are put on it. A prefix that stays on the list while its full hashes change is in both parts.
 *
 * Unlike a difference, a change does not remove by index, so it can be joined with the next change without the lists.
 */
export interface Change<Part> {
  readonly removed: Part;
  readonly added: Part;
}

export function changeBetween(from: PrefixWords, to: PrefixWords): Change<PrefixWords> {
  return { removed: without(from, to), added: without(to, from) };
}

/** Compares two versions whose prefixes have `prefixBytes` bytes each and are concatenated in ascending order. */
export function longerChangeBetween(
  from: Uint8Array,
  to: Uint8Array,
  prefixBytes: number,
): Change<Uint8Array> {
  const { without } = rowSets(prefixBytes);
  return { removed: without(from, to), added: without(to, from) };
}

/** Joins two consecutive changes. */
export function joinTwo<Part>(
  first: Change<Part>,
  second: Change<Part>,
  { without, union }: SetOperations<Part>,
): Change<Part> {
  return {
    removed: union(first.removed, without(second.removed, first.added)),
    added: union(without(first.added, second.removed), second.added),
  };
}

/** The change without the prefixes that stay on the list. */
export function netChange<Part>(
  { removed, added }: Change<Part>,
  { without }: SetOperations<Part>,
): Change<Part> {
  return { removed: without(removed, added), added: without(added, removed) };
}

/**
 * Joins consecutive changes, given from the newest to the oldest.
 *
 * Changes of similar length are joined first, as in a merge sort. Joining each change with all newer ones would take
 * quadratic time.
 */
export function joinConsecutive<Part extends { readonly length: number }>(
  changes: Iterable<Change<Part>>,
  sets: SetOperations<Part>,
): Change<Part> {
  /** Consecutive changes, the newest first. Each change is less than half as long as the one before. */
  const parts: Change<Part>[] = [{ removed: sets.none, added: sets.none }];
  const joinLast = () => {
    const [newer, older] = parts.splice(-2);
    parts.push(joinTwo(older!, newer!, sets));
  };
  for (const change of changes) {
    parts.push(change);
    while (parts.length > 1 && 2 * lengthOfChange(parts.at(-1)!) >= lengthOfChange(parts.at(-2)!)) {
      joinLast();
    }
  }
  while (parts.length > 1) joinLast();
  return parts[0]!;
}

/** Applies a change to the words of a list. There is only one pass, because both may be long. */
export function applyChange(
  words: PrefixWords,
  { removed, added }: Change<PrefixWords>,
): PrefixWords {
  const changed = new Uint32Array(words.length + added.length);
  let [used, nextRemoved, nextAdded] = [0, 0, 0];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    while (nextAdded < added.length && added[nextAdded]! < word) {
      changed[used++] = added[nextAdded++]!;
    }
    while (nextRemoved < removed.length && removed[nextRemoved]! < word) nextRemoved++;
    if (nextRemoved === removed.length || removed[nextRemoved] !== word) changed[used++] = word;
  }
  while (nextAdded < added.length) changed[used++] = added[nextAdded++]!;
  return changed.subarray(0, used);
}

/** The total length of both parts of a change, in words, or in bytes for longer prefixes. */
export function lengthOfChange({ removed, added }: Change<{ readonly length: number }>): number {
  return removed.length + added.length;
}

/** Returns a function that counts the words below a given word. Call that function with ascending words. */
function ranksIn(words: PrefixWords): (word: number) => number {
  let rank = 0;
  return (word) => {
    rank = firstNotBelow(words.length, rank, (index) => words[index]! < word, 1);
    return rank;
  };
}

/**
 * The indices of the removed prefixes in the old list.
 *
 * The ranks of the prefixes in the new list give these indices, so the old list is not needed.
 */
export function removalsOf(to: PrefixWords, { removed, added }: Change<PrefixWords>): Uint32Array {
  const [rankInTo, rankInAdded] = [ranksIn(to), ranksIn(added)];
  return removed.map((word, i) => rankInTo(word) - rankInAdded(word) + i);
}

/** Like {@link removalsOf}, for concatenated prefixes of `prefixBytes` bytes. */
export function longerRemovalsOf(
  to: Uint8Array,
  { removed, added }: Change<Uint8Array>,
  prefixBytes: number,
): Uint32Array {
  const rankInTo = ranksOfRows(to, prefixBytes);
  const rankInAdded = ranksOfRows(added, prefixBytes);
  const removals = new Uint32Array(removed.length / prefixBytes);
  for (let i = 0; i < removals.length; i++) {
    const at = i * prefixBytes;
    removals[i] = rankInTo(removed, at) - rankInAdded(removed, at) + i;
  }
  return removals;
}

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
function ranksOfRows(
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
