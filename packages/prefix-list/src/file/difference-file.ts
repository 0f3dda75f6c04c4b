import { checkDifference, type PrefixListDifference } from "../difference/difference.ts";
import { type EntryLimit, maxEntriesOf } from "../limits.ts";
import { DIFFERENCE_KIND, REMOVALS } from "./list-file-format.ts";
import { readFrame } from "./read-frame.ts";
import { decodePrefixes, decodeValues, encodePrefixes, encodeRemovals } from "./section.ts";
import { writeFrame } from "./write-frame.ts";

/**
 * Encodes a difference as the bytes of a file. Like lists, differences are Rice coded.
 *
 * @throws {PrefixListError} `difference-invalid` when the parts of the difference contradict each other.
 * @throws {RangeError} when its name or time is one that no list can have.
 * @throws {TypeError} when `difference` is not a difference.
 * @example
 * ```ts
 * import { decodeDifference, diffPrefixLists, encodeDifference, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const difference = diffPrefixLists(prefixList([a, b]), prefixList([b, c]));
 * decodeDifference(encodeDifference(difference)); // → difference
 * ```
 * @see README, File format
 */
export function encodeDifference(difference: PrefixListDifference): Uint8Array<ArrayBuffer> {
  checkDifference(difference);
  const { name, created, checksum, oldChecksum, oldLengths, lengths } = difference;
  const { removals, additions } = difference;
  return writeFrame({
    kind: DIFFERENCE_KIND,
    name,
    created,
    checksum,
    oldChecksum,
    oldLengths,
    lengths,
    sections: [
      ...(removals.length > 0 ? [encodeRemovals(removals)] : []),
      ...additions.map(encodePrefixes),
    ],
  });
}

/**
 * Reads a difference that {@link encodeDifference} wrote, and checks the hashes of its header and of its body.
 * {@link applyDifference} checks that it is applied to the right list and that the result is correct.
 *
 * @param options `maxEntries` limits the number of removals and, separately, the number of additions.
 * @throws {PrefixListError} when the bytes are not a complete, undamaged difference: `foreign`, `version-unknown`,
 * `kind-wrong`, `truncated`, `header-damaged`, `header-invalid`, `body-damaged` or `difference-invalid`; or when it has
 * more than `maxEntries` entries: `too-many-entries`.
 * @throws {RangeError} when `maxEntries` is negative or not a whole number.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`, or `maxEntries` is not a number.
 * @example
 * ```ts
 * import { decodeDifference, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * decodeDifference(encodePrefixList(prefixList([]))); // throws kind-wrong
 * ```
 * @see README, File format
 */
export function decodeDifference(
  bytes: Uint8Array,
  options: EntryLimit = {},
): PrefixListDifference {
  const frame = readFrame(bytes, DIFFERENCE_KIND, maxEntriesOf(options));
  const removals = frame.sections.find(({ prefixBytes }) => prefixBytes === REMOVALS);
  const difference: PrefixListDifference = {
    name: frame.name,
    created: frame.created,
    oldChecksum: frame.oldChecksum,
    checksum: frame.checksum,
    oldLengths: frame.oldLengths,
    lengths: frame.lengths,
    removals: removals === undefined ? new Uint32Array(0) : decodeValues(removals),
    additions: frame.sections.filter((section) => section !== removals).map(decodePrefixes),
  };
  checkDifference(difference);
  return difference;
}
