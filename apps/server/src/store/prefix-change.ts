import { setImmediate as nextTurn } from "node:timers/promises";
import type { PrefixListChanges } from "@x/prefix-list";
import { bytesOf, countBelow, PREFIX_BYTES, type PrefixWords } from "./prefix-words.ts";

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

/** The words of `a` that are not in `b`. */
function without(a: PrefixWords, b: PrefixWords): PrefixWords {
  const rest = new Uint32Array(a.length);
  let used = 0;
  let at = 0;
  for (const word of a) {
    while (at < b.length && b[at]! < word) at++;
    if (b[at] !== word) rest[used++] = word;
  }
  return rest.slice(0, used);
}

export function changeBetween(from: PrefixWords, to: PrefixWords): PrefixChange {
  return { removed: without(from, to), added: without(to, from) };
}

/** All words of two ascending sequences without common words. */
function union(a: PrefixWords, b: PrefixWords): PrefixWords {
  const all = new Uint32Array(a.length + b.length);
  for (let i = 0, j = 0; i + j < all.length; ) {
    const takesA = j === b.length || (i < a.length && a[i]! < b[j]!);
    all[i + j] = takesA ? a[i++]! : b[j++]!;
  }
  return all;
}

/** Joins two consecutive changes. A prefix that was added and then removed is in neither part of the result. */
export function joinChanges(first: PrefixChange, second: PrefixChange): PrefixChange {
  return {
    removed: union(without(first.removed, second.added), without(second.removed, first.added)),
    added: union(without(first.added, second.removed), without(second.added, first.removed)),
  };
}

/** How many words are worked on before other requests have their turn: about a millisecond. */
const SLICE_WORDS = 2 ** 15;

function concatenated(parts: readonly PrefixWords[]): PrefixWords {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const part of parts) {
    all.set(part, next);
    next += part.length;
  }
  return all;
}

export function wordsIn({ removed, added }: PrefixChange): number {
  return removed.length + added.length;
}

/** Joins two consecutive changes as {@link joinChanges} does, one slice of the words after another. */
export async function joinInSlices(
  first: PrefixChange,
  second: PrefixChange,
): Promise<PrefixChange> {
  const slices = Math.ceil((wordsIn(first) + wordsIn(second)) / SLICE_WORDS);
  if (slices <= 1) return joinChanges(first, second);
  const removed: PrefixWords[] = [];
  const added: PrefixWords[] = [];
  for (let i = 0; i < slices; i++) {
    const [from, to] = [(i / slices) * 2 ** 32, ((i + 1) / slices) * 2 ** 32];
    const between = (words: PrefixWords) =>
      words.subarray(countBelow(words, from), countBelow(words, to));
    const part = joinChanges(
      { removed: between(first.removed), added: between(first.added) },
      { removed: between(second.removed), added: between(second.added) },
    );
    removed.push(part.removed);
    added.push(part.added);
    await nextTurn();
  }
  return { removed: concatenated(removed), added: concatenated(added) };
}

/** How a client turns an older list into a newer one, in the terms of the protocols: at most one group is added. */
export interface ListDifference extends PrefixListChanges {
  /** The checksum of the list that this applies to. */
  readonly oldChecksum: string;
  readonly checksum: string;
}

/**
 * The indices in the old list of the removed prefixes with the indices `from` to `end`.
 *
 * They follow from the ranks of the prefixes in the new list, so that the old list is not needed.
 */
function removalsOf(
  to: PrefixWords,
  { removed, added }: PrefixChange,
  from: number,
  end: number,
): Uint32Array {
  return removed
    .subarray(from, end)
    .map((word, i) => countBelow(to, word) - countBelow(added, word) + from + i);
}

function asDifference(
  checksums: Pick<ListDifference, "oldChecksum" | "checksum">,
  removals: Uint32Array,
  rawHashes: Uint8Array,
): ListDifference {
  const additions = rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }];
  return { ...checksums, removals, additions };
}

/** The difference for clients that results in the words `to`; `change` is the same difference as words. */
export function differenceTo(
  to: PrefixWords,
  change: PrefixChange,
  checksums: Pick<ListDifference, "oldChecksum" | "checksum">,
): ListDifference {
  const removals = removalsOf(to, change, 0, change.removed.length);
  return asDifference(checksums, removals, bytesOf(change.added));
}

/** The same as {@link differenceTo}, one slice after another. The removals are in memory that threads can share. */
export async function differenceInSlices(
  to: PrefixWords,
  change: PrefixChange,
  checksums: Pick<ListDifference, "oldChecksum" | "checksum">,
): Promise<ListDifference> {
  const { removed, added } = change;
  const removals = new Uint32Array(new SharedArrayBuffer(removed.byteLength));
  for (let i = 0; i < removed.length; i += SLICE_WORDS) {
    if (i > 0) await nextTurn();
    removals.set(removalsOf(to, change, i, i + SLICE_WORDS), i);
  }
  const rawHashes = new Uint8Array(added.length * PREFIX_BYTES);
  for (let i = 0; i < added.length; i += SLICE_WORDS) {
    if (i > 0) await nextTurn();
    rawHashes.set(bytesOf(added.subarray(i, i + SLICE_WORDS)), i * PREFIX_BYTES);
  }
  return asDifference(checksums, removals, rawHashes);
}
