import type { PrefixListChanges } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { bytesOf, PREFIX_BYTES, type PrefixWords } from "./prefix-words.ts";
import { firstNotBelow } from "./search-hashes.ts";

/**
 * The changes between two versions of a list: removed and added prefixes. Both are in ascending order, and
 * no prefix is in both.
 *
 * Unlike a difference for clients, which removes by index, a change can be joined with the next one without
 * looking at the lists.
 */
export interface PrefixChange {
  readonly removed: PrefixWords;
  readonly added: PrefixWords;
}

/**
 * The words of `a` that are not in `b`. It never reads beyond the end of an array, because doing so would double its
 * time.
 */
export function without(a: PrefixWords, b: PrefixWords): PrefixWords {
  const rest = new Uint32Array(a.length);
  let used = 0;
  let at = 0;
  for (let i = 0; i < a.length; i++) {
    const word = a[i]!;
    while (at < b.length && b[at]! < word) at++;
    if (at === b.length || b[at] !== word) rest[used++] = word;
  }
  return rest.subarray(0, used);
}

/** The words that are in both. */
export function common(a: PrefixWords, b: PrefixWords): PrefixWords {
  return without(a, without(a, b));
}

export function changeBetween(from: PrefixWords, to: PrefixWords): PrefixChange {
  return { removed: without(from, to), added: without(to, from) };
}

/** Merges two ascending sequences that have no words in common. */
export function union(a: PrefixWords, b: PrefixWords): PrefixWords {
  const all = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0; i + j < all.length; ) {
    const takesA = j === b.length || (i < a.length && a[i]! < b[j]!);
    all[i + j] = takesA ? a[i++]! : b[j++]!;
  }
  return all;
}

/**
 * Joins two consecutive changes. A prefix that was added and then removed, or removed and then added, is in neither
 * part of the result.
 */
export function joinChanges(first: PrefixChange, second: PrefixChange): PrefixChange {
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
export function joinConsecutive(changes: Iterable<PrefixChange>): PrefixChange {
  /** Consecutive changes, the newest first. Each has less than half as many words as the one before. */
  const parts: PrefixChange[] = [{ removed: new Uint32Array(0), added: new Uint32Array(0) }];
  const joinLast = () => {
    const [newer, older] = parts.splice(-2);
    parts.push(joinChanges(older!, newer!));
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
export function applyChange(words: PrefixWords, { removed, added }: PrefixChange): PrefixWords {
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
export function wordsOfChange({ removed, added }: PrefixChange): number {
  return removed.length + added.length;
}

/**
 * The difference that turns a client's older list into a newer one, in the form of the protocols. It adds at most one
 * group.
 */
export interface ListDifference extends PrefixListChanges {
  /** The checksum of the list that the difference applies to. */
  readonly oldChecksum: string;
  readonly checksum: string;
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
export function removalsOf(to: PrefixWords, { removed, added }: PrefixChange): Uint32Array {
  const [rankInTo, rankInAdded] = [ranksIn(to), ranksIn(added)];
  return removed.map((word, i) => rankInTo(word) - rankInAdded(word) + i);
}

/** The difference for clients that results in the words `to`; `change` is the same difference as words. */
export function differenceTo(
  to: PrefixWords,
  change: PrefixChange,
  checksums: Pick<ListDifference, "oldChecksum" | "checksum">,
): ListDifference {
  const rawHashes = bytesOf(change.added);
  const additions = rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }];
  return { ...checksums, removals: removalsOf(to, change), additions };
}

/** How many entries a difference removes and adds. */
export function entriesIn({ removals, additions }: ListDifference): number {
  return removals.length + countEntries(additions);
}
