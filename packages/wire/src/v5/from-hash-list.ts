import type { EntryLimit, RawHashes } from "@x/prefix-list";
import { maxEntriesOf } from "@x/prefix-list/rice";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate, readChecksum } from "../list-update/list-update.ts";
import { fromBigEndian } from "../rice/byte-order.ts";
import { decodeValues, V5_RANGE } from "../rice/narrow.ts";
import { decodeWide } from "../rice/wide.ts";
import { type HashList, WIDE_ADDITIONS } from "./hash-list.ts";
import type { BatchGetHashListsResponse } from "./methods.ts";
import { checkNamedLength } from "./to-hash-list.ts";

/** The hash prefixes, from the field that has them; `null` when no field has them. */
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
    const view = new DataView(first.buffer);
    for (const [i, name] of parts.entries()) view.setBigUint64(i * 8, coded[name as never]);
    return { prefixBytes, rawHashes: decodeWide({ ...coded, first }, maxEntries) };
  }
  return null;
}

/**
 * Decodes the update in a message.
 *
 * @throws {WireError} when the message contradicts itself, or its hash prefixes do not have the length at the
 * end of its name.
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
 * @throws {WireError} `lists-mismatched` when they are not.
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
