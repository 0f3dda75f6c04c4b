import { fromHex, toHex } from "@x/sha256-prefix";
import { checkDifference } from "./check-difference.ts";
import type { PrefixListDifference } from "./difference.ts";
import { DIFFERENCE_KIND, REMOVALS } from "./file-layout.ts";
import { readFile } from "./read-file.ts";
import { decodePrefixes, decodeRemovals, encodePrefixes, encodeRemovals } from "./section.ts";
import { writeFile } from "./write-file.ts";

/**
 * The difference as the octets of a file, Rice-Golomb coded as lists are.
 *
 * @throws {PrefixListError} `difference-invalid` when its removals or additions are out of order or out of
 * range, or its checksums are none.
 * @throws {RangeError} when its name or time is one that no list can have.
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
  const { name, created, checksum, oldChecksum, removals, additions } = difference;
  return writeFile({
    kind: DIFFERENCE_KIND,
    name,
    created,
    checksum: fromHex(checksum),
    oldChecksum: fromHex(oldChecksum),
    sections: [
      ...(removals.length > 0 ? [encodeRemovals(removals)] : []),
      ...additions.map(encodePrefixes),
    ],
  });
}

/**
 * The difference that {@link encodeDifference} wrote, proven by the hashes of its header and of its body. Which
 * list it is for, and what it makes of it, {@link applyDifference} proves.
 *
 * @throws {PrefixListError} when the octets are anything else than a whole, undamaged difference: `foreign`,
 * `version-unknown`, `kind-wrong`, `truncated`, `header-damaged`, `header-invalid` or `body-damaged`.
 * @throws {TypeError} when `octets` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { decodeDifference, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * decodeDifference(encodePrefixList(prefixList([]))); // throws kind-wrong
 * ```
 * @see README, File format
 */
export function decodeDifference(octets: Uint8Array): PrefixListDifference {
  const { name, created, checksum, oldChecksum, sections } = readFile(octets, DIFFERENCE_KIND);
  const removals = sections[0]?.prefixBytes === REMOVALS ? sections[0] : null;
  return {
    name,
    created,
    oldChecksum: toHex(oldChecksum),
    checksum: toHex(checksum),
    removals: removals === null ? new Uint32Array(0) : decodeRemovals(removals),
    additions: sections.filter((section) => section !== removals).map(decodePrefixes),
  };
}
