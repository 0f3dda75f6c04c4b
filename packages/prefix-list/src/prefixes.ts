import type { HashPrefix } from "@x/sha256-prefix";
import { visitInOrder } from "./order.ts";
import { type PrefixList, rawHashes } from "./prefix-list.ts";

/**
 * The prefixes of a list in ascending order of their octets, each in memory of its own.
 *
 * For millions of them {@link rawHashes} is the faster way.
 */
export function* prefixes(list: PrefixList): Generator<HashPrefix, void, undefined> {
  const batches = rawHashes(list);
  const order: [number, number][] = [];
  visitInOrder(batches, (batch, at) => order.push([batch, at]));
  for (const [batch, at] of order) {
    const { prefixSize, rawHashes: octets } = batches[batch]!;
    yield new Uint8Array(octets.subarray(at, at + prefixSize));
  }
}
