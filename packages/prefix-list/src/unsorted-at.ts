import { compareOctets } from "./compare.ts";
import type { RawHashes } from "./raw-hashes.ts";

/** The number of the first prefix that does not sort after the one before it; -1 when there is none. */
export function unsortedAt({ prefixSize, rawHashes }: RawHashes): number {
  for (let i = prefixSize; i < rawHashes.length; i += prefixSize) {
    if (compareOctets(rawHashes, i - prefixSize, rawHashes, i, prefixSize) >= 0) {
      return i / prefixSize;
    }
  }
  return -1;
}
