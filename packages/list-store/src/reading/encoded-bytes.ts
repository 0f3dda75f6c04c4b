import type { Contents, Manifest } from "../log/manifest.ts";

/** What an object takes besides its entries, in bytes: the frame of a list file, and a request with its headers. */
const OBJECT_BYTES = 500;

/** Roughly how many bytes the Rice codes of this many numbers below `end` take. */
export function riceBytes(count: number, end: number): number {
  // The bits for the mean gap between two numbers, and one and a half for its deviations. The least is four.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}

/** How many bytes a reader downloads for the whole list. */
export function snapshotBytes({ prefixes, snapshotBytes: stored }: Contents): number {
  return OBJECT_BYTES + (stored ?? riceBytes(prefixes, 2 ** 32));
}

/** How many bytes a reader downloads for the changes since the previous version. */
export function changeBytes({ change }: Manifest): number {
  if (change === null) return 0;
  const { removedEntries, addedEntries, bytes: stored } = change;
  const bytes = stored ?? riceBytes(removedEntries, 2 ** 32) + riceBytes(addedEntries, 2 ** 32);
  return 2 * OBJECT_BYTES + bytes;
}
