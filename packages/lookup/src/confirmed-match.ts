import type { PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { shareOf } from "./false-match-chance.ts";
import type { Match } from "./verdict.ts";

/** A match counts as certain if a smaller share of harmless URLs matches by chance. */
export const DOUBTFUL_CHANCE = 1e-6;
/**
 * A match with a prefix of this length is never certain: in the protocols, it is only a hint to search for the full
 * hash.
 */
const SEARCHED_BYTES = 4;

/**
 * The smallest prefix length in bytes at which a match is certain: fewer than one harmless URL in a million matches
 * prefixes of this length or longer by chance. The result is more than four, and at most the length of a full hash.
 */
export function certainLength(lists: readonly PrefixList[]): number {
  const lengths = lists.flatMap((list) => list.lengths);
  let certain = FULL_HASH_BYTES;
  for (let bytes = FULL_HASH_BYTES; bytes > SEARCHED_BYTES; bytes--) {
    const longer = lengths.filter(({ prefixBytes }) => prefixBytes >= bytes);
    if (shareOf(longer) >= DOUBTFUL_CHANCE) break;
    certain = bytes;
  }
  return certain;
}

/** The certainty of a match with a prefix of this length. `certainBytes` is the result of {@link certainLength}. */
export function certaintyOf(
  prefixBytes: number,
  certainBytes: number,
): Pick<Match, "confirmed" | "by"> {
  if (prefixBytes === FULL_HASH_BYTES) return { confirmed: true };
  return prefixBytes < certainBytes ? { confirmed: false } : { confirmed: true, by: "length" };
}
