import { fullHash, toHex } from "@x/sha256-prefix";
import { mergedOrder } from "./merged-order.ts";
import type { RawHashes } from "./raw-hashes.ts";

function inOneOrder(batches: readonly RawHashes[]): Uint8Array {
  const all = new Uint8Array(batches.reduce((sum, { rawHashes }) => sum + rawHashes.length, 0));
  const next = batches.map(() => 0);
  let used = 0;
  for (const number of mergedOrder(batches)) {
    const { prefixSize, rawHashes } = batches[number]!;
    const at = next[number]!;
    for (let k = 0; k < prefixSize; k++) all[used + k] = rawHashes[at + k]!;
    used += prefixSize;
    next[number] = at + prefixSize;
  }
  return all;
}

/**
 * The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex.
 *
 * @see Safe Browsing v4, Update API, `Checksum`
 */
export function checksumOf(batches: readonly RawHashes[]): string {
  return toHex(fullHash(batches.length === 1 ? batches[0]!.rawHashes : inOneOrder(batches)));
}
