import { type CanonicalUrl, parseUrl } from "@x/canon";
import { hostSuffixStarts, type RegistrableDomain } from "./host-suffixes.ts";
import { pathPrefixEnds } from "./path-prefixes.ts";

/** A host suffix and a path prefix in one, without scheme: `"b.c/1/"`. */
export type Expression = `${string}/${string}`;

/** Which host suffixes {@link expressions} forms. */
export interface ExpressionOptions {
  /**
   * Gives the registrable domain (eTLD+1, by the Public Suffix List) of a host in its canonical form, or
   * `null` when it has none; it is not asked for IP addresses. With it the host suffixes are those of
   * Safe Browsing v5: that domain and up to three labels more. Without it they are those of Web Risk
   * and Safe Browsing v4: the last five labels and fewer, but never the last one alone.
   */
  readonly registrableDomain?: RegistrableDomain | undefined;
}

/** The expressions of one URL, as slices of one text. */
export interface ExpressionSlices {
  /** `host + path + ?query`. */
  readonly text: string;
  /** Where the host suffixes start in `text`: 1 to 5 of them, exact host first. */
  readonly starts: readonly number[];
  /** Where the path prefixes end in `text`: 1 to 6 of them, exact path first. */
  readonly ends: readonly number[];
}

/**
 * The suffix/prefix expressions of a canonical URL as slices of one text: every start goes with every
 * end. For callers that hash or compare slices without forming the strings of {@link expressions}.
 *
 * @throws TypeError when `registrableDomain` returns something that is no suffix of the host.
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
  const { host, path, query } = url;
  return {
    text: query ? `${host}${path}?${query}` : host + path,
    starts: hostSuffixStarts(url, options.registrableDomain),
    ends: pathPrefixEnds(url).map((end) => host.length + end),
  };
}

/**
 * The suffix/prefix expressions of a URL: every host suffix with every path prefix, 1 to 30 of them, no
 * two the same, in the order of the text's examples (the exact host first, and for each host the exact
 * path first).
 *
 * `url` is text or octets, which are canonicalized first, or what `parseUrl` made of them, which is not
 * parsed again.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or octets that are not a URL with a host.
 * @throws TypeError when `registrableDomain` returns something that is no suffix of the host.
 * @example
 * ```ts
 * import { expressions } from "@x/expressions";
 *
 * expressions("http://a.b.c/1/2.html?param=1").slice(0, 3); // → ["a.b.c/1/2.html?param=1", "a.b.c/1/2.html", "a.b.c/"]
 * expressions("http://1.2.3.4/1/"); // → ["1.2.3.4/1/", "1.2.3.4/"]
 *
 * // With the Public Suffix List, shared domains such as "co.uk" give no expressions.
 * const registrableDomain = (host: string) => (host.endsWith("x.co.uk") ? "x.co.uk" : null);
 * expressions("http://a.x.co.uk/", { registrableDomain }); // → ["a.x.co.uk/", "x.co.uk/"]
 * ```
 * @see Web Risk, "Hashing URLs", section "Suffix/prefix expressions"
 */
export function expressions(
  url: string | Uint8Array | CanonicalUrl,
  options: ExpressionOptions = {},
): Expression[] {
  const isText = typeof url === "string" || url instanceof Uint8Array;
  const { text, starts, ends } = expressionSlices(isText ? parseUrl(url) : url, options);
  return starts.flatMap((start) => ends.map((end) => text.slice(start, end) as Expression));
}
