import type { LocalHashes } from "./local-hashes.ts";
import type { ServedList } from "./served-lists.ts";
import type { FoundHashes, ServedVersion } from "./served-version.ts";

/** The result if no full hash of the list begins with the prefix. */
export const NOTHING_FOUND: FoundHashes = { hashes: [], forFrames: [], expires: Infinity };

/**
 * Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. `network` returns the client's network.
 */
export type FullHashFinder = (
  list: ServedVersion,
  prefix: Uint8Array,
  network: () => string,
) => FoundHashes | Promise<FoundHashes>;

/** Asks other servers about all prefixes at once, rather than about one prefix after another. */
export async function askAhead(
  lists: readonly Pick<ServedList, "loaded">[],
  prefixes: readonly Uint8Array[],
  network: () => string,
): Promise<void> {
  for (const { loaded } of lists) {
    if (loaded === null || loaded.hashLayers !== undefined) continue;
    try {
      await loaded.ask(prefixes, network);
    } catch {
      // The error occurs again when each prefix is searched for.
    }
  }
}

/** Sorts prefixes, so that prefixes in the same part of a list are searched for one after the other. */
export function inHashOrder(prefixes: readonly Uint8Array[]): Uint8Array[] {
  return [...prefixes].sort(Buffer.compare);
}

/**
 * Creates a finder for lists of the store, whose full hashes are on this machine, and for lists of other servers, which
 * the finder asks.
 */
export function fullHashFinder(local: Pick<LocalHashes, "find">): FullHashFinder {
  return (list, prefix, network) => {
    if (list.hashLayers === undefined) return list.find(prefix, network);
    const hashes = local.find(list, prefix);
    return hashes.length === 0 ? NOTHING_FOUND : { ...NOTHING_FOUND, hashes };
  };
}
