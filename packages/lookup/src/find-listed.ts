import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import { longestMatch, mayMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash, type HashBatchBuffers } from "@x/sha256-prefix";
import type { Finding, Match } from "./verdict.ts";

/**
 * Adds to `findings` the URLs that are listed. Of the hashed slices the first `count` are theirs; where those
 * of each URL end is in `sliceEnds`.
 */
export function findListed(
  hashed: HashBatchBuffers,
  count: number,
  sliceEnds: Uint32Array,
  lists: readonly PrefixList[],
  findings: Finding[],
): void {
  const { prefixes } = hashed;
  let index = 0;
  for (let slice = 0; slice < count; slice++) {
    if (!mayMatchAny(lists, prefixes[slice]!)) continue;
    while (sliceEnds[index]! <= slice) index++;
    const end = sliceEnds[index]!;
    const matches = matchesAmong(hashed, slice, end, lists);
    if (matches.length > 0) findings.push({ index, matches, error: null });
    slice = end - 1;
  }
}

/** Whether any list may hold a hash that begins with this word. */
function mayMatchAny(lists: readonly PrefixList[], word: number): boolean {
  for (let i = 0; i < lists.length; i++) if (mayMatch(lists[i]!, word)) return true;
  return false;
}

/** The matches of the hashed slices from `from` to `to`. */
function matchesAmong(
  { octets, starts, ends, hashes }: HashBatchBuffers,
  from: number,
  to: number,
  lists: readonly PrefixList[],
): Match[] {
  const matches: Match[] = [];
  for (let slice = from; slice < to; slice++) {
    const at = slice * FULL_HASH_BYTES;
    for (const list of lists) {
      const prefixBytes = longestMatch(list, hashes, at);
      if (prefixBytes === 0) continue;
      const text = new TextDecoder().decode(octets.slice(starts[slice], ends[slice]));
      matches.push({
        expression: text as Expression,
        hash: hashes.slice(at, at + FULL_HASH_BYTES) as FullHash,
        prefix: hashes.slice(at, at + prefixBytes),
        list,
      });
    }
  }
  return matches;
}
