import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash, fullHash, type HashPrefix } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import { certaintyOf } from "../confirmed-match.ts";
import type { Match, Reading } from "../verdict.ts";

/** Calls `add` with each match of a hashed expression. The matches share the expression, its hash and its prefixes. */
export function addMatches(
  { bytes, starts, ends, hashes }: HashBatch,
  slice: number,
  lists: readonly PrefixList[],
  reading: Reading,
  certainBytes: number,
  add: (match: Match) => void,
): void {
  const at = slice * FULL_HASH_BYTES;
  let expression: Expression | null = null;
  let hash: FullHash | null = null;
  let prefix: HashPrefix | null = null;
  for (const list of lists) {
    const prefixBytes = longestMatch(list, hashes, at);
    if (prefixBytes === 0) continue;
    expression ??= fromCodes(bytes.subarray(starts[slice], ends[slice])) as Expression;
    hash ??= hashes.slice(at, at + FULL_HASH_BYTES) as FullHash;
    if (prefix?.length !== prefixBytes) prefix = hashes.slice(at, at + prefixBytes);
    const certainty = certaintyOf(prefixBytes, certainBytes);
    add({ expression, hash, prefix, list, ...certainty, reading });
  }
}

/**
 * The matches of one URL, found in the simplest way: each expression is hashed by itself. URLs that are too long for
 * the batch, or already parsed, are checked in this way. The batch gives the same result, but faster.
 */
export function plainMatches(
  url: CanonicalUrl,
  reading: Reading,
  lists: readonly PrefixList[],
  options: ExpressionOptions,
  certainBytes: number,
): Match[] {
  const matches: Match[] = [];
  for (const expression of expressions(url, options)) {
    const hash = fullHash(expression);
    for (const list of lists) {
      const prefix = lookupPrefix(list, hash);
      if (prefix === null) continue;
      const certainty = certaintyOf(prefix.length, certainBytes);
      matches.push({ expression, hash, prefix, list, ...certainty, reading });
    }
  }
  return matches;
}
