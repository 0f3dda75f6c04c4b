import type { LoadedList } from "../../store/list-reader.ts";
import { listOfWords } from "../../store/prefix-words.ts";

/** The most entries that a client accepts in one update and in its list; 0 for any number. */
export interface UpdateLimits {
  readonly update: number;
  readonly database: number;
}

export const NO_LIMITS: UpdateLimits = { update: 0, database: 0 };

/**
 * How many prefixes of a list a client gets; `null` for all.
 *
 * The number is rounded down to a power of two, so only a few different lists are made and kept.
 */
export function cutFor(list: LoadedList, { update, database }: UpdateLimits): number | null {
  const most = Math.min(update || Infinity, database || Infinity);
  if (list.words.length <= most) return null;
  return 2 ** Math.floor(Math.log2(most));
}

const cutLists = new WeakMap<LoadedList, Map<number, LoadedList>>();

/** The list with only its first prefixes. */
export function cutList(list: LoadedList, count: number): LoadedList {
  const cuts = cutLists.get(list) ?? new Map<number, LoadedList>();
  cutLists.set(list, cuts);
  let cut = cuts.get(count);
  if (cut === undefined) {
    const words = list.words.slice(0, count);
    const { name, created } = list.prefixes;
    cut = { ...list, words, prefixes: listOfWords(words, name, created) };
    cuts.set(count, cut);
  }
  return cut;
}
