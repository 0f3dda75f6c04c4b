import { NO_WORDS, type PrefixWords } from "./prefix-words.ts";
import { firstNotBelow } from "./search-hashes.ts";
import { union, without } from "./word-sets.ts";

/**
 * What changed between two versions of a list: the removed and the added prefixes, none of which is in both. A part may
 * be the prefixes as words, the object that has them, or the bytes of this object.
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

/**
 * Joins two consecutive changes. A prefix that was added and then removed, or removed and then added, is in neither
 * part of the result.
 */
export function joinTwo(
  first: Change<PrefixWords>,
  second: Change<PrefixWords>,
): Change<PrefixWords> {
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
export function joinConsecutive(changes: Iterable<Change<PrefixWords>>): Change<PrefixWords> {
  /** Consecutive changes, the newest first. Each has less than half as many words as the one before. */
  const parts: Change<PrefixWords>[] = [{ removed: NO_WORDS, added: NO_WORDS }];
  const joinLast = () => {
    const [newer, older] = parts.splice(-2);
    parts.push(joinTwo(older!, newer!));
  };
  for (const change of changes) {
    parts.push(change);
    while (parts.length > 1 && 2 * wordsOfChange(parts.at(-1)!) >= wordsOfChange(parts.at(-2)!)) {
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

/** How many words a change has. */
export function wordsOfChange({ removed, added }: Change<PrefixWords>): number {
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
