import { MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { checkDifference, type PrefixListDifference } from "./difference.ts";
import { PrefixListError } from "./error.ts";
import { checkBytes, type EntryLimit, isChecksum, maxEntriesOf, ownOptions } from "./limits.ts";
import {
  DIFFERENCE_KIND,
  foreignAt,
  HEADER,
  LIST_KIND,
  REMOVALS,
  restBytesOf,
  type Section,
  writeFrame,
} from "./list-file-format.ts";
import { listOfSorted, type PrefixList, rawHashesIn } from "./prefix-list.ts";
import {
  type ChecksumOptions,
  checkSha256,
  checksumOf,
  firstWords,
  putRests,
  type RawHashes,
  restsOf,
  unsortedAt,
  viewOf,
  WORD_BYTES,
} from "./raw-hashes/raw-hashes.ts";
import { type ReadSection, readFrame } from "./read-list-file.ts";
import { decodeDeltas, encodeDeltas, riceParameterFor } from "./rice-codes.ts";

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

/**
 * The smallest delta between two values. Indices and 4-byte prefixes are distinct, but several longer prefixes may
 * begin with the same four bytes.
 */
function leastDelta(prefixBytes: number): 0 | 1 {
  return prefixBytes <= MIN_PREFIX_BYTES ? 1 : 0;
}

function parameterFor(values: Uint32Array): number {
  return riceParameterFor(values.length - 1, values[values.length - 1]! - values[0]!);
}

function encodeValues(prefixBytes: number, values: Uint32Array, rest: Uint8Array): Section {
  const riceParameter = parameterFor(values);
  const coded = encodeDeltas(values, riceParameter);
  const firstValue = values[0]!;
  return { prefixBytes, riceParameter, count: values.length, firstValue, coded, rest };
}

/** The values of a section, which are removals or the first four bytes of prefixes. */
function decodeValues(section: ReadSection): Uint32Array<ArrayBuffer> {
  const { prefixBytes, riceParameter, count, firstValue, coded, offset } = section;
  const least = leastDelta(prefixBytes);
  const values = decodeDeltas(firstValue, riceParameter, count - 1, coded, least);
  if (typeof values === "number") {
    throw new PrefixListError("body-damaged", "The codes are damaged", offset + values);
  }
  // Other parameters are refused, so that each list has only one encoding.
  if (riceParameter !== parameterFor(values)) {
    const message = `The Rice parameter is ${riceParameter}, not ${parameterFor(values)}`;
    throw new PrefixListError("body-damaged", message, offset);
  }
  return values;
}

function encodeRemovals(removals: Uint32Array): Section {
  return encodeValues(REMOVALS, removals, new Uint8Array(0));
}

function encodePrefixes(group: RawHashes): Section {
  return encodeValues(group.prefixBytes, firstWords(group), restsOf(group));
}

function decodePrefixes(section: ReadSection): RawHashes {
  const { prefixBytes, coded, rest, offset } = section;
  const words = decodeValues(section);
  // Prefixes of four bytes replace the words in their memory, 40 MB for ten million.
  // Prefixes of four bytes take the place of the words, which saves 40 MB for ten million.
  const rawHashes =
    prefixBytes === WORD_BYTES
      ? new Uint8Array(words.buffer)
      : new Uint8Array(words.length * prefixBytes);
  const group = { prefixBytes, rawHashes };
  const view = viewOf(group.rawHashes);
  for (let i = 0; i < words.length; i++) view.setUint32(i * prefixBytes, words[i]!);
  putRests(group, rest);
  const unsorted = leastDelta(prefixBytes) === 1 ? -1 : unsortedAt(group);
  if (unsorted >= 0) {
    const index = offset + coded.length + unsorted * restBytesOf(prefixBytes);
    throw new PrefixListError("body-damaged", "The prefixes are out of order", index);
  }
  return group;
}

/**
 * Returns the kind of a file: `"list"`, `"difference"`, or `null` when the bytes are neither.
 *
 * Only the first ten bytes are read. If the first eight are right, the file counts as a list unless the tenth says that
 * it is a difference. If the file is damaged, truncated or of another version, decoding it throws an error.
 *
 * @throws {TypeError} when `bytes` is not a `Uint8Array`.
 * @example
 * ```ts
 * import { encodePrefixList, prefixList, prefixListFileKind } from "@x/prefix-list";
 *
 * prefixListFileKind(encodePrefixList(prefixList([]))); // → "list"
 * prefixListFileKind(new TextEncoder().encode("http://a.example/")); // → null
 * ```
 * @see README, File format
 */
export function prefixListFileKind(bytes: Uint8Array): "list" | "difference" | null {
  checkBytes("bytes", bytes);
  if (foreignAt(bytes) >= 0) return null;
  return bytes[HEADER.kind] === DIFFERENCE_KIND ? "difference" : "list";
}
