import {
  type EntryLimit,
  type PrefixList,
  type PrefixListDifference,
  type PrefixListFacts,
  prefixList,
  type RawHashes,
  rawHashesIn,
  updatePrefixList,
} from "@x/prefix-list";
import {
  compareBytes,
  concatBytes,
  countEntries,
  sortPrefixes,
  unsortedAt,
} from "@x/prefix-list/raw-hashes";
import { maxEntriesOf, type RiceDeltas, riceEncode } from "@x/prefix-list/rice";
import {
  FULL_HASH_BYTES,
  fromHex,
  MAX_PREFIX_BYTES,
  MIN_PREFIX_BYTES,
  toHex,
} from "@x/sha256-prefix";
import { WireError } from "./error.ts";
import { decodeValues, fromLittleEndian, toLittleEndian, V4_RANGE } from "./rice-codes.ts";

/**
 * The changes that a message makes to the contents of one list, independent of the protocol.
 *
 * An update has no name, version or wait time, because their form depends on the protocol.
 */
export interface ListUpdate extends Pick<PrefixListDifference, "removals" | "additions"> {
  /** Whether the update replaces the client's list. Otherwise, it changes the list. */
  readonly full: boolean;
  /** The SHA-256 of the new list in lower-case hex; `null` when nothing changes and the message has no checksum. */
  readonly checksum: string | null;
}

/**
 * Makes an update that replaces a client's list with this list.
 *
 * @throws {PrefixListError} `layout-unsupported` when the list has another layout.
 * @throws {TypeError} when `list` is not a list.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullUpdate } from "@x/wire";
 *
 * const update = fullUpdate(prefixList([Uint8Array.of(1, 2, 3, 4)]));
 * update.full; // → true
 * update.additions; // → [{ prefixBytes: 4, rawHashes: Uint8Array.of(1, 2, 3, 4) }]
 * ```
 */
export function fullUpdate(list: PrefixList): ListUpdate {
  return {
    full: true,
    removals: new Uint32Array(0),
    additions: rawHashesIn(list),
    checksum: list.checksum,
  };
}

/**
 * Makes an update that turns one version of a list into another. The difference between a list and itself gives an
 * update that changes nothing.
 *
 * @example
 * ```ts
 * import { diffPrefixLists, prefixList } from "@x/prefix-list";
 * import { partialUpdate } from "@x/wire";
 *
 * const [a, b] = [1, 2].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const update = partialUpdate(diffPrefixLists(prefixList([a]), prefixList([b])));
 * [...update.removals]; // → [0]
 * ```
 */
export function partialUpdate(difference: PrefixListDifference): ListUpdate {
  const { removals, additions, checksum } = difference;
  return { full: false, removals, additions, checksum };
}

/** Whether an update can change the list, and therefore needs a checksum. */
function changes({ full, removals, additions }: ListUpdate): boolean {
  return full || removals.length > 0 || additions.length > 0;
}

/** Throws when an update breaks a rule that all protocols share. */
export function checkUpdate(update: ListUpdate): ListUpdate {
  if (update.full && update.removals.length > 0) throw new WireError("full-update-removes");
  if (update.checksum === null && changes(update)) throw new WireError("checksum-missing");
  return update;
}

/** The checksum of a message; `null` when it has none. */
export function readChecksum(sha256: Uint8Array): string | null {
  if (sha256.length === 0) return null;
  if (sha256.length !== FULL_HASH_BYTES) throw new WireError("checksum-missing");
  return toHex(sha256);
}

function newList(
  list: PrefixList | null,
  update: ListUpdate,
  options: PrefixListFacts & EntryLimit,
): PrefixList {
  if (!update.full && list === null) throw new WireError("base-missing");
  try {
    return update.full || list === null
      ? prefixList(update.additions, options)
      : updatePrefixList(list, update, options);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "difference-invalid") throw new WireError("update-invalid");
    if (code === "too-many-entries") throw new WireError("too-many-entries");
    throw error;
  }
}

/**
 * Applies the removals and then the additions, verifies the checksum, and returns the new list. The caller's list is
 * not changed, so an update that is refused has no effect.
 *
 * @param list the client's list, or `null` when the client has none. The update must then be a full one.
 * @param options the name and the time of the new list, and its maximum number of entries.
 * @throws {WireError} `update-invalid` when the update removes an entry that the list does not have, or adds one that
 * the list has; `base-missing`, `additions-overlap`, `checksum-missing`, `checksum-wrong`, `full-update-removes` or
 * `too-many-entries` for other updates that are wrong or do not apply to the list.
 * @throws {RangeError} when no list can have the given name or time.
 * @throws {TypeError} when an argument is of the wrong type.
 * @example
 * ```ts
 * import { diffPrefixLists, prefixList } from "@x/prefix-list";
 * import { applyUpdate, partialUpdate } from "@x/wire";
 *
 * const [a, b, c] = [1, 2, 3].map((first) => Uint8Array.of(first, 0, 0, 0));
 * const [monday, tuesday] = [prefixList([a, b]), prefixList([b, c])];
 * const update = partialUpdate(diffPrefixLists(monday, tuesday));
 * applyUpdate(monday, update).checksum === tuesday.checksum; // → true
 * applyUpdate(null, update); // throws base-missing
 * ```
 * @see Safe Browsing v4, Update API, partial updates
 */
export function applyUpdate(
  list: PrefixList | null,
  update: ListUpdate,
  options: PrefixListFacts & EntryLimit = {},
): PrefixList {
  checkUpdate(update);
  const result = newList(list, update, options);
  if (result.lengths.length > 1) checkOverlap(rawHashesIn(result));
  if (update.checksum !== null && result.checksum !== update.checksum) {
    throw new WireError("checksum-wrong");
  }
  return result;
}

/** Whether one of the longer prefixes begins with one of the shorter prefixes. Both groups must be sorted. */
function overlap(shorter: RawHashes, longer: RawHashes): boolean {
  const { prefixBytes } = shorter;
  let at = 0;
  let other = 0;
  while (at < shorter.rawHashes.length && other < longer.rawHashes.length) {
    const order = compareBytes(shorter.rawHashes, at, longer.rawHashes, other, prefixBytes);
    if (order === 0) return true;
    if (order < 0) at += prefixBytes;
    else other += longer.prefixBytes;
  }
  return false;
}

/** Throws when a prefix begins with another one. No v4 client accepts a list with such prefixes. */
function checkOverlap(groups: readonly RawHashes[]): void {
  groups.forEach((shorter, i) => {
    if (groups.slice(i + 1).some((longer) => overlap(shorter, longer))) {
      throw new WireError("additions-overlap");
    }
  });
}

/** Checks a group of prefixes from a message: they must be complete, of an allowed length, and in ascending order. */
function readGroup(prefixBytes: number, rawHashes: Uint8Array): RawHashes {
  const isAllowed = prefixBytes >= MIN_PREFIX_BYTES && prefixBytes <= MAX_PREFIX_BYTES;
  if (!isAllowed || rawHashes.length % prefixBytes !== 0) {
    throw new WireError("prefix-length-wrong");
  }
  const group = { prefixBytes, rawHashes };
  if (unsortedAt(group) >= 0) throw new WireError("additions-unordered");
  return group;
}

/**
 * Combines the groups of a message into one group for each prefix length, the shortest first. Empty groups are dropped.
 */
function combineGroups(groups: readonly RawHashes[]): RawHashes[] {
  const filled = groups.filter(({ rawHashes }) => rawHashes.length > 0);
  const lengths = [...new Set(filled.map(({ prefixBytes }) => prefixBytes))].sort((a, b) => a - b);
  const combined = lengths.map((length) =>
    joinGroups(filled.filter(({ prefixBytes }) => prefixBytes === length)),
  );
  checkOverlap(combined);
  return combined;
}

/** Merges sorted groups of one length. */
function joinGroups(groups: readonly RawHashes[]): RawHashes {
  const [{ prefixBytes }] = groups as [RawHashes];
  if (groups.length === 1) return groups[0]!;
  const all = concatBytes(groups.map(({ rawHashes }) => rawHashes));
  const sorted = sortPrefixes({ prefixBytes, rawHashes: all });
  if (sorted.rawHashes.length < all.length) throw new WireError("additions-unordered");
  return sorted;
}

/*
 * Writes and reads the contents of updates in v4 and Web Risk. The messages of both have the same parts, raw or Rice
 * coded, under different names.
 */

/** Hash prefixes of one length, one after the other. */
export interface RawHashesMessage {
  readonly prefixSize: number;
  readonly rawHashes: Uint8Array;
}

/** The indices of the entries to remove, in the sorted old list. */
export interface RawIndices {
  readonly indices: readonly number[];
}

/** The SHA-256 of all entries of a list. */
export interface Checksum {
  readonly sha256: Uint8Array;
}

interface Parts {
  readonly rawHashes: readonly RawHashesMessage[];
  readonly riceHashes: readonly RiceDeltas[];
  readonly rawIndices: readonly RawIndices[];
  readonly riceIndices: readonly RiceDeltas[];
  readonly checksum: Checksum | null;
}

/** Writes an update as the parts of a message, which are Rice coded where possible if the client supports it. */
export function writeParts(
  update: ListUpdate,
  supportedCompressions: readonly string[] = [],
): Parts {
  const { removals, additions, checksum } = checkUpdate(update);
  checkOverlap(additions);
  const hasRice = supportedCompressions.includes("RICE");
  const isRice = ({ prefixBytes }: RawHashes) => hasRice && prefixBytes === 4;
  const runs = removals.length === 0 ? [] : [removals];
  return {
    rawHashes: additions
      .filter((group) => !isRice(group))
      .map(({ prefixBytes, rawHashes }) => ({ prefixSize: prefixBytes, rawHashes })),
    riceHashes: additions
      .filter(isRice)
      .map(({ rawHashes }) => encodeValues(toLittleEndian(rawHashes))),
    rawIndices: hasRice ? [] : runs.map((indices) => ({ indices: Array.from(indices) })),
    riceIndices: hasRice ? runs.map(encodeValues) : [],
    checksum: checksum === null ? null : { sha256: fromHex(checksum) },
  };
}

/** Reads the update from the parts of a message. */
export function readParts(parts: Parts, full: boolean, limit: EntryLimit): ListUpdate {
  const maxEntries = maxEntriesOf(limit);
  const checksum = readChecksum(parts.checksum?.sha256 ?? new Uint8Array(0));
  const groups = parts.rawHashes.map(({ prefixSize, rawHashes }) =>
    readGroup(prefixSize, rawHashes),
  );
  for (const coded of parts.riceHashes) {
    const values = decodeCodes(coded, maxEntries, "additions-unordered");
    groups.push({ prefixBytes: 4, rawHashes: fromLittleEndian(values) });
  }
  if (countEntries(groups) > maxEntries) throw new WireError("too-many-entries");
  const runs = [
    ...parts.rawIndices.map(({ indices }) => indices),
    ...parts.riceIndices.map((coded) => decodeCodes(coded, maxEntries, "removals-wrong")),
  ];
  const removals = combineRemovals(runs);
  return checkUpdate({ full, removals, additions: combineGroups(groups), checksum });
}

/** Decodes ascending values. If there is only one value, the Rice parameter may be missing. */
function decodeCodes(
  coded: RiceDeltas,
  maxEntries: number,
  repeated: "additions-unordered" | "removals-wrong",
): Uint32Array {
  const isSingle = coded.entriesCount === 0 && coded.riceParameter === 0;
  if (isSingle && coded.encodedData.length > 0) throw new WireError("rice-data-damaged");
  const riceParameter = isSingle ? V4_RANGE.riceParameters[0] : coded.riceParameter;
  return decodeValues({ ...coded, riceParameter }, V4_RANGE, maxEntries, repeated);
}

function encodeValues(values: Uint32Array): RiceDeltas {
  const coded = riceEncode(values, V4_RANGE);
  return coded.entriesCount === 0 ? { ...coded, riceParameter: 0 } : coded;
}

/**
 * Combines the removal indices of a message, which may be in several runs, into one ascending run. Throws when an index
 * is negative or repeated, or when a single run does not ascend.
 */
export function combineRemovals(runs: readonly ArrayLike<number>[]): Uint32Array {
  const [first] = runs;
  const all = runs.length === 1 && first instanceof Uint32Array ? first : joinRuns(runs);
  for (let i = 1; i < all.length; i++) {
    if (all[i]! <= all[i - 1]!) throw new WireError("removals-wrong");
  }
  return all;
}

function joinRuns(runs: readonly ArrayLike<number>[]): Uint32Array {
  const all = new Uint32Array(runs.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const run of runs) {
    for (let i = 0; i < run.length; i++) {
      if (run[i]! < 0) throw new WireError("removals-wrong");
      all[used++] = run[i]!;
    }
  }
  return runs.length > 1 ? all.sort() : all;
}
