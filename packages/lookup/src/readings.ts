import { CanonError, type CanonicalUrl, parseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "./browser-stand-in.ts";
import type { Reading, UrlProblem } from "./verdict.ts";

/** How a checker reads URLs: as the specification and browsers do, or as the specification alone does. */
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
  const specification = parseOrProblem(url);
  const browser = readings === "both" ? tryParseUrlAsBrowser(url) : null;
  if ("code" in specification) {
    if (browser === null) return specification;
    onReading(browser, "browser");
  } else if (browser === null) {
    onReading(specification, "specification");
  } else if (haveSameExpressions(specification, browser)) {
    onReading(specification, "both");
  } else {
    onReading(specification, "specification");
    onReading(browser, "browser");
  }
  return null;
}

function haveSameExpressions(one: CanonicalUrl, other: CanonicalUrl): boolean {
  return one.host === other.host && one.path === other.path && one.query === other.query;
}

function parseOrProblem(url: string | Uint8Array): CanonicalUrl | UrlProblem {
  try {
    return parseUrl(url);
  } catch (error) {
    if (!(error instanceof CanonError)) throw error;
    return { code: error.code, index: error.index };
  }
}
