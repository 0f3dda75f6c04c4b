import type { UrlReadings } from "@x/canon/readings";
import type { PrefixList } from "@x/prefix-list";
import { type Match, NO_MATCHES, type UrlVerdict } from "./verdict.ts";

/**
 * Makes the final verdict on a URL. `verdict` has the matches of all readings on all lists, and the problem with the
 * readings as its `error`.
 *
 * The URL is listed when any of its readings is listed, whether or not there is a problem. The URL is on a safe list
 * only when every reading is on that list and there is no problem, because an attacker can give one reading an innocent
 * host. A URL that Firefox alone reads in a third way is on no safe list.
 */
export function settle(verdict: UrlVerdict, safeLists: ReadonlySet<PrefixList>): UrlVerdict {
  const { error, readings } = verdict;
  const hasFirefox = readings !== null && readings.firefox !== null;
  const isAmbiguous = hasFirefox || hasTwoReadings(readings);
  // A shortcut for nearly all URLs.
  if (verdict.matches.length === 0 || (!isAmbiguous && error === null && safeLists.size === 0)) {
    return verdict;
  }
  const found = isAmbiguous ? mergeReadings(verdict.matches) : verdict.matches;
  const matches = found.filter(({ list }) => !safeLists.has(list));
  const isOnEvery = (list: PrefixList) =>
    !isAmbiguous ||
    (["specification", "browser"] as const).every((other) =>
      found.some((match) => match.list === list && match.reading !== other),
    );
  const safeMatches =
    error === null && !hasFirefox
      ? found.filter(({ list }) => safeLists.has(list) && isOnEvery(list))
      : NO_MATCHES;
  return { matches, safeMatches, error: matches.length > 0 ? null : error, readings };
}

function hasTwoReadings(readings: UrlReadings | null): boolean {
  if (readings === null) return false;
  const { specification, browser } = readings;
  return specification !== null && browser !== null && specification !== browser;
}

/**
 * Where several readings have the same match, keeps only the first one. The reading of that match becomes `"both"`,
 * unless only browsers have the match. The matches of the specification's reading must come first.
 */
function mergeReadings(matches: readonly Match[]): readonly Match[] {
  return matches.flatMap((match) => {
    const same = matches.filter(
      ({ list, expression }) => list === match.list && expression === match.expression,
    );
    if (same[0] !== match) return [];
    const isShared = same.some(({ reading }) => reading !== match.reading);
    return [isShared ? { ...match, reading: "both" } : match];
  });
}
