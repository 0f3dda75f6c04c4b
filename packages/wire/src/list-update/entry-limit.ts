import { DEFAULT_MAX_ENTRIES, type EntryLimit, type RawHashes } from "@x/prefix-list";
import { WireError } from "../error.ts";

/** The most entries that the options accept. */
export function maxEntriesOf({ maxEntries = DEFAULT_MAX_ENTRIES }: EntryLimit): number {
  return maxEntries;
}

/** Throws when several groups together have more entries than the limit. */
export function checkEntries(groups: readonly RawHashes[], maxEntries: number): void {
  const count = groups.reduce(
    (sum, { prefixBytes, rawHashes }) => sum + rawHashes.length / prefixBytes,
    0,
  );
  if (count > maxEntries) throw new WireError("too-many-entries");
}
