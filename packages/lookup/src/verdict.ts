import type { CanonicalUrl } from "@x/canon";
import { fromCodes } from "@x/canon/bytes";
import type { UrlProblem, UrlReadings } from "@x/canon/readings";
import { type Expression, type ExpressionOptions, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixLength, type PrefixList } from "@x/prefix-list";
import { checkLayout, longestMatch } from "@x/prefix-list/search";
import { FULL_HASH_BYTES, type FullHash, fullHash, type HashPrefix } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import { typeError } from "@x/sha256-prefix/type-error";

/**
 * A reading of a URL: that of the specification, that of browsers, or both. For a URL that is already canonical, both
 * readings are the same.
 */
export type Reading = "specification" | "browser" | "both";

/** One expression of a URL that is on a list. */
export interface Match {
  readonly expression: Expression;
  /** The full hash of the expression. */
  readonly hash: FullHash;
  /** The longest prefix in the list that the hash begins with. */
  readonly prefix: HashPrefix;
  readonly list: PrefixList;
  /**
   * Whether the expression is certainly on the list: `prefix` is the full hash, or so long that a match by chance is
   * practically impossible. Otherwise, the expression is probably on the list: compare `hash` with the full hashes that
   * a server returns for the prefix. `chanceOfFalseMatch` gives the probability of a match by chance.
   */
  readonly confirmed: boolean;
  /**
   * Set to `"length"` if the match is confirmed without the full hash: `prefix` has more than four bytes, and fewer
   * than one harmless URL in a million matches prefixes of the lists that are as long or longer. However, somebody who
   * deliberately looks for such a URL can find one.
   */
  readonly by?: "length";
  /** The readings of the URL that have the expression. */
  readonly reading: Reading;
  /** The URL inside the checked one that has the expression. Not set if the checked URL itself has the expression. */
  readonly inner?: InnerUrl;
}

/** The verdict on one input. */
export interface UrlVerdict<Problem = UrlProblem> {
  /**
   * The matches, in the order of the expressions, and for each expression in the order of the lists. Matches of the
   * specification's reading come first, then those that only the browsers' reading has. Empty when nothing is listed.
   */
  readonly matches: readonly Match[];
  /**
   * The matches on safe lists. A safe list counts only when every reading of the URL is on that list and the readings
   * have no problem.
   */
  readonly safeMatches: readonly Match[];
  /**
   * Why there is no verdict: the input is not a URL, or it is on no list and its host cannot be decided
   * (`host-undecided`) or cannot exist (`host-invalid`), or it is not clearly one URL (`url-unclear`). Otherwise
   * `null`. `describeProblem(input, error)` of `@x/canon` describes the error in words.
   */
  readonly error: Problem | null;
  /**
   * The readings of the input: the result of `readUrl` of `@x/canon/readings`. `null` when the input was not parsed,
   * because it is a line that is too long, a `CanonicalUrl`, or a URL that is already canonical. Up to its first `#`,
   * such a URL is its own canonical form in both readings.
   */
  readonly readings: UrlReadings | null;
}

/** The problem with the URL on a line, or `line-too-long` if the line is longer than `MAX_LINE_BYTES`. */
export type LineProblem = UrlProblem | { readonly code: "line-too-long"; readonly index: null };

/** The verdict on one line. */
export interface LineVerdict extends UrlVerdict<LineProblem> {
  /** The index of the line in the file, from 0. Blank lines count. */
  readonly line: number;
  /** The index of the line's first byte in the scanned bytes. */
  readonly start: number;
  /** The index after the line's last byte, not counting its line ending. */
  readonly end: number;
}

export const NO_MATCHES: readonly never[] = /* @__PURE__ */ Object.freeze([]);

/** The verdict on a URL that is already canonical and on no list. */
export const NOT_LISTED: UrlVerdict<never> = /* @__PURE__ */ Object.freeze({
  matches: NO_MATCHES,
  safeMatches: NO_MATCHES,
  error: null,
  readings: null,
});

/** A URL inside another one, such as the URL that an email filter has wrapped. */
export interface InnerUrl {
  readonly url: string;
  /** The service or scheme that wraps the URL, or `null` for a guess. */
  readonly wrapper: string | null;
  /** How certain it is that the outer URL leads to this one. */
  readonly certainty: "certain" | "hint" | "guess";
  /** The URL inside that directly contains this one, or `null` if the checked URL does. */
  readonly inside: InnerUrl | null;
}

/** Finds the URLs inside a URL, as `unwrapLink` does. */
export type Unwrap = (url: string | Uint8Array) => {
  readonly found: readonly InnerUrl[];
  /** The limits that were reached, so that there may be more URLs inside. */
  readonly limits: readonly string[];
};

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
function certaintyOf(prefixBytes: number, certainBytes: number): Pick<Match, "confirmed" | "by"> {
  if (prefixBytes === FULL_HASH_BYTES) return { confirmed: true };
  return prefixBytes < certainBytes ? { confirmed: false } : { confirmed: true, by: "length" };
}

/** The approximate average for real URLs. */
const EXPRESSIONS_PER_URL = 6.3;
const BITS_PER_BYTE = 8;

/**
 * The share of harmless URLs, from 0 to 1, that are expected to match by chance. A URL matches by chance when the hash
 * of one of its expressions begins with the prefix of an unrelated entry.
 *
 * A list with n prefixes of b bytes matches a hash with probability p = n / 2^(8b). For e expressions per URL, the
 * result is 1 − Π (1 − p)^e, with one factor for each prefix length of each list.
 *
 * @param expressionsPerUrl the average number of expressions per URL. The default, 6.3, is the average for real URLs.
 * @throws TypeError when `lists` is neither a list nor an array of lists, or `expressionsPerUrl` is not a number.
 * @throws RangeError when `expressionsPerUrl` is negative or not finite.
 * @example
 * ```ts
 * import { chanceOfFalseMatch } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 *
 * const rawHashes = new Uint8Array(4_000_000);
 * for (let i = 0; i < 1_000_000; i++) new DataView(rawHashes.buffer).setUint32(4 * i, 4294 * i);
 * const list = prefixList([{ prefixBytes: 4, rawHashes }]); // a million prefixes of 4 bytes
 * chanceOfFalseMatch([list, list, list]).toFixed(4); // → "0.0044"
 * ```
 */
export function chanceOfFalseMatch(
  lists: PrefixList | readonly PrefixList[],
  expressionsPerUrl: number = EXPRESSIONS_PER_URL,
): number {
  if (typeof expressionsPerUrl !== "number") {
    throw typeError("expressionsPerUrl", "a number", expressionsPerUrl);
  }
  if (!(expressionsPerUrl >= 0 && expressionsPerUrl < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expressionsPerUrl must be 0 or more, not ${expressionsPerUrl}`);
  }
  return shareOf(
    checkLists("lists", lists).flatMap(({ lengths }) => lengths),
    expressionsPerUrl,
  );
}

/** The share of harmless URLs that match prefixes of these lengths by chance. */
function shareOf(
  lengths: readonly PrefixLength[],
  expressionsPerUrl: number = EXPRESSIONS_PER_URL,
): number {
  let logOfNone = 0;
  for (const { prefixBytes, count } of lengths) {
    // For small x, log1p(x) and expm1(x) keep the digits that 1 + x loses.
    logOfNone += Math.log1p(-count / 2 ** (BITS_PER_BYTE * prefixBytes));
  }
  return 0 - Math.expm1(expressionsPerUrl * logOfNone);
}

/** Returns one list or several as an array. Anything else throws a `TypeError`, because no URL would ever be listed. */
export function checkLists(argument: string, lists: unknown): readonly PrefixList[] {
  if (Array.isArray(lists)) {
    // `map` is not used, because it skips elements that were never set.
    return Array.from(lists, (list: unknown, i) => {
      checkLayout(list, `${argument}[${i}]`);
      return list;
    });
  }
  if (typeof lists !== "object" || lists === null || !Object.hasOwn(lists, "layout")) {
    throw typeError(argument, "a PrefixList or an array of them", lists);
  }
  checkLayout(lists, argument);
  return [lists];
}
