import type { PrefixListDifference } from "./difference.ts";
import { PrefixListError } from "./error.ts";
import { visitInOrder } from "./order.ts";
import { type PrefixList, prefixList, rawHashes } from "./prefix-list.ts";

/**
 * The list that a difference makes of the list it was made for.
 *
 * @throws {PrefixListError} `base-wrong` when it was made for another list, `difference-invalid` when its
 * removals or additions cannot be, `checksum-wrong` when what comes out is not the list it promises.
 */
export function applyDifference(list: PrefixList, difference: PrefixListDifference): PrefixList {
  if (difference.oldChecksum !== list.checksum) {
    throw new PrefixListError("base-wrong", "The difference was made for another list");
  }
  const { name, created, removals, additions } = difference;
  const old = rawHashes(list);
  const kept = old.map(({ rawHashes: octets }) => ({
    octets: new Uint8Array(octets.length),
    used: 0,
  }));
  let place = 0;
  let removed = 0;
  visitInOrder(old, (number, at) => {
    if (removals[removed] === place++) {
      removed++;
      return;
    }
    const { prefixSize, rawHashes: octets } = old[number]!;
    const into = kept[number]!;
    into.octets.set(octets.subarray(at, at + prefixSize), into.used);
    into.used += prefixSize;
  });
  if (removed !== removals.length) {
    const message = `Removal ${removed} is out of order or beyond the list`;
    throw new PrefixListError("difference-invalid", message);
  }
  const result = prefixList(
    [
      ...old.map(({ prefixSize }, i) => ({
        prefixSize,
        rawHashes: kept[i]!.octets.subarray(0, kept[i]!.used),
      })),
      ...additions,
    ],
    { name, created },
  );
  if (result.checksum !== difference.checksum) {
    throw new PrefixListError("checksum-wrong", "What comes out is not the list promised");
  }
  return result;
}
