import { mergedOrder } from "./merged-order.ts";
import type { RawHashes } from "./raw-hashes.ts";

/*
 * A prefix has a position in the batch of its length, and a place in the whole list, where lengths are mixed
 * in one ascending order. In a list of one length they are the same.
 */

/** The places of the prefixes at ascending positions in each batch; ascending. */
export function toPlaces(
  batches: readonly RawHashes[],
  positions: readonly Uint32Array[],
): Uint32Array {
  const places = new Uint32Array(positions.reduce((sum, { length }) => sum + length, 0));
  const next = batches.map(() => 0);
  const done = batches.map(() => 0);
  let used = 0;
  mergedOrder(batches).forEach((number, place) => {
    if (positions[number]![done[number]!] === next[number]!++) {
      done[number]!++;
      places[used++] = place;
    }
  });
  return places;
}

/** The positions in each batch of the prefixes at ascending places, all of which are in the list. */
export function toPositions(batches: readonly RawHashes[], places: Uint32Array): Uint32Array[] {
  const positions = batches.map(({ prefixSize, rawHashes }) => {
    return new Uint32Array(Math.min(places.length, rawHashes.length / prefixSize));
  });
  const next = batches.map(() => 0);
  const used = batches.map(() => 0);
  let done = 0;
  mergedOrder(batches).forEach((number, place) => {
    const position = next[number]!++;
    if (places[done] === place) {
      done++;
      positions[number]![used[number]!++] = position;
    }
  });
  return positions.map((found, number) => found.subarray(0, used[number]));
}
