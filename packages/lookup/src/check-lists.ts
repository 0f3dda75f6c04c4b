import type { PrefixList } from "@x/prefix-list";
import { checkLayout } from "@x/prefix-list/search";
import { typeError } from "@x/sha256-prefix/type-error";

/** One list or several, as an array. With anything else, no URL would ever be listed, so that is a `TypeError`. */
export function checkLists(argument: string, lists: unknown): readonly PrefixList[] {
  if (Array.isArray(lists)) {
    // Not `map`, which skips elements that were never set.
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
