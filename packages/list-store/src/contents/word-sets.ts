import { NO_WORDS, type PrefixWords } from "./prefix-words.ts";

/** Operations on sets of prefixes in one form, such as words. All sets are in ascending order. */
export interface SetOperations<Part> {
  /** The empty set. */
  readonly none: Part;
  /** The prefixes of `a` that are not in `b`. */
  without(a: Part, b: Part): Part;
  /** The union of two sets that have no prefixes in common. */
  union(a: Part, b: Part): Part;
}

/**
 * The words of `a` that are not in `b`. The function never reads beyond the end of an array, because that would double
 * its time.
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

/** The words that are in both `a` and `b`. */
export function common(a: PrefixWords, b: PrefixWords): PrefixWords {
  return without(a, without(a, b));
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

export const WORD_SETS: SetOperations<PrefixWords> = { none: NO_WORDS, without, union };
