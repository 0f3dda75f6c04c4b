import type { EntryLimit, RawHashes } from "@x/prefix-list";
import { firstWords, viewOf } from "@x/prefix-list/raw-hashes";
import { maxEntriesOf, riceEncode } from "@x/prefix-list/rice";
import { fromHex } from "@x/sha256-prefix";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate, readChecksum } from "../list-update.ts";
import { decodeValues, decodeWide, encodeWide, fromBigEndian, V5_RANGE } from "../rice-codes.ts";
import { type HashList, WIDE_ADDITIONS } from "./hash-list.ts";
import type { BatchGetHashListsResponse } from "./methods.ts";

/** The information that a message needs besides the update. */
export interface HashListFacts {
  /**
   * The name of the list in v5. If the name ends in a prefix length, such as `-4b`, the hash prefixes must have that
   * length.
   */
  readonly name: string;
  /** The client sends this version back when it requests the next update. */
  readonly version: Uint8Array;
  /** The time that the client waits before its next request, in milliseconds. */
  readonly minimumWaitDuration: number;
}

const NO_ADDITIONS = {
  additionsFourBytes: null,
  additionsEightBytes: null,
  additionsSixteenBytes: null,
  additionsThirtyTwoBytes: null,
};

/**
 * Throws when the name of a list ends in a prefix length, such as `-4b`, but its hash prefixes have a different length.
 */
function checkNamedLength(name: string, prefixBytes: number): void {
  const named = /-(4|8|16|32)b$/.exec(name);
  if (named !== null && Number(named[1]) !== prefixBytes) {
    throw new WireError("prefix-length-wrong", name);
  }
}

function encodeAdditions(group: RawHashes): Partial<HashList> {
  const { prefixBytes, rawHashes } = group;
  if (prefixBytes === 4) {
    return { additionsFourBytes: riceEncode(firstWords(group), V5_RANGE) };
  }
  const wide = WIDE_ADDITIONS.find((each) => each.prefixBytes === prefixBytes);
  if (wide === undefined) throw new WireError("prefix-length-wrong");
  const { first, ...coded } = encodeWide(wide.prefixBytes, rawHashes);
  const view = viewOf(first);
  const parts = wide.parts.map((name, i) => [name, view.getBigUint64(i * 8)]);
  return { [wide.field]: { ...Object.fromEntries(parts), ...coded } };
}

/**
 * Makes the message for an update of a list.
 *
 * @throws {WireError} `prefix-length-wrong` when the hash prefixes have several lengths, or a length that v5 or the
 * name of the list does not allow; `full-update-removes` or `checksum-missing` when the update contradicts itself.
 * @example
 * ```ts
 * import { prefixList } from "@x/prefix-list";
 * import { fullUpdate } from "@x/wire";
 * import { toHashList } from "@x/wire/v5";
 *
 * const list = prefixList([Uint8Array.of(0, 0, 0, 5)]);
 * const facts = { name: "mw-4b", version: Uint8Array.of(1), minimumWaitDuration: 1_800_000 };
 * toHashList(fullUpdate(list), facts).additionsFourBytes?.firstValue; // → 5
 * ```
 * @see Safe Browsing v5, `HashList`
 */
export function toHashList(update: ListUpdate, facts: HashListFacts): HashList {
  checkUpdate(update);
  const { full, removals, additions, checksum } = update;
  const { name, version, minimumWaitDuration } = facts;
  const [group, second] = additions;
  if (second !== undefined) throw new WireError("prefix-length-wrong", name);
  if (group !== undefined) checkNamedLength(name, group.prefixBytes);
  return {
    name,
    version,
    partialUpdate: !full,
    ...NO_ADDITIONS,
    ...(group === undefined ? null : encodeAdditions(group)),
    compressedRemovals: removals.length === 0 ? null : riceEncode(removals, V5_RANGE),
    minimumWaitDuration,
    sha256Checksum: checksum === null ? new Uint8Array(0) : fromHex(checksum),
    metadata: null,
  };
}

/** Decodes the hash prefixes from the field that contains them. Returns `null` when no field does. */
function decodeAdditions(hashList: HashList, maxEntries: number): RawHashes | null {
  const { additionsFourBytes } = hashList;
  if (additionsFourBytes !== null) {
    const values = decodeValues(additionsFourBytes, V5_RANGE, maxEntries, "additions-unordered");
    return { prefixBytes: 4, rawHashes: fromBigEndian(values) };
  }
  for (const { prefixBytes, field, parts } of WIDE_ADDITIONS) {
    const coded = hashList[field];
    if (coded === null) continue;
    const first = new Uint8Array(prefixBytes);
    const view = viewOf(first);
    for (const [i, name] of parts.entries()) view.setBigUint64(i * 8, coded[name as never]);
    return { prefixBytes, rawHashes: decodeWide({ ...coded, first }, maxEntries) };
  }
  return null;
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the update breaks a rule or has too many entries, or when its hash prefixes do not have the
 * length in the name of the list.
 * @example
 * ```ts
 * import { decodeMessage } from "@x/wire";
 * import { fromHashList, getHashList } from "@x/wire/v5";
 *
 * const bytes = Uint8Array.of(0x0a, 5, 0x6d, 0x77, 0x2d, 0x34, 0x62, 0x18, 1); // "mw-4b", partial
 * fromHashList(decodeMessage(getHashList.response, bytes)).checksum; // → null
 * ```
 * @see Safe Browsing v5, `HashList`
 */
export function fromHashList(hashList: HashList, limit: EntryLimit = {}): ListUpdate {
  const { name, partialUpdate, compressedRemovals, sha256Checksum } = hashList;
  const maxEntries = maxEntriesOf(limit);
  const checksum = readChecksum(sha256Checksum);
  const removals =
    compressedRemovals === null
      ? new Uint32Array(0)
      : decodeValues(compressedRemovals, V5_RANGE, maxEntries, "removals-wrong");
  const group = decodeAdditions(hashList, maxEntries);
  if (group !== null) checkNamedLength(name, group.prefixBytes);
  return checkUpdate({
    full: !partialUpdate,
    removals,
    additions: group === null ? [] : [group],
    checksum,
  });
}

/**
 * Returns the lists in an answer, after checking that they are the requested lists in the requested order.
 *
 * @throws {WireError} `lists-mismatched` when the answer has other lists or another order.
 * @example
 * ```ts
 * import { hashListsInOrder } from "@x/wire/v5";
 *
 * hashListsInOrder(["mw-4b"], { hashLists: [] }); // throws lists-mismatched
 * ```
 */
export function hashListsInOrder(
  names: readonly string[],
  response: BatchGetHashListsResponse,
): readonly HashList[] {
  const { hashLists } = response;
  const isInOrder =
    hashLists.length === names.length && hashLists.every(({ name }, i) => name === names[i]);
  if (!isInOrder) throw new WireError("lists-mismatched", "hashLists");
  return hashLists;
}
