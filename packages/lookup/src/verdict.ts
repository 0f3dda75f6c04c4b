import type { UrlProblem, UrlReadings } from "@x/canon/readings";
import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";

/**
 * How a URL was read: as the specification reads it, as browsers do, or both. With `"both"`, the two agree, or the URL is already
 * canonical and has no other reading.
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
   * Whether `prefix` is the full hash. If so, the expression is certainly on the list. Otherwise it probably is:
   * compare `hash` with the full hashes that a server returns for the prefix; see `chanceOfFalseMatch`.
   */
  readonly confirmed: boolean;
  /** Which readings of the URL have the expression. */
  readonly reading: Reading;
}

/** The verdict on one input. */
export interface UrlVerdict<Problem = UrlProblem> {
  /**
   * The matches, in the order of the expressions, and for each expression in the order of the lists. Matches of the
   * specification's reading come first, then those that only the browsers' reading has. Empty when nothing is listed.
   */
  readonly matches: readonly Match[];
  /** The matches on safe lists. A safe list counts only when every reading of the URL is on it. */
  readonly safeMatches: readonly Match[];
  /**
   * Why there is no verdict: the input is not a URL, or it is on no list and its host cannot be decided (`host-undecided`).
   * Otherwise `null`. `describeProblem(input, error)` of `@x/canon` says it in words.
   */
  readonly error: Problem | null;
  /**
   * How the input was read: the result of `readUrl` of `@x/canon/readings`. `null` when it was not parsed, because it
   * is a line that is too long, or because it is already canonical. The part of a canonical URL before its first `#` is
   * the canonical form in both readings.
   */
  readonly readings: UrlReadings | null;
}

/** Why a line is not checked: it is not a URL, or it is longer than `MAX_LINE_BYTES`. */
export type LineProblem = UrlProblem | { readonly code: "line-too-long"; readonly index: null };

/** The verdict on one line. */
export interface LineVerdict extends UrlVerdict<LineProblem> {
  /** The index of the line in the file, from 0. Blank lines count. */
  readonly line: number;
  /** The index of the line's first byte in the scanned bytes. */
  readonly start: number;
  /** The index after the line's last byte, without its line ending. */
  readonly end: number;
}

export const NO_MATCHES: readonly never[] = Object.freeze([]);

/** The verdict on a URL that is already canonical and on no list. */
export const NOT_LISTED: UrlVerdict<never> = Object.freeze({
  matches: NO_MATCHES,
  safeMatches: NO_MATCHES,
  error: null,
  readings: null,
});
