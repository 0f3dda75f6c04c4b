import type { CanonicalUrl } from "@x/canon";
import { hasInvalidIdn } from "@x/canon/browser";
import { type Expression, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { isTooDeep } from "./depth.ts";
import { droppedParts } from "./dropped-parts.ts";

/** What is odd about an entry or a source. The README explains each code. */
export type WarningCode =
  | "public-suffix"
  | "covered"
  | "covers-nothing-below"
  | "user-dropped"
  | "port-dropped"
  | "fragment-dropped"
  | "rule-narrowed"
  | "copied-character"
  | "invalid-idn"
  | "other-hash"
  | "line-end-missing"
  | "several-columns";

/** A warning about something in a source that its publisher may not have intended. */
export interface Warning {
  /** The line, from 1. */
  readonly line: number;
  readonly code: WarningCode;
  /** The entry; `null` when the source contains hashes, or when the warning is about the whole source. */
  readonly expression: Expression | null;
  /** For `covered`, the expression that covers this entry; otherwise null. */
  readonly coveredBy: Expression | null;
  /** For `several-columns`, the names of the columns; the first one is read. Otherwise null. */
  readonly columns: readonly string[] | null;
}

/** Options for entries that are probably broader than intended. */
export interface BroadOptions {
  /**
   * Returns whether a host is a public suffix or shared by unrelated people, according to the Public Suffix List, like
   * `isPublicSuffix` of `@x/list-source/public-suffixes`. Entries for such hosts then get a warning, and bare top-level
   * domains are refused.
   */
  readonly isPublicSuffix?: ((host: string) => boolean) | undefined;
  /** Whether bare top-level domains, such as `com`, are accepted; `false` by default. */
  readonly allowBroad?: boolean | undefined;
}

/** Options for warnings. */
export interface LintOptions extends BroadOptions {
  /**
   * The finished list. If you read the source again with this option, there is a warning about each entry that another
   * entry covers. With short hash prefixes, some of these warnings are false.
   */
  readonly coveredBy?: PrefixList | undefined;
}

/** Punctuation that people copy along with a URL from sentences, tables and HTML. */
const COPIED = /[,;'|]$|&amp;/;

/** Returns a function that warns about entries. */
export function linter(
  options: LintOptions,
  warn: (code: WarningCode, expression: Expression, coveredBy: Expression | null) => void,
): (text: string, url: CanonicalUrl, expression: Expression) => void {
  const { isPublicSuffix, coveredBy } = options;
  return (text, url, expression) => {
    for (const code of droppedParts(text, url)) warn(code, expression, null);
    if (COPIED.test(text)) warn("copied-character", expression, null);
    if (hasInvalidIdn(url.host)) warn("invalid-idn", expression, null);
    const isHost = expression.length === url.host.length + 1;
    if (isHost && isPublicSuffix?.(url.host)) warn("public-suffix", expression, null);
    if (isTooDeep(url, expression)) warn("covers-nothing-below", expression, null);
    if (coveredBy === undefined) return;
    const cover = expressions(url).find(
      (other) => other !== expression && lookupPrefix(coveredBy, fullHash(other)) !== null,
    );
    if (cover !== undefined) warn("covered", expression, cover);
  };
}
