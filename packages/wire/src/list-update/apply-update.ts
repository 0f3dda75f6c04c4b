import {
  type EntryLimit,
  type PrefixList,
  type PrefixListFacts,
  prefixList,
  rawHashesIn,
  updatePrefixList,
} from "@x/prefix-list";
import { WireError } from "../error.ts";
import { checkOverlap } from "./additions.ts";
import { checkEntries, maxEntriesOf } from "./entry-limit.ts";
import { checkUpdate, type ListUpdate } from "./list-update.ts";

function newList(
  list: PrefixList | null,
  update: ListUpdate,
  options: PrefixListFacts & EntryLimit,
): PrefixList {
  if (update.full) {
    checkEntries(update.additions, maxEntriesOf(options));
    return prefixList(update.additions, options);
  }
  if (list === null) throw new WireError("base-missing");
  const last = update.removals.at(-1);
  if (last !== undefined && last >= list.size) throw new WireError("removals-wrong");
  return updatePrefixList(list, update, options);
}

/**
 * The list that an update makes: removals first, then additions, and the checksum proves the result. The caller's
 * list stays as it is, so that an update that is refused changes nothing.
 *
 * @param list the client's list; `null` when it has none, which only a full update accepts.
 * @param options the name and the time of the new list, and how many entries it may have.
 * @throws {WireError} when the update does not fit the list: `base-missing`, `removals-wrong`,
 * `additions-unordered` when it adds what is there, `additions-overlap`, `checksum-missing`, `checksum-wrong`,
 * `full-update-removes` or `too-many-entries`.
 * @throws {RangeError} when the name or the time is one that no list can have.
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
