import type { CanonicalSpans, CanonicalUrl } from "@x/canon";
import { checkCanonicalUrl } from "./check-canonical-url.ts";
import {
  domainStart,
  hostSuffixStarts,
  lastTwoLabels,
  MAX_HOST_SUFFIXES,
  type RegistrableDomain,
} from "./host-suffixes.ts";
import { MAX_PATH_PREFIXES, pathPrefixEnds } from "./path-prefixes.ts";
import { wholeText } from "./whole-text.ts";

/** Which host suffixes are formed. */
export interface ExpressionOptions {
  /**
   * Gives the registrable domain (eTLD+1, by the Public Suffix List) of a host in its canonical form, or
   * `null` when it has none (`undefined` says the same); it is not asked for IP addresses. With it the host suffixes are those of
   * Safe Browsing v5: that domain and up to three labels more. Without it they are those of Web Risk and
   * Safe Browsing v4: the last five labels and fewer, but never the last one alone.
   */
  readonly registrableDomain?: RegistrableDomain | undefined;
}

/** The expressions of one URL, as slices of one text. */
export interface ExpressionSlices {
  /** `host + path + ?query`. */
  readonly text: string;
  /** Where the host suffixes start in `text`: 1 to 5 of them, the exact host first. */
  readonly starts: readonly number[];
  /** Where the path prefixes end in `text`: 1 to 6 of them, the exact path first. */
  readonly ends: readonly number[];
}

/** The most expressions that one URL has. */
export const MAX_EXPRESSIONS: number = (1 + MAX_HOST_SUFFIXES) * MAX_PATH_PREFIXES;

const hostStarts = new Uint32Array(1 + MAX_HOST_SUFFIXES);
const pathEnds = new Uint32Array(MAX_PATH_PREFIXES);

/**
 * Writes the expressions of a canonical URL, as slices of the octets that it stands in, into `starts` and
 * `ends` from index `at` on, in the order of `expressions`. Gives how many it wrote, 1 to
 * {@link MAX_EXPRESSIONS}. It makes no string, unless it has to ask for the registrable domain.
 *
 * @throws TypeError when `registrableDomain` returns something that is no suffix of the host.
 * @example
 * ```ts
 * import { sliceExpressions } from "@x/expressions";
 *
 * const octets = new TextEncoder().encode("http://b.c/1");
 * const spans = { hostType: "domain", host: 7, path: 10, query: 12, end: 12 } as const;
 * const starts = new Uint32Array(30);
 * const ends = new Uint32Array(30);
 * sliceExpressions(octets, spans, {}, starts, ends, 0); // → 2
 * [...starts.subarray(0, 2), ...ends.subarray(0, 2)]; // → [7, 7, 12, 11]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function sliceExpressions(
  octets: Uint8Array,
  spans: CanonicalSpans,
  options: ExpressionOptions,
  starts: Uint32Array,
  ends: Uint32Array,
  at: number,
): number {
  const hosts = findHostSuffixes(octets, spans, options);
  const paths = pathPrefixEnds(octets, spans.path, spans.query, spans.end, pathEnds);
  let next = at;
  for (let host = 0; host < hosts; host++) {
    for (let path = 0; path < paths; path++) {
      starts[next] = hostStarts[host]!;
      ends[next++] = pathEnds[path]!;
    }
  }
  return hosts * paths;
}

/** Fills `hostStarts` and gives how many there are. */
function findHostSuffixes(
  octets: Uint8Array,
  { hostType, host, path }: CanonicalSpans,
  { registrableDomain }: ExpressionOptions,
): number {
  let shortest = host;
  if (hostType === "domain") {
    shortest =
      registrableDomain === undefined
        ? lastTwoLabels(octets, host, path)
        : host +
          domainStart(new TextDecoder().decode(octets.subarray(host, path)), registrableDomain);
  }
  return hostSuffixStarts(octets, host, shortest, hostStarts);
}

/**
 * The suffix/prefix expressions of a canonical URL as slices of one text: every start goes with every
 * end. For callers that hash or compare slices without forming the strings of {@link expressions}.
 *
 * @throws TypeError when `url` is no `CanonicalUrl`, or `registrableDomain` returns something that is no suffix
 * of the host.
 * @example
 * ```ts
 * import { parseUrl } from "@x/canon";
 * import { expressionSlices } from "@x/expressions";
 *
 * const slices = expressionSlices(parseUrl("http://a.b.c/1/2?q"));
 * slices.text; // → "a.b.c/1/2?q"
 * slices.starts; // → [0, 2]
 * slices.ends; // → [11, 9, 6, 8]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function expressionSlices(
  url: CanonicalUrl,
  options: ExpressionOptions = {},
): ExpressionSlices {
  checkCanonicalUrl(url, "a CanonicalUrl");
  const { host, hostType, path } = url;
  const text = wholeText(url);
  const octets = new TextEncoder().encode(text);
  const queryStart = host.length + path.length;
  const spans = { hostType, host: 0, path: host.length, query: queryStart, end: text.length };
  const hosts = findHostSuffixes(octets, spans, options);
  const paths = pathPrefixEnds(octets, spans.path, spans.query, spans.end, pathEnds);
  return {
    text,
    starts: Array.from(hostStarts.subarray(0, hosts)),
    ends: Array.from(pathEnds.subarray(0, paths)),
  };
}
