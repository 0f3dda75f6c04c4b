import { createHash } from "node:crypto";

/** The prefixes that a client keeps, in hex and in ascending order. */
export type PlainList = readonly string[];

export function plainChecksum(list: PlainList): string {
  return createHash("sha256")
    .update(Buffer.from(list.join(""), "hex"))
    .digest("hex");
}

/** The prefixes of full hashes, of four bytes by default. */
export function plainList(fullHashes: Uint8Array, prefixBytes = 4): PlainList {
  const prefixes = new Set<string>();
  for (let at = 0; at < fullHashes.length; at += 32) {
    prefixes.add(Buffer.from(fullHashes.subarray(at, at + prefixBytes)).toString("hex"));
  }
  return [...prefixes].sort();
}

/** Updates a list as the protocols say: removals by index, then additions, then a check of the checksum. */
export function plainUpdate(
  list: PlainList,
  removals: readonly number[],
  additions: readonly string[],
  checksum: string,
): PlainList {
  for (const [i, index] of removals.entries()) {
    if (index >= list.length || (i > 0 && index <= removals[i - 1]!)) {
      throw new Error(`the removal of index ${index} does not apply`);
    }
  }
  const removed = new Set(removals);
  const old = new Set(list);
  for (const prefix of additions) {
    // Firefox refuses to add a known prefix even when the same update removes it.
    if (old.has(prefix)) throw new Error(`${prefix} is added, but is there already`);
  }
  const updated = [...list.filter((_, index) => !removed.has(index)), ...additions].sort();
  if (plainChecksum(updated) !== checksum) throw new Error("the update does not apply");
  return updated;
}
