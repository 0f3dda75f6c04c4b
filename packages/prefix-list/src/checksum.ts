import { fullHash, toHex } from "@x/sha256-prefix";
import { visitInOrder } from "./order.ts";
import type { RawHashes } from "./raw-hashes.ts";

/**
 * The SHA-256 of all the prefixes in ascending order, one after the other, in lower-case hex.
 *
 * @see Safe Browsing v4, Update API, `Checksum`
 */
export function checksumOf(batches: readonly RawHashes[]): string {
  if (batches.length === 1) return toHex(fullHash(batches[0]!.rawHashes));
  const all = new Uint8Array(batches.reduce((sum, { rawHashes }) => sum + rawHashes.length, 0));
  let used = 0;
  visitInOrder(batches, (batch, at) => {
    const { prefixSize, rawHashes } = batches[batch]!;
    for (let k = 0; k < prefixSize; k++) all[used++] = rawHashes[at + k]!;
  });
  return toHex(fullHash(all));
}
