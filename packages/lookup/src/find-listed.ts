import type { Expression } from "@x/expressions";
import { longestMatch, mayMatch, type PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES, type FullHash } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import type { Match } from "./verdict.ts";

/** Called for each listed URL of a batch with its index and its matches. */
export type OnListed = (index: number, matches: Match[]) => void;

/**
 * Finds the listed URLs of a batch, in their order. The first `count` slices are hashed; `sliceEnds` has the
 * index after the last slice of each URL.
 */
export function findListed(
  hashed: HashBatch,
  count: number,
  sliceEnds: Uint32Array,
  lists: readonly PrefixList[],
  onListed: OnListed,
): void {
  const { prefixes } = hashed;
  let index = 0;
  for (let slice = 0; slice < count; slice++) {
    if (!mayMatchAny(lists, prefixes[slice]!)) continue;
    while (sliceEnds[index]! <= slice) index++;
    const end = sliceEnds[index]!;
    const matches = matchesAmong(hashed, slice, end, lists);
    if (matches.length > 0) onListed(index, matches);
    slice = end - 1;
  }
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
): Match[] {
  const matches: Match[] = [];
  for (let slice = from; slice < to; slice++) {
    const at = slice * FULL_HASH_BYTES;
    for (const list of lists) {
      const prefixBytes = longestMatch(list, hashes, at);
      if (prefixBytes === 0) continue;
      const text = new TextDecoder().decode(bytes.slice(starts[slice], ends[slice]));
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
