import { type PrefixList, type PrefixListOptions, prefixList, rawHashes } from "./prefix-list.ts";

/** The list of all prefixes that are in at least one of the given lists. */
export function mergePrefixLists(
  lists: Iterable<PrefixList>,
  options: PrefixListOptions = {},
): PrefixList {
  return prefixList([...lists].flatMap(rawHashes), options);
}
