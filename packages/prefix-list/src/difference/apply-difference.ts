import { typeError } from "@x/sha256-prefix/type-error";
import { ownOptions } from "../check-arguments.ts";
import { PrefixListError } from "../error.ts";
import { checkEntryCount, type EntryLimit, maxEntriesOf } from "../limits.ts";
import { rawHashesIn } from "../list/contents.ts";
import { listOfSorted, type PrefixList } from "../list/prefix-list.ts";
import { checksumOf, checksumsByLength, type LengthChecksum } from "../raw-hashes/checksum.ts";
import { checkDifference, type PrefixListDifference } from "./difference.ts";
import { updateGroups } from "./update-prefix-list.ts";

/** The options of `applyDifference`. */
export interface ApplyDifferenceOptions extends EntryLimit {
  /** Whether the new list may have an earlier `created` than the old one. The default is `false`. */
  readonly allowOlder?: boolean | undefined;
  /** Whether the name of the new list may differ from that of the old one. The default is `false`. */
  readonly allowRename?: boolean | undefined;
}

/** Throws when the difference goes back in time or changes the name, unless the options allow it. */
function checkFacts(
  list: PrefixList,
  { name, created }: PrefixListDifference,
  options: ApplyDifferenceOptions,
): void {
  const { allowOlder = false, allowRename = false } = ownOptions(options);
  if (typeof allowOlder !== "boolean") throw typeError("allowOlder", "a boolean", allowOlder);
  if (typeof allowRename !== "boolean") throw typeError("allowRename", "a boolean", allowRename);
  if (name !== list.name && !allowRename) {
    const names = `${JSON.stringify(name.slice(0, 40))}, not ${JSON.stringify(list.name.slice(0, 40))}`;
    throw new PrefixListError(
      "name-different",
      `The difference makes a list with the name ${names}`,
    );
  }
  if (created < list.created && !allowOlder) {
    const message = `The difference makes a list with the time ${created}, but this list has ${list.created}`;
    throw new PrefixListError("created-earlier", message);
  }
}

/** The prefix lengths, counts and checksums as one string, for comparison. */
function keyOf(lengths: readonly LengthChecksum[]): string {
  return lengths.map((each) => `${each.prefixBytes} ${each.count} ${each.checksum}`).join();
}

/**
 * Applies a difference to the list it was made for, and returns the new list. The checksums of each prefix length, in
 * both lists, prove that the result is exactly the list that the difference describes.
 *
 * @throws {PrefixListError} `base-wrong` when the difference was made for a list with other prefixes; `name-different`
 * when the new list has another name and `allowRename` is not set; `created-earlier` when it has an earlier time and
 * `allowOlder` is not set; `difference-invalid` when the difference contradicts itself or the list, for example when
 * an addition is already in the list; `too-many-entries` when the new list has more than `maxEntries` entries;
 * `checksum-wrong` when the new list does not have the checksums in the difference; `layout-unsupported` when the list
 * has another layout.
 * @throws {RangeError} when the name, the time or `maxEntries` is out of range.
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
  options: ApplyDifferenceOptions = {},
): PrefixList {
  const maxEntries = maxEntriesOf(options);
  const old = rawHashesIn(list);
  checkDifference(difference);
  const { name, created, oldChecksum, checksum, oldLengths, lengths } = difference;
  const isBase = list.checksum === oldChecksum;
  if (!isBase || keyOf(checksumsByLength(old, list.checksum)) !== keyOf(oldLengths)) {
    const message = `The difference was made for the list ${oldChecksum}, not for ${list.checksum}`;
    throw new PrefixListError("base-wrong", message);
  }
  checkFacts(list, difference, options);
  checkEntryCount(
    lengths.reduce((sum, { count }) => sum + count, 0),
    maxEntries,
  );
  const groups = updateGroups(old, difference);
  const result = checksumOf(groups);
  if (result !== checksum || keyOf(checksumsByLength(groups, result)) !== keyOf(lengths)) {
    const message = `The difference must make the list ${checksum}, but makes ${result}`;
    throw new PrefixListError("checksum-wrong", message);
  }
  return listOfSorted(groups, { name, created, checksum });
}
