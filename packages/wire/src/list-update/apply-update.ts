import {
  type EntryLimit,
  type PrefixList,
  type PrefixListFacts,
  prefixList,
  rawHashesIn,
  updatePrefixList,
} from "@x/prefix-list";
import { WireError } from "../error.ts";
import { checkUpdate, type ListUpdate } from "./list-update.ts";
import { checkOverlap } from "./prefix-group-rules.ts";

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
