import type { CanonicalUrl } from "@x/canon";
import { type ExpressionOptions, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import type { Match, Reading } from "../verdict.ts";

/**
 * The matches of one URL, found in the plainest way: string by string, hash by hash. URLs that are too long for
 * the batch are checked like this. The batch does the same, faster.
 */
export function plainMatches(
  url: CanonicalUrl,
  reading: Reading,
  lists: readonly PrefixList[],
  options: ExpressionOptions,
): Match[] {
  const matches: Match[] = [];
  for (const expression of expressions(url, options)) {
    const hash = fullHash(expression);
    for (const list of lists) {
      const prefix = lookupPrefix(list, hash);
      if (prefix === null) continue;
      const confirmed = prefix.length === FULL_HASH_BYTES;
      matches.push({ expression, hash, prefix, list, confirmed, reading });
    }
  }
  return matches;
}
