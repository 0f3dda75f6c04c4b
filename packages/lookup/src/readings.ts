import { type CanonicalUrl, tryParseUrl } from "@x/canon";
import { browserHref } from "@x/canon/browser";
import { parseUrlOr, type UrlProblem } from "@x/canon/verify";
import type { Reading } from "./verdict.ts";

/** How a checker reads URLs: as the specification and browsers do, or only as the specification does. */
export type Readings = "both" | "specification";

/**
 * Calls `onReading` with each canonical form of an input: one, or two when browsers read it differently. Returns
 * why there is none, or `null`.
 */
export function readUrl(
  url: string | Uint8Array,
  readings: Readings,
  onReading: (url: CanonicalUrl, reading: Reading) => void,
): UrlProblem | null {
  let problem: UrlProblem | null = null;
  const specification = parseUrlOr(url, (found) => {
    problem = found;
    return null;
  });
  const href = readings === "both" ? browserHref(url) : null;
  // Canonicalizing a canonical form changes nothing, so there is usually nothing left to parse.
  const isSame =
    specification !== null && href !== null && isWithoutFragment(href, specification.href);
  const browser = href === null || isSame ? null : tryParseUrl(href);
  if (specification !== null && (isSame || (browser !== null && areSame(specification, browser)))) {
    onReading(specification, "both");
    return null;
  }
  if (specification !== null) onReading(specification, "specification");
  if (browser !== null) onReading(browser, "browser");
  return browser === null ? problem : null;
}

/** Whether `href` is `canonical`, perhaps with a fragment, which a canonical form does not have. */
function isWithoutFragment(href: string, canonical: string): boolean {
  return (
    href.startsWith(canonical) &&
    (href.length === canonical.length || href[canonical.length] === "#")
  );
}

/** Whether two URLs have the same expressions. */
function areSame(one: CanonicalUrl, other: CanonicalUrl): boolean {
  return one.host === other.host && one.path === other.path && one.query === other.query;
}
