import { compareOctets } from "./compare.ts";
import type { PrefixListDifference } from "./difference.ts";
import { toPlaces } from "./places.ts";
import { type PrefixList, rawHashesIn } from "./prefix-list.ts";
import type { RawHashes } from "./raw-hashes.ts";

/** The positions of the prefixes of a sorted batch that the other, of the same length, lacks. */
function lacking(batch: RawHashes, other: RawHashes | undefined): Uint32Array {
  const { prefixSize, rawHashes: mine } = batch;
  const theirs = other === undefined ? new Uint8Array(0) : other.rawHashes;
  const positions = new Uint32Array(mine.length / prefixSize);
  let used = 0;
  let at = 0;
  for (let i = 0; i < positions.length; i++) {
    let order = 1;
    while (at < theirs.length) {
      order = compareOctets(theirs, at, mine, i * prefixSize, prefixSize);
      if (order >= 0) break;
      at += prefixSize;
    }
    if (order !== 0) positions[used++] = i;
  }
  return positions.slice(0, used);
}

/** {@link lacking}, for each batch. */
function lackingOf(batches: readonly RawHashes[], others: readonly RawHashes[]): Uint32Array[] {
  return batches.map((batch) => {
    const other = others.find(({ prefixSize }) => prefixSize === batch.prefixSize);
    return lacking(batch, other);
  });
}

function pick({ prefixSize, rawHashes: octets }: RawHashes, positions: Uint32Array): RawHashes {
  const picked = new Uint8Array(positions.length * prefixSize);
  positions.forEach((position, i) => {
    const at = position * prefixSize;
    picked.set(octets.subarray(at, at + prefixSize), i * prefixSize);
  });
  return { prefixSize, rawHashes: picked };
}

/**
 * The difference that makes one list into another: what to remove, by place, and what to add.
 *
 * It brings the name and the time of the second list along. Two equal lists have a difference without
 * removals and additions.
 *
 * @example
 * ```ts
 * import { diffPrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const difference = diffPrefixLists(prefixList([a, b]), prefixList([b, c]));
 * [...difference.removals]; // → [0]
 * difference.additions; // → [{ prefixSize: 4, rawHashes: Uint8Array.of(3, 0, 0, 0) }]
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function diffPrefixLists(from: PrefixList, to: PrefixList): PrefixListDifference {
  const [old, fresh] = [rawHashesIn(from), rawHashesIn(to)];
  const added = lackingOf(fresh, old);
  return {
    name: to.name,
    created: to.created,
    oldChecksum: from.checksum,
    checksum: to.checksum,
    removals: toPlaces(old, lackingOf(old, fresh)),
    additions: fresh
      .map((batch, number) => pick(batch, added[number]!))
      .filter((batch) => batch.rawHashes.length > 0),
  };
}
