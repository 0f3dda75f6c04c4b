import type { UrlProblem, UrlReadings } from "@x/canon/readings";
import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";

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
   * than one harmless URL in a million matches prefixes of the lists that are as long or longer. However, somebody who deliberately looks for such a URL can find one.
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
   * (`host-undecided`) or cannot exist (`host-invalid`), or it is not clearly one URL (`url-unclear`). Otherwise `null`. `describeProblem(input, error)` of
   * `@x/canon` describes the error in words.
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

export const NO_MATCHES: readonly never[] = Object.freeze([]);

/** The verdict on a URL that is already canonical and on no list. */
export const NOT_LISTED: UrlVerdict<never> = Object.freeze({
  matches: NO_MATCHES,
  safeMatches: NO_MATCHES,
  error: null,
  readings: null,
});

/** A URL inside another one, such as the URL that a mail filter has wrapped. */
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
