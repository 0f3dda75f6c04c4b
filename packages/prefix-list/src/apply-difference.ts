import { checkDifference } from "./check-difference.ts";
import type { PrefixListDifference } from "./difference.ts";
import { PrefixListError } from "./error.ts";
import { toPositions } from "./places.ts";
import { type PrefixList, prefixList, rawHashesIn } from "./prefix-list.ts";
import type { RawHashes } from "./raw-hashes.ts";

/** The batch without the prefixes at the given ascending positions. */
function drop({ prefixSize, rawHashes: octets }: RawHashes, positions: Uint32Array): RawHashes {
  const kept = new Uint8Array(octets.length - positions.length * prefixSize);
  let used = 0;
  let from = 0;
  const keepUntil = (end: number) => {
    kept.set(octets.subarray(from, end), used);
    used += end - from;
    from = end + prefixSize;
  };
  for (const position of positions) keepUntil(position * prefixSize);
  keepUntil(octets.length);
  return { prefixSize, rawHashes: kept };
}

/**
 * The list that a difference makes of the list it was made for: exactly the one it was made to, as the
 * checksums of both prove.
 *
 * @throws {PrefixListError} `base-wrong` when the difference was made for a list with other prefixes;
 * `difference-invalid` when its removals are not ascending places in the list, its additions not sorted
 * batches of prefixes, or its checksums none; `checksum-wrong` when what comes out is not what it promises.
 * @throws {RangeError} when its name or time is one that no list can have.
 * @example
 * ```ts
 * import { applyDifference, diffPrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const [monday, tuesday] = [prefixList([a, b]), prefixList([b, c])];
 * const difference = diffPrefixLists(monday, tuesday);
 * applyDifference(monday, difference).checksum === tuesday.checksum; // → true
 * applyDifference(tuesday, difference); // throws base-wrong
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function applyDifference(list: PrefixList, difference: PrefixListDifference): PrefixList {
  checkDifference(difference);
  const { name, created, oldChecksum, checksum, removals, additions } = difference;
  if (oldChecksum !== list.checksum) {
    const message = `The difference is for the list ${oldChecksum}, not for ${list.checksum}`;
    throw new PrefixListError("base-wrong", message);
  }
  const last = removals.at(-1);
  if (last !== undefined && last >= list.size) {
    const message = `The difference removes place ${last} of ${list.size}`;
    throw new PrefixListError("difference-invalid", message);
  }
  const old = rawHashesIn(list);
  const removed = toPositions(old, removals);
  const kept = old.map((batch, number) => drop(batch, removed[number]!));
  const result = prefixList([...kept, ...additions], { name, created });
  if (result.checksum !== checksum) {
    const message = `The difference promises the list ${checksum}, but makes ${result.checksum}`;
    throw new PrefixListError("checksum-wrong", message);
  }
  return result;
}
