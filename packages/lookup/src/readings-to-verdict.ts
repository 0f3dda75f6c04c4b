import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import type { UrlReadings } from "@x/canon/readings";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash, fullHash, type HashPrefix } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import { certaintyOf } from "./confirmed-match.ts";
import { type Match, NO_MATCHES, type Reading, type UrlVerdict } from "./verdict.ts";

/**
 * Makes the final verdict on a URL. `verdict` has the matches of all readings on all lists, and the problem with the
 * readings as its `error`.
 *
 * The URL is listed when any of its readings is listed, whether or not there is a problem. The URL is on a safe list
 * only when every reading is on that list and there is no problem, because an attacker can give one reading an innocent
 * host. A URL that Firefox alone reads in a third way is on no safe list.
 */
export function settle(verdict: UrlVerdict, safeLists: ReadonlySet<PrefixList>): UrlVerdict {
  const { error, readings } = verdict;
  const hasFirefox = readings !== null && readings.firefox !== null;
  const isAmbiguous = hasFirefox || hasTwoReadings(readings);
  // A shortcut for nearly all URLs.
  if (verdict.matches.length === 0 || (!isAmbiguous && error === null && safeLists.size === 0)) {
    return verdict;
  }
  const found = isAmbiguous ? mergeReadings(verdict.matches) : verdict.matches;
  const matches = found.filter(({ list }) => !safeLists.has(list));
  const isOnEvery = (list: PrefixList) =>
    !isAmbiguous ||
    (["specification", "browser"] as const).every((other) =>
      found.some((match) => match.list === list && match.reading !== other),
    );
  const safeMatches =
    error === null && !hasFirefox
      ? found.filter(({ list }) => safeLists.has(list) && isOnEvery(list))
      : NO_MATCHES;
  return { matches, safeMatches, error: matches.length > 0 ? null : error, readings };
}

function hasTwoReadings(readings: UrlReadings | null): boolean {
  if (readings === null) return false;
  const { specification, browser } = readings;
  return specification !== null && browser !== null && specification !== browser;
}

/**
 * Where several readings have the same match, keeps only the first one. The reading of that match becomes `"both"`,
 * unless only browsers have the match. The matches of the specification's reading must come first.
 */
function mergeReadings(matches: readonly Match[]): readonly Match[] {
  return matches.flatMap((match) => {
    const same = matches.filter(
      ({ list, expression }) => list === match.list && expression === match.expression,
    );
    if (same[0] !== match) return [];
    const isShared = same.some(({ reading }) => reading !== match.reading);
    return [isShared ? { ...match, reading: "both" } : match];
  });
}

/** Whether an expression is that of a whole host, such as `b.c/`. */
const isWholeHost = (expression: string): boolean =>
  expression.indexOf("/") === expression.length - 1;

/** Calls `add` with each match of a hashed expression. The matches share the expression, its hash and its prefixes. */
export function addMatches(
  { bytes, starts, ends, hashes }: HashBatch,
  slice: number,
  lists: readonly PrefixList[],
  onlyHosts: ReadonlySet<PrefixList>,
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
    if (onlyHosts.has(list) && !isWholeHost(expression)) continue;
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
  onlyHosts: ReadonlySet<PrefixList>,
  options: ExpressionOptions,
  certainBytes: number,
): Match[] {
  const matches: Match[] = [];
  for (const expression of expressions(url, options)) {
    const hash = fullHash(expression);
    for (const list of lists) {
      const prefix = lookupPrefix(list, hash);
      if (prefix === null || (onlyHosts.has(list) && !isWholeHost(expression))) continue;
      const certainty = certaintyOf(prefix.length, certainBytes);
      matches.push({ expression, hash, prefix, list, ...certainty, reading });
    }
  }
  return matches;
}
