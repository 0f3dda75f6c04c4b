import { typeError } from "@x/sha256-prefix/type-error";
import type { PrefixListFacts } from "./builder.ts";
import {
  checkAdditions,
  checkDifference,
  checkRemovals,
  invalid,
  type PrefixListDifference,
} from "./difference.ts";
import { PrefixListError } from "./error.ts";
import {
  checkCreated,
  checkEntryCount,
  checkName,
  type EntryLimit,
  hasOwn,
  maxEntriesOf,
  ownOptions,
} from "./limits.ts";
import { listOfSorted, type PrefixList, rawHashesIn } from "./prefix-list.ts";
import {
  type ChecksumOptions,
  checkSha256,
  checksumOf,
  checksumsByLength,
  compareBytes,
  countEntries,
  countOf,
  groupOfLength,
  type LengthChecksum,
  type RawHashes,
  toGroupIndices,
} from "./raw-hashes/raw-hashes.ts";

/**
 * The index, at or after `from`, of the first prefix that does not sort before the one at byte `at` of `other`, or the
 * number of prefixes when there is none.
 */
function indexFrom(group: RawHashes, from: number, other: Uint8Array, at: number): number {
  const { prefixBytes, rawHashes } = group;
  const count = countOf(group);
  const isBefore = (index: number) =>
    compareBytes(rawHashes, index * prefixBytes, other, at, prefixBytes) < 0;
  // Steps double, because the next addition is usually near the last one.
  let low = from;
  let step = 1;
  while (low + step <= count && isBefore(low + step - 1)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The sorted group without the prefixes at the given indices, and with the sorted additions. */
function update(old: RawHashes, removed: Uint32Array, additions: RawHashes): RawHashes {
  const { prefixBytes, rawHashes } = old;
  const count = countOf(old);
  const kept = count - removed.length;
  const updated = new Uint8Array(kept * prefixBytes + additions.rawHashes.length);
  let used = 0;
  let index = 0;
  let nextRemoved = 0;
  const put = (bytes: Uint8Array, from: number, end: number) => {
    updated.set(bytes.subarray(from * prefixBytes, end * prefixBytes), used);
    used += (end - from) * prefixBytes;
  };
  const keepUntil = (end: number) => {
    for (; nextRemoved < removed.length && removed[nextRemoved]! < end; nextRemoved++) {
      put(rawHashes, index, removed[nextRemoved]!);
      index = removed[nextRemoved]! + 1;
    }
    put(rawHashes, index, end);
    index = end;
  };
  for (let i = 0; i < countOf(additions); i++) {
    const at = i * prefixBytes;
    const end = indexFrom(old, index, additions.rawHashes, at);
    const bytes = end * prefixBytes;
    if (end < count && compareBytes(rawHashes, bytes, additions.rawHashes, at, prefixBytes) === 0) {
      throw invalid(`addition ${i} of ${prefixBytes} bytes is in the old list`);
    }
    keepUntil(end);
    put(additions.rawHashes, i, i + 1);
  }
  keepUntil(count);
  return { prefixBytes, rawHashes: updated };
}

/**
 * The groups of a list after some changes, which the caller must have checked. Only additions that are already in the
 * list are refused here.
 */
function updateGroups(
  old: readonly RawHashes[],
  { removals, additions }: Pick<PrefixListDifference, "removals" | "additions">,
): RawHashes[] {
  const removed = toGroupIndices(old, removals);
  const updated = old.map((group, number) =>
    update(group, removed[number]!, groupOfLength(additions, group.prefixBytes)),
  );
  for (const group of additions) {
    if (!old.some(({ prefixBytes }) => prefixBytes === group.prefixBytes)) updated.push(group);
  }
  return updated
    .filter(({ rawHashes }) => rawHashes.length > 0)
    .sort((a, b) => a.prefixBytes - b.prefixBytes);
}

/**
 * Returns the list with some entries removed and others added. The result is not verified: compare its checksum with
 * the one that came with the changes, or use {@link applyDifference}, which verifies it.
 *
 * @throws {PrefixListError} `difference-invalid` when removals or additions are out of order or out of range, or when
 * an addition is already in the list; `too-many-entries` when the new list has more than `maxEntries` entries;
 * `layout-unsupported` when the list has another layout.
 * @throws {RangeError} when the name, the time or `maxEntries` is out of range.
 * @throws {TypeError} when an argument is of the wrong type.
 * @example
 * ```ts
 * import { prefixList, updatePrefixList } from "@x/prefix-list";
 *
 * const [a, b] = [1, 2].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const changes = { removals: Uint32Array.of(0), additions: [{ prefixBytes: 4, rawHashes: b }] };
 * updatePrefixList(prefixList([a]), changes).checksum === prefixList([b]).checksum; // → true
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function updatePrefixList(
  list: PrefixList,
  changes: Pick<PrefixListDifference, "removals" | "additions">,
  options: PrefixListFacts & EntryLimit & ChecksumOptions = {},
): PrefixList {
  const maxEntries = maxEntriesOf(options);
  const { name = "", created = Date.now(), sha256 } = ownOptions(options);
  checkSha256(sha256);
  checkName(name);
  checkCreated(created);
  const old = rawHashesIn(list);
  if (!hasOwn(changes, "removals", "additions")) {
    throw typeError("changes", "removals and additions", changes);
  }
  checkRemovals(changes.removals, list.size);
  checkAdditions(changes.additions);
  const added = countEntries(changes.additions);
  checkEntryCount(list.size - changes.removals.length + added, maxEntries);
  const groups = updateGroups(old, changes);
  return listOfSorted(groups, { name, created, checksum: checksumOf(groups, sha256) });
}

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
