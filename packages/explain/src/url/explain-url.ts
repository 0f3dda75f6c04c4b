import {
  type CanonicalizationStep,
  type CanonicalUrl,
  describeProblem,
  explainCanonicalization,
} from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import { readUrl, type UrlReadings } from "@x/canon/readings";
import { type Coverage, coverage, type RegistrableDomain } from "@x/expressions";
import {
  chanceOfFalseMatch,
  checker,
  type Match,
  type Reading,
  type ReadingChoice,
  type UrlHashOptions,
  urlHashes,
} from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { InputProblem, Refusal } from "../input.ts";
import { type BrowserReading, browserReading } from "./browser-reading.ts";
import {
  type ExpressionRecord,
  expressionRecord,
  type MatchRecord,
  matchRecord,
} from "./records.ts";

/** The schemes of pages. Browsers no longer open `ftp`, and `ws` and `wss` are only for scripts. */
const NAVIGABLE: ReadonlySet<string> = new Set(["http", "https"]);

/** A list that a URL was looked up in. */
interface ListSummary {
  readonly name: string;
  readonly size: number;
  readonly checksum: string;
  /** The time at which the list was made, such as `"2026-01-31T12:00:00.000Z"`. */
  readonly created: string;
}

/** An expression and the readings of the URL that have it. */
export interface ReadExpression extends ExpressionRecord {
  readonly reading: Reading;
}

/** A match of a URL and the coverage of the entry. */
interface ExplainedMatch extends MatchRecord {
  /** The coverage of the expression as an entry in a list (see `coverage` of `@x/expressions`). */
  readonly covers: Coverage;
}

/** Everything that led to a verdict on a URL, as plain data. */
export interface UrlExplanation extends Omit<CanonicalUrl, "href"> {
  /**
   * Which reading the steps and parts show. It is `"both"` when browsers read the input as the specification does, or
   * when their reading was not requested. It is `"browser"` when the specification refuses the input, and otherwise
   * `"specification"`.
   */
  readonly reading: Reading;
  /** Every step of the canonicalization, with the resulting URL. */
  readonly steps: readonly CanonicalizationStep[];
  /** The canonical URL. Its parts are `scheme`, `host`, `hostType`, `path` and `query`. */
  readonly canonical: string;
  /**
   * Whether browsers open the input as a page; `null` when their reading was not requested or the host is undecided.
   */
  readonly opened: boolean | null;
  /** How browsers read the input; `null` when they read it as the specification does, or do not open it. */
  readonly browser: BrowserReading | null;
  /** Why the specification refuses the input; `null` when it does not. */
  readonly refused: InputProblem | null;
  /** The expressions in the order of the specification. Expressions that only browsers read come last. */
  readonly expressions: readonly ReadExpression[];
  readonly lists: readonly ListSummary[];
  /** Whether the URL is on one of the lists; `null` when there was no list. */
  readonly listed: boolean | null;
  /** The matches, in the order of the expressions. Those of one expression are in the order of the lists. */
  readonly matches: readonly ExplainedMatch[];
  /**
   * The chance that a harmless URL with as many expressions as this one is listed, from 0 to 1; `null` when there was
   * no list.
   */
  readonly chanceOfFalseMatch: number | null;
  readonly safeLists: readonly ListSummary[];
  /** The matches on lists of safe sites. A list counts only if every reading of the URL is on it. */
  readonly safeMatches: readonly MatchRecord[];
}

/** The options of {@link explainUrl}: those of `urlHashes` of `@x/lookup` and two of `checker`. */
export interface ExplainUrlOptions extends UrlHashOptions {
  /** `"specification"` leaves out the reading of browsers. */
  readonly readings?: ReadingChoice | undefined;
  readonly safeLists?: readonly PrefixList[] | undefined;
}

/**
 * Explains a URL: the steps of its canonicalization, its parts, its expressions with their hashes, the reading of
 * browsers if it differs, and the matches on `lists`. The result is a {@link Refusal} for an input that neither the
 * specification nor browsers accept, and for an unlisted input whose host cannot be decided or cannot exist.
 *
 * @see Web Risk, "Hashing URLs"
 */
export function explainUrl(
  url: string | Uint8Array,
  lists: readonly PrefixList[],
  options: ExplainUrlOptions = {},
): UrlExplanation | Refusal {
  const { readings = "both", safeLists = [], registrableDomain } = ownOptions(options);
  // For one URL, compiling WebAssembly takes longer than it saves, and a page may forbid it.
  const engine = "javascript";
  const { checkMany } = checker(lists, { readings, safeLists, registrableDomain, engine });
  const [verdict] = checkMany([url]);
  const { matches, safeMatches, error } = verdict!;
  if (error !== null) return { error: describeProblem(url, error) };
  const read = verdict!.readings ?? readUrl(url, readings);
  const { specification, browser, opens, refused, problem } = read;
  // If there is no error, there is at least one reading.
  const { href, ...parts } = specification ?? browser!;
  const other = browserReading(url, read);
  const isAsked = readings === "both";
  const isReadAlike = other === null && (browser !== null || !isAsked);
  const all = expressionsOf(read, options);
  const explainedMatch = (match: Match): ExplainedMatch => {
    const readAs = match.reading === "browser" ? browser : specification;
    const covers = coverageOf(match.expression, (readAs ?? browser)!, registrableDomain);
    return { ...matchRecord(match), covers };
  };
  return {
    reading: specification === null ? "browser" : isReadAlike ? "both" : "specification",
    steps: explainCanonicalization(specification === null ? opens! : url),
    canonical: href,
    ...parts,
    opened:
      !isAsked || problem?.code === "host-undecided"
        ? null
        : browser !== null && NAVIGABLE.has(browser.scheme),
    browser: other,
    refused: refused === null ? null : describeProblem(url, refused),
    expressions: all,
    lists: lists.map(summaryOf),
    listed: lists.length === 0 ? null : matches.length > 0,
    matches: matches.map(explainedMatch),
    chanceOfFalseMatch: lists.length === 0 ? null : chanceOfFalseMatch(lists, all.length),
    safeLists: safeLists.map(summaryOf),
    safeMatches: safeMatches.map(matchRecord),
  };
}

/**
 * The expressions of all readings. Firefox's own expressions count as those of browsers. If browsers open nothing, the
 * specification's reading counts as both.
 */
function expressionsOf(
  { specification, browser, firefox }: UrlReadings,
  options: UrlHashOptions,
): readonly ReadExpression[] {
  const { prefixBytes, registrableDomain } = ownOptions(options);
  const hashed = (url: CanonicalUrl) =>
    urlHashes(url, { prefixBytes, registrableDomain }).map(expressionRecord);
  const own = specification === null ? [] : hashed(specification);
  const ofBrowsers = browser === null || browser === specification ? own : hashed(browser);
  const readBy = (all: readonly ExpressionRecord[], { expression }: ExpressionRecord) =>
    all.some((record) => record.expression === expression);
  const ofFirefox = firefox === null ? [] : hashed(firefox);
  const others = [...ofBrowsers, ...ofFirefox.filter((record) => !readBy(ofBrowsers, record))];
  return [
    ...own.map((record): ReadExpression => {
      return { ...record, reading: readBy(others, record) ? "both" : "specification" };
    }),
    ...others
      .filter((record) => !readBy(own, record))
      .map((record): ReadExpression => ({ ...record, reading: "browser" })),
  ];
}

function summaryOf({ name, size, checksum, created }: PrefixList): ListSummary {
  return { name, size, checksum, created: new Date(created).toISOString() };
}

/** Returns the coverage that an expression of a URL has as an entry in a list. */
function coverageOf(
  expression: string,
  url: CanonicalUrl,
  registrableDomain: RegistrableDomain | undefined,
): Coverage {
  // An expression has no scheme, so parsing it could give another URL. Instead, its parts replace those of the URL that
  // it comes from.
  const [, host, path, query] = /^([^/]*)(\/[^?]*)(?:\?(.*))?$/s.exec(expression)!;
  const entry = { ...url, host, path, query: query ?? null } as CanonicalUrl;
  return coverage(entry, { registrableDomain });
}

/** Puts the coverage of an entry into a sentence. The expression may need `printable` before it is shown. */
export function coverageText(expression: string, covers: Coverage): string {
  const { pathsBelow, hostsBelow } = covers;
  const slash = expression.indexOf("/");
  const host = expression.slice(0, slash);
  const path = expression.slice(slash);
  if (path === "/" && pathsBelow) {
    const what = hostsBelow ? "this host and everything below it" : "everything on this host";
    return `${expression} covers ${what}${hostsBelow ? "" : `, but no host below it`}.`;
  }
  const also = hostsBelow ? `, also on the hosts below ${host}` : "";
  if (pathsBelow) return `${expression} covers everything in this folder${also}.`;
  if (!covers.anyQuery) {
    return `${expression} covers this path and query${also === "" ? ", and nothing else" : also}.`;
  }
  const tooDeep = path.endsWith("/")
    ? " It covers nothing in this folder: expressions do not reach that deep."
    : "";
  return `${expression} covers this path with any query${also}.${tooDeep}`;
}
