import type { PrefixList } from "@x/prefix-list";
import {
  maybeListed,
  mayMatch,
  type PrefixBloomFilter,
  prefixBloomFilterInSteps,
} from "@x/prefix-list/search";

/**
 * Finds the indices `i` below `count` for which `words[i]` may begin a listed hash, writes them into `found`, and
 * returns the number of these indices.
 */
export type SelectMaybeListed = (words: Uint32Array, count: number, found: Uint32Array) => number;

/**
 * The number of look-ups per prefix after which a Bloom filter is made. By then, the filter would have saved more time
 * than it takes to make.
 */
const WORTHWHILE_LOOKUPS = 1 / 16;

/**
 * The number of prefixes that each call adds to the Bloom filter. The number is so small that a call takes at most a
 * millisecond or two longer.
 */
const PREFIXES_PER_STEP = 2 ** 16;

/** Selects the hashes to look up in some lists, with a Bloom filter once it pays off. */
export function selectMaybeListed(
  lists: readonly PrefixList[],
  withBloomFilter: boolean,
): SelectMaybeListed {
  const size = lists.reduce((sum, list) => sum + list.size, 0);
  let left = withBloomFilter ? size * WORTHWHILE_LOOKUPS : Number.POSITIVE_INFINITY;
  const making = prefixBloomFilterInSteps(lists, PREFIXES_PER_STEP);
  let filter: PrefixBloomFilter | null = null;

  return (words, count, found) => {
    if (filter !== null) return maybeListed(filter, words, count, found);
    left -= count;
    if (left < 0) filter = making.next().value ?? null;
    let next = 0;
    for (let i = 0; i < count; i++) if (mayMatchAny(lists, words[i]!)) found[next++] = i;
    return next;
  };
}

/** Whether any list may hold a prefix of a hash that begins with `word`. */
function mayMatchAny(lists: readonly PrefixList[], word: number): boolean {
  for (let i = 0; i < lists.length; i++) if (mayMatch(lists[i]!, word)) return true;
  return false;
}
