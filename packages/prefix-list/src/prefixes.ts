import type { HashPrefix } from "@x/sha256-prefix";
import { mergedOrder } from "./merged-order.ts";
import { type PrefixList, rawHashesIn } from "./prefix-list.ts";

/**
 * The prefixes of a list in ascending order of their octets, each in memory of its own.
 *
 * A prefix comes before the longer ones that begin with it. For millions, {@link rawHashesIn} is the faster way.
 *
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
  const batches = rawHashesIn(list);
  const next = batches.map(() => 0);
  for (const number of mergedOrder(batches)) {
    const { prefixSize, rawHashes: octets } = batches[number]!;
    const at = next[number]!;
    next[number] = at + prefixSize;
    yield new Uint8Array(octets.subarray(at, at + prefixSize));
  }
}
