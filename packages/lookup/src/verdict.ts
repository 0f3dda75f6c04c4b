import type { CanonError } from "@x/canon";
import type { Expression } from "@x/expressions";
import type { PrefixList } from "@x/prefix-list";
import type { FullHash, HashPrefix } from "@x/sha256-prefix";

/** One expression of a URL that is on a list. */
export interface Match {
  readonly expression: Expression;
  /** Its full hash: what an online check compares with those that the server gives for the prefix. */
  readonly hash: FullHash;
  /** The longest prefix in the list that the hash begins with. */
  readonly prefix: HashPrefix;
  readonly list: PrefixList;
}

/** What came of one URL. */
export interface UrlVerdict {
  /** In the order of the expressions, and for each in that of the lists; empty when nothing is listed. */
  readonly matches: readonly Match[];
  /** Why the input is not a URL, `null` when it is one. */
  readonly error: CanonError | null;
}

/** What came of one URL of a batch, if there is something to tell. */
export interface Finding extends UrlVerdict {
  /** The number of the URL in its batch, from 0. */
  readonly index: number;
}

/** What came of one line that has something to tell. */
export interface LineVerdict extends UrlVerdict {
  /** The number of the line, from 0. */
  readonly line: number;
  /** Where its octets start and end, without the line ending. */
  readonly start: number;
  readonly end: number;
}

export const CLEAN: UrlVerdict = Object.freeze({ matches: Object.freeze([]), error: null });
