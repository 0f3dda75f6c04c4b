import type { RawHashes } from "@x/prefix-list";
import { WireError } from "../error.ts";

/** Throws when several groups together have more entries than the limit. */
export function checkEntries(groups: readonly RawHashes[], maxEntries: number): void {
  const count = groups.reduce(
    (sum, { prefixBytes, rawHashes }) => sum + rawHashes.length / prefixBytes,
    0,
  );
  if (count > maxEntries) throw new WireError("too-many-entries");
}
