import type { PrefixWords } from "./prefix-words.ts";
import { ranksOfRows, rowSets } from "./row-sets.ts";
import { firstNotBelow } from "./search-hashes.ts";
import { type SetOperations, without } from "./word-sets.ts";

/**
 * What changed between two versions of a list: the removed and the added prefixes, none of which is in both. A part may
 * be the prefixes as words, longer prefixes one after the other, the object that has prefixes, or the bytes of this
 * object.
 *
 * Unlike a difference, which removes by index, a change can be joined with the next one without looking at the lists.
 */
export interface Change<Part> {
  readonly removed: Part;
  readonly added: Part;
}

export function changeBetween(from: PrefixWords, to: PrefixWords): Change<PrefixWords> {
  return { removed: without(from, to), added: without(to, from) };
}

/** What changed between two versions with prefixes of one length, one after the other. */
export function longerChangeBetween(
  from: Uint8Array,
  to: Uint8Array,
  prefixBytes: number,
): Change<Uint8Array> {
  const { without } = rowSets(prefixBytes);
  return { removed: without(from, to), added: without(to, from) };
}

/**
 * Joins two consecutive changes. A prefix that was added and then removed, or removed and then added, is in neither
 * part of the result.
 */
export function joinTwo<Part>(
  first: Change<Part>,
  second: Change<Part>,
  { without, union }: SetOperations<Part>,
): Change<Part> {
  return {
    removed: union(without(first.removed, second.added), without(second.removed, first.added)),
    added: union(without(first.added, second.removed), without(second.added, first.removed)),
  };
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
  /** Consecutive changes, the newest first. Each is less than half as long as the one before. */
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

/** The words of a list after a change, made in one pass, because both may be long. */
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

/** The length of both parts of a change together: how many words it has, or how many bytes of longer prefixes. */
export function lengthOfChange({ removed, added }: Change<{ readonly length: number }>): number {
  return removed.length + added.length;
}

/** Returns a function that counts the words below a given word. Call it with ascending words. */
function ranksIn(words: PrefixWords): (word: number) => number {
  let rank = 0;
  return (word) => {
    rank = firstNotBelow(words.length, rank, (index) => words[index]! < word, 1);
    return rank;
  };
}

/**
 * The indices that the removed prefixes have in the old list.
 *
 * They follow from the ranks of the prefixes in the new list, so the old list is not needed.
 */
export function removalsOf(to: PrefixWords, { removed, added }: Change<PrefixWords>): Uint32Array {
  const [rankInTo, rankInAdded] = [ranksIn(to), ranksIn(added)];
  return removed.map((word, i) => rankInTo(word) - rankInAdded(word) + i);
}

/** The same for prefixes of one length, one after the other. */
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
