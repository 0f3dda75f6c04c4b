import { typeError } from "@x/sha256-prefix/type-error";
import { isChecksum, ownOptions } from "../check-arguments.ts";
import { PrefixListError } from "../error.ts";
import { type EntryLimit, maxEntriesOf } from "../limits.ts";
import { rawHashesIn } from "../list/contents.ts";
import { listOfSorted, type PrefixList } from "../list/prefix-list.ts";
import { type ChecksumOptions, checkSha256, checksumOf } from "../raw-hashes/checksum.ts";
import { HEADER, LIST_KIND } from "./list-file-format.ts";
import { readFrame } from "./read-frame.ts";
import { decodePrefixes, encodePrefixes } from "./section.ts";
import { writeFrame } from "./write-frame.ts";

/** The options of {@link decodePrefixList}. */
export interface DecodeOptions extends EntryLimit, ChecksumOptions {}

const NO_CHECKSUM = "0".repeat(64);

/**
 * Encodes a list as the bytes of a file: name, time and checksum, then the prefixes as Rice codes.
 *
 * Equal lists give equal bytes. A file of a million evenly spread 4-byte prefixes is about one percent larger than the
 * theoretical minimum.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {RangeError} when the name or the time of the list was changed to one that no list can have.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * const list = prefixList([Uint8Array.of(0xba, 0x78, 0x16, 0xbf)], { name: "malware", created: 0 });
 * const file = encodePrefixList(list);
 * file.length; // → 143
 * decodePrefixList(file); // → list
 * ```
 * @see README, File format
 */
export function encodePrefixList(list: PrefixList): Uint8Array<ArrayBuffer> {
  const groups = rawHashesIn(list);
  if (!isChecksum(list.checksum)) throw typeError("checksum", "64 hex digits", list.checksum);
  return writeFrame({
    kind: LIST_KIND,
    name: list.name,
    created: list.created,
    checksum: list.checksum,
    oldChecksum: NO_CHECKSUM,
    oldLengths: [],
    lengths: [],
    sections: groups.map(encodePrefixes),
  });
}

/**
 * Reads a list that {@link encodePrefixList} wrote.
 *
 * The header is checked against its hash, and the prefixes against the checksum. No memory is allocated for more
 * prefixes than the file can contain or `maxEntries` allows.
 *
 * @throws {PrefixListError} when the bytes are not a complete, undamaged list: `foreign`, `version-unknown`,
 * `kind-wrong`, `truncated`, `header-damaged`, `header-invalid`, `body-damaged` or `checksum-wrong`; or when it has
 * more than `maxEntries` entries: `too-many-entries`.
 * @throws {RangeError} when `maxEntries` is negative or not a whole number.
 * @throws {TypeError} when `bytes` is not a `Uint8Array`, `maxEntries` is not a number, or `sha256` is not a function.
 * @example
 * ```ts
 * import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
 *
 * const file = encodePrefixList(prefixList([Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8)]));
 * decodePrefixList(file, { maxEntries: 1 }); // throws too-many-entries
 * file[16] ^= 1; // one bit of the time
 * decodePrefixList(file); // throws header-damaged
 * ```
 * @see README, File format
 */
export function decodePrefixList(bytes: Uint8Array, options: DecodeOptions = {}): PrefixList {
  const { sha256 } = ownOptions(options);
  checkSha256(sha256);
  const frame = readFrame(bytes, LIST_KIND, maxEntriesOf(options));
  const { name, created, checksum } = frame;
  const groups = frame.sections.map(decodePrefixes);
  if (checksumOf(groups, sha256) !== checksum) {
    const message = "The prefixes do not have the checksum in the header";
    throw new PrefixListError("checksum-wrong", message, HEADER.checksum);
  }
  return listOfSorted(groups, { name, created, checksum });
}
