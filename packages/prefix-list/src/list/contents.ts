import type { HashPrefix } from "@x/sha256-prefix";
import { mergedOrder } from "../raw-hashes/merged-order.ts";
import type { RawHashes } from "../raw-hashes/raw-hashes.ts";
import { rawHashesOf } from "../table/table.ts";
import { checkLayout, type PrefixList } from "./prefix-list.ts";

/**
 * Returns all prefixes of a list as sorted {@link RawHashes}, one for each length, the shortest first.
 *
 * The arrays are copies, so you may change them. `prefixList(rawHashesIn(list), …)` makes a list with the same
 * prefixes.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList, rawHashesIn } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(2, 0, 0, 0), Uint8Array.of(1, 0, 0, 0)]);
 * rawHashesIn(list); // → [{ prefixBytes: 4, rawHashes: Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0) }]
 * ```
 */
export function rawHashesIn(list: PrefixList): RawHashes[] {
  checkLayout(list);
  return list.tables.map(rawHashesOf);
}

/**
 * Yields copies of the prefixes of a list, in ascending order.
 *
 * A prefix comes before the longer ones that begin with it. For millions of prefixes, {@link rawHashesIn} is faster.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixes, prefixList } from "@x/prefix-list";
 * import { toHex } from "@x/sha256-prefix";
 *
 * const list = prefixList([Uint8Array.of(2, 0, 0, 0), Uint8Array.of(1, 0, 0, 0, 9)]);
 * [...prefixes(list)].map(toHex); // → ["0100000009", "02000000"]
 * ```
 */
export function* prefixes(list: PrefixList): Generator<HashPrefix, void, undefined> {
  const groups = rawHashesIn(list);
  const next = groups.map(() => 0);
  for (const number of mergedOrder(groups)) {
    const { prefixBytes, rawHashes } = groups[number]!;
    const at = next[number]!;
    next[number] = at + prefixBytes;
    yield new Uint8Array(rawHashes.subarray(at, at + prefixBytes));
  }
}
