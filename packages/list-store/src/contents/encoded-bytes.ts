import type { ChangeObjects, Layers, StoredPrefixes } from "./layers.ts";

/** What an object takes besides its bytes: a request with its headers. */
const REQUEST_BYTES = 500;

/** Roughly how many bytes the Rice codes of this many numbers below `end` take. */
export function riceBytes(count: number, end: number): number {
  // The bits for the mean gap between two numbers, and one and a half for its deviations. The least is four.
  return count === 0 ? 0 : (count * Math.max(4, Math.log2(end / count) + 1.5)) / 8;
}

function bytesOf(prefixes: StoredPrefixes | null): number {
  return prefixes === null ? 0 : REQUEST_BYTES + prefixes.bytes;
}

/** How many bytes a reader downloads for changes. */
export function changeBytes(changes: readonly ChangeObjects[]): number {
  return changes.reduce((sum, { removed, added }) => sum + bytesOf(removed) + bytesOf(added), 0);
}

/** How many bytes a reader downloads for the whole list. */
export function wholeBytes({ base, layers }: Layers): number {
  return bytesOf(base.prefixes) + changeBytes(layers);
}
