import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import type { Match, Reading } from "../verdict.ts";

/** The matches of one reading of a batch. */
export interface ReadingMatches {
  /** The index of the reading in the batch, from 0. */
  readonly index: number;
  readonly matches: Match[];
}

const decoder = new TextDecoder();

/**
 * Looks up the slices with the first `count` indices in `selected`, and adds the readings that are listed to `found`,
 * in their order.
 *
 * @param sliceEnds for each reading, the index after its last slice.
 * @param index the first reading with slices.
 */
export function findListed(
  hashed: HashBatch,
  selected: Uint32Array,
  count: number,
  sliceEnds: Uint32Array,
  index: number,
  readings: readonly Reading[],
  lists: readonly PrefixList[],
  found: ReadingMatches[],
): void {
  for (let i = 0; i < count; i++) {
    const slice = selected[i]!;
    while (sliceEnds[index]! <= slice) index++;
    for (const list of lists) {
      const match = matchOf(hashed, slice, list, readings[index]!);
      if (match === null) continue;
      const last = found[found.length - 1];
      if (last?.index === index) last.matches.push(match);
      else found.push({ index, matches: [match] });
    }
  }
}

/** The match of a hashed slice with a list. */
function matchOf(
  { bytes, starts, ends, hashes }: HashBatch,
  slice: number,
  list: PrefixList,
  reading: Reading,
): Match | null {
  const at = slice * FULL_HASH_BYTES;
  const prefixBytes = longestMatch(list, hashes, at);
  if (prefixBytes === 0) return null;
  return {
    expression: decoder.decode(bytes.subarray(starts[slice], ends[slice])) as Expression,
    hash: hashes.slice(at, at + FULL_HASH_BYTES) as FullHash,
    prefix: hashes.slice(at, at + prefixBytes),
    list,
    confirmed: prefixBytes === FULL_HASH_BYTES,
    reading,
  };
}
