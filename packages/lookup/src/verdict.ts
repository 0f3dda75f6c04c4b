import type { CanonErrorCode } from "@x/canon";
import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";

/** One expression of a URL that is on a list. */
export interface Match {
  readonly expression: Expression;
  /** Its full hash. To confirm the match, compare it with the full hashes that a server returns for the prefix. */
  readonly hash: FullHash;
  /** The longest prefix in the list that the hash begins with. */
  readonly prefix: HashPrefix;
  readonly list: PrefixList;
}

/**
 * Why an input is not a URL: the `code` and `index` of the `CanonError` that `check` throws for it.
 * `new CanonError(input, code, index)` of `@x/canon` makes that error, with its message.
 */
export interface UrlProblem {
  readonly code: CanonErrorCode;
  /** The index in the input where the problem starts, if known. */
  readonly index: number | null;
}

/** The verdict on one input. */
export interface UrlVerdict {
  /** In the order of the expressions, and for each in the order of the lists. Empty when nothing is listed. */
  readonly matches: readonly Match[];
  /** Why the input is not a URL; `null` when it is one. */
  readonly error: UrlProblem | null;
}

/** Why a line is not checked: it is not a URL, or it is longer than `MAX_LINE_BYTES`. */
export type LineProblem = UrlProblem | { readonly code: "line-too-long"; readonly index: null };

/** The verdict on one line. */
export interface LineVerdict {
  /** The index of the line in the file, from 0. Blank lines count. */
  readonly line: number;
  /** The index of the line's first byte in the scanned bytes. */
  readonly start: number;
  /** The index after the line's last byte, without its line ending. */
  readonly end: number;
  readonly matches: readonly Match[];
  readonly error: LineProblem | null;
}

/** The verdict on a URL that is on no list. */
export const NOT_LISTED: UrlVerdict = Object.freeze({ matches: Object.freeze([]), error: null });
