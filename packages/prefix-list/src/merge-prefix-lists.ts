import { type PrefixList, type PrefixListOptions, prefixList, rawHashesIn } from "./prefix-list.ts";

/**
 * The list of all prefixes that are in at least one of the given lists.
 *
 * @param options as for {@link prefixList}: the name and the time are not taken from any of the lists.
 * @throws {RangeError} as {@link prefixList} does.
 * @example
 * ```ts
 * import { mergePrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const lists = [prefixList([a, b]), prefixList([b, c])];
 * mergePrefixLists(lists, { name: "unwanted" }).size; // → 3
 * ```
 */
export function mergePrefixLists(
  lists: Iterable<PrefixList>,
  options: PrefixListOptions = {},
): PrefixList {
  return prefixList([...lists].flatMap(rawHashesIn), options);
}
