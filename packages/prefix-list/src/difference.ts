import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import { PrefixListError } from "./error.ts";
import {
  checkBytes,
  checkCreated,
  checkName,
  hasOwn,
  isChecksum,
  isUint32Array,
} from "./limits.ts";
import { checkLayout, type PrefixList, rawHashesIn, rawHashesInPart } from "./prefix-list.ts";
import {
  checksumsByLength,
  compareBytes,
  concatBytes,
  countEntries,
  countOf,
  groupOfLength,
  isRawHashes,
  type LengthChecksum,
  type RawHashes,
  toListIndices,
  unsortedAt,
} from "./raw-hashes/raw-hashes.ts";

/**
 * The changes that turn one list into another, usually the next version.
 *
 * @see Safe Browsing v4, Update API, partial updates
 */
export interface PrefixListDifference {
  /**
   * The indices of the prefixes to remove, in ascending order. The indices refer to the list with all its prefixes, of
   * every length, sorted together.
   */
  readonly removals: Uint32Array;
  /** The prefixes to add, none of which is in the list, as a sorted group for each length, the shortest first. */
  readonly additions: readonly RawHashes[];
  /** The name of the new list. */
  readonly name: string;
  /** The time of the new list, in milliseconds since 1970-01-01T00:00Z. */
  readonly created: number;
  /** The checksum of the old list. */
  readonly oldChecksum: string;
  /** The checksum of the new list. */
  readonly checksum: string;
  /** The number and the checksum of the prefixes of each length in the old list, the shortest length first. */
  readonly oldLengths: readonly LengthChecksum[];
  /** The number and the checksum of the prefixes of each length in the new list, the shortest length first. */
  readonly lengths: readonly LengthChecksum[];
}

const EMPTY_CHECKSUM = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const MAX_COUNT = 0xffffffff;

export function invalid(what: string): PrefixListError {
  return new PrefixListError("difference-invalid", `In the difference, ${what}`);
}

/** Throws unless the prefix lengths ascend and are all from 4 to 32. */
function checkAscending(what: string, lengths: readonly { readonly prefixBytes: number }[]): void {
  let previous = MIN_PREFIX_BYTES - 1;
  for (const { prefixBytes } of lengths) {
    if (
      !Number.isInteger(prefixBytes) ||
      prefixBytes <= previous ||
      prefixBytes > MAX_PREFIX_BYTES
    ) {
      throw invalid(`${what} of ${prefixBytes} bytes are out of order or out of range`);
    }
    previous = prefixBytes;
  }
}

function checkChecksum(checksum: unknown): void {
  if (!isChecksum(checksum)) throw invalid("a checksum is not 64 digits of lower-case hex");
}

function checkLengths(what: string, lengths: readonly LengthChecksum[], checksum: string): void {
  checkAscending(what, lengths);
  for (const { prefixBytes, count, checksum } of lengths) {
    if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
      throw invalid(`${what} of ${prefixBytes} bytes have the count ${count}`);
    }
    checkChecksum(checksum);
  }
  const only = lengths.length === 0 ? EMPTY_CHECKSUM : lengths[0]!.checksum;
  if (lengths.length < 2 && checksum !== only) {
    throw invalid(`${what} do not have the checksum of their list`);
  }
}

/** Throws unless the additions are sorted groups, in ascending order of their prefix lengths. */
export function checkAdditions(additions: readonly RawHashes[]): void {
  if (!Array.isArray(additions) || !additions.every(isRawHashes)) {
    throw typeError("additions", "an array of RawHashes", additions);
  }
  checkAscending("additions", additions);
  for (const group of additions) {
    const { prefixBytes, rawHashes } = group;
    checkBytes("rawHashes", rawHashes);
    if (rawHashes.length === 0 || rawHashes.length % prefixBytes !== 0) {
      throw invalid(
        `the additions of ${prefixBytes} bytes take ${rawHashes.length} bytes in total`,
      );
    }
    const index = unsortedAt(group);
    if (index >= 0) throw invalid(`addition ${index} of ${prefixBytes} bytes is out of order`);
  }
}

/**
 * Throws unless the counts match the additions and the number of removals, and the removals are ascending indices in
 * the old list.
 */
function checkCounts({ oldLengths, lengths, removals, additions }: PrefixListDifference): void {
  let removed = 0;
  for (let prefixBytes = MIN_PREFIX_BYTES; prefixBytes <= MAX_PREFIX_BYTES; prefixBytes++) {
    const ofLength = (some: { readonly prefixBytes: number }) => some.prefixBytes === prefixBytes;
    const before = oldLengths.find(ofLength)?.count ?? 0;
    const after = lengths.find(ofLength)?.count ?? 0;
    const added = (additions.find(ofLength)?.rawHashes.length ?? 0) / prefixBytes;
    const gone = before + added - after;
    if (gone < 0 || gone > before) {
      throw invalid(`${before} + ${added} prefixes of ${prefixBytes} bytes do not give ${after}`);
    }
    removed += gone;
  }
  if (removed !== removals.length) {
    throw invalid(`there are ${removals.length} removals, not ${removed}`);
  }
  const size = oldLengths.reduce((sum, { count }) => sum + count, 0);
  checkRemovals(removals, size);
}

/** Throws unless the removals are ascending indices in a list of `size` entries. */
export function checkRemovals(removals: Uint32Array, size: number): void {
  if (!isUint32Array(removals)) throw typeError("removals", "a Uint32Array", removals);
  for (let i = 1; i < removals.length; i++) {
    if (removals[i]! <= removals[i - 1]!) throw invalid(`removal ${i} is out of order`);
  }
  const last = removals[removals.length - 1];
  if (last !== undefined && last >= size)
    throw invalid(`index ${last} is removed from ${size} prefixes`);
}

function isLengthChecksum(value: unknown): boolean {
  return hasOwn(value, "prefixBytes", "count", "checksum");
}

function checkTypes(value: unknown): void {
  const fields = ["oldChecksum", "checksum", "oldLengths", "lengths"] as const;
  if (!hasOwn(value, "name", "created", "removals", "additions", ...fields)) {
    throw typeError("difference", "a PrefixListDifference", value);
  }
  checkName(value.name);
  checkCreated(value.created);
  for (const name of ["oldLengths", "lengths"] as const) {
    const lengths = value[name];
    if (!Array.isArray(lengths) || !lengths.every(isLengthChecksum)) {
      throw typeError(name, "an array of LengthChecksum", lengths);
    }
  }
}

/**
 * Throws when a difference is of the wrong type or contradicts itself. A difference may come from a file or a message,
 * so it is not trusted.
 */
export function checkDifference(difference: PrefixListDifference): void {
  checkTypes(difference);
  const { oldChecksum, checksum, oldLengths, lengths, additions } = difference;
  checkChecksum(oldChecksum);
  checkChecksum(checksum);
  checkLengths("the old prefixes", oldLengths, oldChecksum);
  checkLengths("the new prefixes", lengths, checksum);
  checkAdditions(additions);
  checkCounts(difference);
}

/**
 * The indices of the prefixes in `group` that are not in `other`. Both groups are sorted and have the same prefix
 * length.
 */
function lackedBy(other: RawHashes, group: RawHashes): Uint32Array {
  const { prefixBytes, rawHashes: mine } = group;
  const theirs = other.rawHashes;
  const indices = new Uint32Array(countOf(group));
  let used = 0;
  let at = 0;
  for (let i = 0; i < indices.length; i++) {
    let order = 1;
    while (at < theirs.length) {
      order = compareBytes(theirs, at, mine, i * prefixBytes, prefixBytes);
      if (order >= 0) break;
      at += prefixBytes;
    }
    if (order !== 0) indices[used++] = i;
  }
  return indices.slice(0, used);
}

function pick({ prefixBytes, rawHashes }: RawHashes, indices: Uint32Array): RawHashes {
  const picked = new Uint8Array(indices.length * prefixBytes);
  indices.forEach((index, i) => {
    const at = index * prefixBytes;
    picked.set(rawHashes.subarray(at, at + prefixBytes), i * prefixBytes);
  });
  return { prefixBytes, rawHashes: picked };
}

/**
 * Returns the difference that turns one list into another: the indices of the prefixes to remove, and the prefixes to
 * add.
 *
 * The difference contains the name and the time of the second list. If both lists have the same prefixes, there are no
 * removals and no additions.
 *
 * @throws {PrefixListError} `layout-unsupported` when a list has another layout.
 * @throws {TypeError} when an argument is not a list.
 * @example
 * ```ts
 * import { diffPrefixLists, prefixList } from "@x/prefix-list";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const difference = diffPrefixLists(prefixList([a, b]), prefixList([b, c]));
 * [...difference.removals]; // → [0]
 * difference.additions; // → [{ prefixBytes: 4, rawHashes: Uint8Array.of(3, 0, 0, 0) }]
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function diffPrefixLists(from: PrefixList, to: PrefixList): PrefixListDifference {
  checkLayout(from, "from");
  checkLayout(to, "to");
  const removals: Uint32Array[] = [];
  const additions: RawHashes[][] = [];
  let passed = 0;
  const bits = Math.max(0, Math.ceil(Math.log2(Math.max(from.size, to.size) / PART_PREFIXES)));
  for (let part = 0; part < 2 ** bits; part++) {
    const [old, fresh] = [rawHashesInPart(from, part, bits), rawHashesInPart(to, part, bits)];
    const removed = old.map((group) => lackedBy(groupOfLength(fresh, group.prefixBytes), group));
    const added = fresh.map((group) => lackedBy(groupOfLength(old, group.prefixBytes), group));
    removals.push(toListIndices(old, removed).map((index) => passed + index));
    additions.push(fresh.map((group, number) => pick(group, added[number]!)));
    passed += countEntries(old);
  }
  return {
    name: to.name,
    created: to.created,
    oldChecksum: from.checksum,
    checksum: to.checksum,
    oldLengths: checksumsIn(from),
    lengths: checksumsIn(to),
    removals: joined(removals),
    additions: to.lengths
      .map(({ prefixBytes }, number) => ({
        prefixBytes,
        rawHashes: concatBytes(additions.map((groups) => groups[number]!.rawHashes)),
      }))
      .filter((group) => group.rawHashes.length > 0),
  };
}

/** Long lists are compared in parts of about this many prefixes, because copies of whole lists take much memory. */
const PART_PREFIXES = 2 ** 16;

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const part of parts) {
    all.set(part, used);
    used += part.length;
  }
  return all;
}

function checksumsIn(list: PrefixList): readonly LengthChecksum[] {
  const { lengths, checksum } = list;
  if (lengths.length > 1) return checksumsByLength(rawHashesIn(list), checksum);
  return lengths.map((length) => ({ ...length, checksum }));
}
