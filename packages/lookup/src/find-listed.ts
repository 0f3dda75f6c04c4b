import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import type { Match, Reading } from "./verdict.ts";

/** The matches of one reading of a batch. */
export interface ReadingMatches {
  /** The index of the reading in the batch, from 0. */
  readonly index: number;
  readonly matches: readonly Match[];
}

const decoder = new TextDecoder();
const NONE_LISTED: readonly ReadingMatches[] = Object.freeze([]);

/**
 * The readings of a batch that are listed, in their order. The expressions with the first `count` indices in `selected`
 * are looked up; `slices` has the slice of each expression, and `expressionEnds` has the index after the last expression of each reading.
 */
export function findListed(
  hashed: HashBatch,
  slices: Uint32Array,
  selected: Uint32Array,
  count: number,
  expressionEnds: Uint32Array,
  readings: readonly Reading[],
  lists: readonly PrefixList[],
): readonly ReadingMatches[] {
  if (count === 0) return NONE_LISTED;
  const found: { readonly index: number; readonly matches: Match[] }[] = [];
  let index = 0;
  for (let i = 0; i < count; i++) {
    const expression = selected[i]!;
    while (expressionEnds[index]! <= expression) index++;
    for (const list of lists) {
      const match = matchOf(hashed, slices[expression]!, list, readings[index]!);
      if (match === null) continue;
      const last = found[found.length - 1];
      if (last?.index === index) last.matches.push(match);
      else found.push({ index, matches: [match] });
    }
  }
  return found;
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
    expression: decoder.decode(bytes.slice(starts[slice], ends[slice])) as Expression,
    hash: hashes.slice(at, at + FULL_HASH_BYTES) as FullHash,
    prefix: hashes.slice(at, at + prefixBytes),
    list,
    confirmed: prefixBytes === FULL_HASH_BYTES,
    reading,
  };
}
