import type { CanonicalUrl } from "@x/canon";
import { type ExpressionOptions, expressionSlices } from "./slices.ts";
import { toCanonicalUrl } from "./to-canonical-url.ts";

/** A host suffix and a path prefix in one, without scheme: `"b.c/1/"`. */
export type Expression = `${string}/${string}`;

/**
 * The suffix/prefix expressions of a URL: every host suffix with every path prefix, 1 to 30 of them, no
 * two the same, in the order of the text's examples (the exact host first, and for each host the exact
 * path first).
 *
 * `url` is text or octets, which are canonicalized first, or what `parseUrl` made of them, which is not
 * parsed again.
 *
 * @throws CanonError of `@x/canon`, when `url` is text or octets that are not a URL with a host.
 * @throws TypeError when `url` is anything else, or `registrableDomain` returns something that is no suffix of
 * the host.
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
  const { text, starts, ends } = expressionSlices(toCanonicalUrl(url), options);
  return starts.flatMap((start) => ends.map((end) => text.slice(start, end) as Expression));
}
