import { type Checker, checker } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { ServedList } from "./served-lists.ts";

/**
 * How many checkers are kept. Each takes half a megabyte and, once its Bloom filter is made, about one more byte for
 * each prefix.
 */
const MAX_KEPT = 8;

/** Returns a checker for `lists`, except those without a version that may be served. `all` are all current lists. */
export type CheckerOf = (lists: readonly ServedList[], all: readonly ServedList[]) => Checker;

interface KeptChecker {
  readonly prefixes: readonly PrefixList[];
  readonly checker: Checker;
}

const prefixesOf = (lists: readonly ServedList[]): PrefixList[] =>
  lists.flatMap(({ loaded }) => (loaded === null ? [] : [loaded.prefixes]));

/**
 * Keeps a checker for each set of lists that callers may see. The time that a check takes depends on all lists of the
 * checker, so a caller who may not see a private list gets a checker without it. There are few sets, because they
 * depend only on the API keys.
 */
export function listCheckers(): CheckerOf {
  let kept: KeptChecker[] = [];
  return (lists, all) => {
    const prefixes = prefixesOf(lists);
    const known = kept.find(
      (each) =>
        each.prefixes.length === prefixes.length &&
        each.prefixes.every((list, i) => list === prefixes[i]),
    );
    if (known !== undefined) {
      if (known !== kept[0]) kept = [known, ...kept.filter((each) => each !== known)];
      return known.checker;
    }
    const made = { prefixes, checker: checker(prefixes) };
    // Drop checkers of older versions, which would keep these versions in memory.
    const current = new Set(prefixesOf(all));
    const isCurrent = ({ prefixes }: KeptChecker) => prefixes.every((list) => current.has(list));
    kept = [made, ...kept].filter(isCurrent).slice(0, MAX_KEPT);
    return made.checker;
  };
}
