import { PrefixListError } from "../error.ts";
import { checkEntryCount, type EntryLimit, maxEntriesOf } from "../limits.ts";
import { rawHashesIn } from "../list/contents.ts";
import { listOfSorted, type PrefixList } from "../list/prefix-list.ts";
import { checksumOf, checksumsByLength, type LengthChecksum } from "../raw-hashes/checksum.ts";
import { checkDifference, type PrefixListDifference } from "./difference.ts";
import { updateGroups } from "./update-prefix-list.ts";

function isEqual(a: readonly LengthChecksum[], b: readonly LengthChecksum[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ prefixBytes, count, checksum }, i) => {
      const other = b[i]!;
      return (
        prefixBytes === other.prefixBytes && count === other.count && checksum === other.checksum
      );
    })
  );
}

/**
 * The list that a difference makes of the list it was made for. The checksums of both lists, for each prefix
 * length, prove that it is exactly the list that the difference was made to.
 *
 * @throws {PrefixListError} `base-wrong` when the difference was made for a list with other prefixes;
 * `difference-invalid` when its parts do not fit each other or the list, such as removals out of order or
 * additions that the list has; `too-many-entries` when the new list has more than `maxEntries`;
 * `checksum-wrong` when the new list is not the one that the difference names; `layout-unsupported` when the
 * list has another layout.
 * @throws {RangeError} when the name or the time is one that no list can have.
 * @throws {TypeError} when an argument is of the wrong type.
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
export function applyDifference(
  list: PrefixList,
  difference: PrefixListDifference,
  options: EntryLimit = {},
): PrefixList {
  const maxEntries = maxEntriesOf(options);
  const old = rawHashesIn(list);
  checkDifference(difference);
  const { name, created, oldChecksum, checksum, oldLengths, lengths } = difference;
  const isBase = list.checksum === oldChecksum;
  if (!isBase || !isEqual(checksumsByLength(old, list.checksum), oldLengths)) {
    const message = `The difference is for the list ${oldChecksum}, not for this ${list.checksum}`;
    throw new PrefixListError("base-wrong", message);
  }
  checkEntryCount(
    lengths.reduce((sum, { count }) => sum + count, 0),
    maxEntries,
  );
  const groups = updateGroups(old, difference);
  const result = checksumOf(groups);
  if (result !== checksum || !isEqual(checksumsByLength(groups, result), lengths)) {
    const message = `The difference names the list ${checksum}, but makes ${result}`;
    throw new PrefixListError("checksum-wrong", message);
  }
  return listOfSorted(groups, { name, created, checksum });
}
