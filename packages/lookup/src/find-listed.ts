import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { longestMatch, mayMatch } from "@x/prefix-list/search";
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
 * The readings of a batch that are listed, in their order. The first `count` slices are hashed; `sliceEnds` has
 * the index after the last slice of each reading.
 */
export function findListed(
  hashed: HashBatch,
  count: number,
  sliceEnds: Uint32Array,
  readings: readonly Reading[],
  lists: readonly PrefixList[],
): readonly ReadingMatches[] {
  const { prefixes } = hashed;
  let found: ReadingMatches[] | null = null;
  let index = 0;
  for (let slice = 0; slice < count; slice++) {
    if (!mayMatchAny(lists, prefixes[slice]!)) continue;
    while (sliceEnds[index]! <= slice) index++;
    const end = sliceEnds[index]!;
    const matches = matchesAmong(hashed, slice, end, lists, readings[index]!);
    if (matches.length > 0) {
      found ??= [];
      found.push({ index, matches });
    }
    slice = end - 1;
  }
  return found ?? NONE_LISTED;
}

/** Whether any list may hold a prefix of a hash that begins with `word`. */
function mayMatchAny(lists: readonly PrefixList[], word: number): boolean {
  for (let i = 0; i < lists.length; i++) if (mayMatch(lists[i]!, word)) return true;
  return false;
}

/** The matches of the hashed slices from `from` to `to`. */
function matchesAmong(
  { bytes, starts, ends, hashes }: HashBatch,
  from: number,
  to: number,
  lists: readonly PrefixList[],
  reading: Reading,
): Match[] {
  const matches: Match[] = [];
  for (let slice = from; slice < to; slice++) {
    const at = slice * FULL_HASH_BYTES;
    for (const list of lists) {
      const prefixBytes = longestMatch(list, hashes, at);
      if (prefixBytes === 0) continue;
      const text = decoder.decode(bytes.slice(starts[slice], ends[slice]));
      matches.push({
        expression: text as Expression,
        hash: hashes.slice(at, at + FULL_HASH_BYTES) as FullHash,
        prefix: hashes.slice(at, at + prefixBytes),
        list,
        confirmed: prefixBytes === FULL_HASH_BYTES,
        reading,
      });
    }
  }
  return matches;
}
