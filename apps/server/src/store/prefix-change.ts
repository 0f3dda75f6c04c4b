import type { RawHashes } from "@x/prefix-list";
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

/** How a client turns an older list into a newer one, in the terms of the protocols. */
export interface ListDifference {
  /** The checksum of the list that this applies to. */
  readonly oldChecksum: string;
  readonly checksum: string;
  /** The prefixes to remove first, as ascending indices in the old list. */
  readonly removals: Uint32Array;
  /** The prefixes to add after that: none, or one sorted group. */
  readonly additions: readonly RawHashes[];
}

/**
 * The difference for clients that results in the words `to`; `change` is the same difference as words.
 *
 * The index of a removed prefix in the old list follows from its rank in the new one, so that the old list is not
 * needed.
 */
export function differenceTo(
  to: PrefixWords,
  change: PrefixChange,
  checksums: Pick<ListDifference, "oldChecksum" | "checksum">,
): ListDifference {
  const { removed, added } = change;
  const removals = removed.map((word, i) => countBelow(to, word) - countBelow(added, word) + i);
  const additions =
    added.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes: bytesOf(added) }];
  return { ...checksums, removals, additions };
}
