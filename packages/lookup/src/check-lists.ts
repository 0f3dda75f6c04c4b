import type { PrefixList } from "@x/prefix-list";
import { checkLayout } from "@x/prefix-list/search";
import { typeError } from "@x/sha256-prefix/type-error";

/** Returns one list or several as an array. Anything else throws a `TypeError`, because no URL would ever be listed. */
export function checkLists(argument: string, lists: unknown): readonly PrefixList[] {
  if (Array.isArray(lists)) {
    // `map` is not used, because it skips elements that were never set.
    return Array.from(lists, (list: unknown, i) => {
      checkLayout(list, `${argument}[${i}]`);
      return list;
    });
  }
  if (typeof lists !== "object" || lists === null || !Object.hasOwn(lists, "layout")) {
    throw typeError(argument, "a PrefixList or an array of them", lists);
  }
  checkLayout(lists, argument);
  return [lists];
}
