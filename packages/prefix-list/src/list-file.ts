import { FULL_HASH_BYTES, fromHex, toHex } from "@x/sha256-prefix";
import { checksumOf } from "./checksum.ts";
import { PrefixListError } from "./error.ts";
import { HEADER, LIST_KIND } from "./file-layout.ts";
import { listOfSorted, type PrefixList, rawHashesIn } from "./prefix-list.ts";
import { readFile } from "./read-file.ts";
import { decodePrefixes, encodePrefixes } from "./section.ts";
import { writeFile } from "./write-file.ts";

/**
 * The list as the octets of a file: name, time and checksum, then the prefixes, Rice-Golomb coded.
 *
 * Equal lists give equal octets. Files of a million evenly spread prefixes are within a hundredth of the least
 * possible size.
 *
 * @throws {RangeError} when the name or the time of the list was replaced by one that no list can have.
 * @example
 * ```ts
 * import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware", created: 0 });
 * const file = encodePrefixList(list);
 * file.length; // → 148
 * decodePrefixList(file); // → list
 * ```
 * @see README, File format
 */
export function encodePrefixList(list: PrefixList): Uint8Array<ArrayBuffer> {
  return writeFile({
    kind: LIST_KIND,
    name: list.name,
    created: list.created,
    checksum: fromHex(list.checksum),
    oldChecksum: new Uint8Array(FULL_HASH_BYTES),
    sections: rawHashesIn(list).map(encodePrefixes),
  });
}

/**
 * The list that {@link encodePrefixList} wrote.
 *
 * It is proven: the header by its hash, the prefixes by the checksum. No length and no count is believed before
 * it is checked, and no memory taken for more prefixes than the octets can hold.
 *
 * @throws {PrefixListError} when the octets are anything else than a whole, undamaged list: `foreign`,
 * `version-unknown`, `kind-wrong`, `truncated`, `header-damaged`, `header-invalid`, `body-damaged` or
 * `checksum-wrong`.
 * @throws {TypeError} when `octets` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * const file = encodePrefixList(prefixList([]));
 * file[16] ^= 1; // one bit of the time
 * decodePrefixList(file); // throws header-damaged
 * ```
 * @see README, File format
 */
export function decodePrefixList(octets: Uint8Array): PrefixList {
  const { name, created, checksum, sections } = readFile(octets, LIST_KIND);
  const batches = sections.map(decodePrefixes);
  const expected = toHex(checksum);
  if (checksumOf(batches) !== expected) {
    throw new PrefixListError(
      "checksum-wrong",
      "The prefixes do not have the checksum named",
      HEADER.checksum,
    );
  }
  return listOfSorted(batches, name, created, expected);
}
