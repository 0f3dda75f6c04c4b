import { type PrefixList, type PrefixListDifference, rawHashesIn } from "@x/prefix-list";
import { FULL_HASH_BYTES, toHex } from "@x/sha256-prefix";
import { WireError } from "../error.ts";

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
