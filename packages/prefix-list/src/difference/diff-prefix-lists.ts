import { rawHashesIn } from "../list/contents.ts";
import type { PrefixList } from "../list/prefix-list.ts";
import { checksumsByLength } from "../raw-hashes/checksum.ts";
import { toListIndices } from "../raw-hashes/merged-order.ts";
import { countOf, groupOfLength, type RawHashes } from "../raw-hashes/raw-hashes.ts";
import { compareBytes } from "../raw-hashes/words.ts";
import type { PrefixListDifference } from "./difference.ts";

/**
 * The indices of the prefixes in `group` that are not in `other`. Both groups are sorted and have the same prefix
 * length.
 */
function lackedBy(other: RawHashes, group: RawHashes): Uint32Array {
  const { prefixBytes, rawHashes: mine } = group;
  const theirs = other.rawHashes;
  const indices = new Uint32Array(countOf(group));
  let used = 0;
  let at = 0;
  for (let i = 0; i < indices.length; i++) {
    let order = 1;
    while (at < theirs.length) {
      order = compareBytes(theirs, at, mine, i * prefixBytes, prefixBytes);
      if (order >= 0) break;
      at += prefixBytes;
    }
    if (order !== 0) indices[used++] = i;
  }
  return indices.slice(0, used);
}

function pick({ prefixBytes, rawHashes }: RawHashes, indices: Uint32Array): RawHashes {
  const picked = new Uint8Array(indices.length * prefixBytes);
  indices.forEach((index, i) => {
    const at = index * prefixBytes;
    picked.set(rawHashes.subarray(at, at + prefixBytes), i * prefixBytes);
  });
  return { prefixBytes, rawHashes: picked };
}

/**
 * Returns the difference that turns one list into another: the indices of the prefixes to remove, and the prefixes to
 * add.
 *
 * The difference contains the name and the time of the second list. If both lists have the same prefixes, there are no
 * removals and no additions.
 *
 * @throws {PrefixListError} `layout-unsupported` when a list has another layout.
 * @throws {TypeError} when an argument is not a list.
 * @example
 * ```ts
 * import { diffPrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const difference = diffPrefixLists(prefixList([a, b]), prefixList([b, c]));
 * [...difference.removals]; // → [0]
 * difference.additions; // → [{ prefixBytes: 4, rawHashes: Uint8Array.of(3, 0, 0, 0) }]
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function diffPrefixLists(from: PrefixList, to: PrefixList): PrefixListDifference {
  const [old, fresh] = [rawHashesIn(from), rawHashesIn(to)];
  const removed = old.map((group) => lackedBy(groupOfLength(fresh, group.prefixBytes), group));
  const added = fresh.map((group) => lackedBy(groupOfLength(old, group.prefixBytes), group));
  return {
    name: to.name,
    created: to.created,
    oldChecksum: from.checksum,
    checksum: to.checksum,
    oldLengths: checksumsByLength(old, from.checksum),
    lengths: checksumsByLength(fresh, to.checksum),
    removals: toListIndices(old, removed),
    additions: fresh
      .map((group, number) => pick(group, added[number]!))
      .filter((group) => group.rawHashes.length > 0),
  };
}
