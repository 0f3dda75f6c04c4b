import { type CanonicalizationStep, type CanonicalUrl, parseUrlWithSteps } from "@x/canon";
import { type UrlHash, type UrlHashOptions, urlHashes } from "@x/lookup";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { type Refusal, refusalOf } from "../refusal.ts";
import {
  type ExpressionRecord,
  expressionRecord,
  type MatchRecord,
  matchRecord,
} from "./records.ts";

/** A list that a URL was looked up in. */
export interface ListSummary {
  readonly name: string;
  /** The number of prefixes. */
  readonly size: number;
}

/** How a verdict on a URL came about, as plain data. */
export interface UrlExplanation extends Omit<CanonicalUrl, "href"> {
  /** Every step of the canonicalization, with the URL after it. */
  readonly steps: readonly CanonicalizationStep[];
  /** The canonical URL. Its parts are `scheme`, `host`, `hostType`, `path` and `query`. */
  readonly canonical: string;
  /** In the order of the specification. */
  readonly expressions: readonly ExpressionRecord[];
  /** The lists that the URL was looked up in. */
  readonly lists: readonly ListSummary[];
  /** Whether the URL is on one of the lists; `null` when there was no list. */
  readonly listed: boolean | null;
  /** In the order of the expressions, and for each in the order of the lists. */
  readonly matches: readonly MatchRecord[];
}

/** The options of {@link explainUrl}: `prefixBytes` and `registrableDomain`, as in `urlHashes` of `@x/lookup`. */
export type ExplainUrlOptions = UrlHashOptions;

/**
 * Everything about one URL: the steps of its canonicalization, its parts, its expressions with their hashes, and
 * the matches on `lists`. The URL is parsed once. An input that is not a URL gives a {@link Refusal}.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`.
 * @throws RangeError when `prefixBytes` is not a whole number from 4 to 32.
 * @example
 * ```ts
 * import { explainUrl } from "@x/explain";
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 4 });
 * const explained = explainUrl("http://EVIL.example/a", [list]);
 * if (!("error" in explained)) {
 *   explained.canonical; // → "http://evil.example/a"
 *   explained.steps.filter(({ changed }) => changed).map(({ step }) => step); // → ["lower-case-host"]
 *   explained.expressions.map(({ prefix }) => prefix); // → ["b72f2c94", "f001957c"]
 *   explained.matches; // → [{ list: "phishing", expression: "evil.example/", prefix: "f001957c" }]
 * }
 * ```
 * @see Web Risk, "Hashing URLs"
 */
export function explainUrl(
  url: string | Uint8Array,
  lists: readonly PrefixList[],
  options: ExplainUrlOptions = {},
): UrlExplanation | Refusal {
  let parsed: ReturnType<typeof parseUrlWithSteps>;
  try {
    parsed = parseUrlWithSteps(url);
  } catch (error) {
    return refusalOf(error);
  }
  const { href, ...parts } = parsed.url;
  const hashes = urlHashes(parsed.url, options);
  const matches = hashes.flatMap((hashed) => matchesOf(hashed, lists));
  return {
    steps: parsed.steps,
    canonical: href,
    ...parts,
    expressions: hashes.map(expressionRecord),
    lists: lists.map(({ name, size }) => ({ name, size })),
    listed: lists.length === 0 ? null : matches.length > 0,
    matches,
  };
}

/** The lists that one expression is on. */
function matchesOf({ expression, hash }: UrlHash, lists: readonly PrefixList[]): MatchRecord[] {
  return lists.flatMap((list) => {
    const prefix = lookupPrefix(list, hash);
    return prefix === null ? [] : [matchRecord({ list, expression, prefix })];
  });
}
