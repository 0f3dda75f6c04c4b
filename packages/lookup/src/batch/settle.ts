import type { UrlReadings } from "@x/canon/readings";
import type { PrefixList } from "@x/prefix-list";
import { type Match, NO_MATCHES, type UrlVerdict } from "../verdict.ts";

/**
 * Makes the final verdict on a URL. `verdict` has the matches of all readings on all lists, and the problem with the
 * readings as its `error`.
 *
 * The URL is listed when any of its readings is listed. In that case, a problem does not matter. It is on a safe list
 * only when every reading is on that list and there is no problem, because an attacker can give one reading an innocent
 * host.
 */
export function settle(verdict: UrlVerdict, safeLists: ReadonlySet<PrefixList>): UrlVerdict {
  const { error, readings } = verdict;
  const isAmbiguous = hasTwoReadings(readings);
  const hasFirefox = readings !== null && readings.firefox !== null;
  // A shortcut for nearly all URLs.
  if (verdict.matches.length === 0 || (!isAmbiguous && error === null && safeLists.size === 0)) {
    return verdict;
  }
  const found = isAmbiguous ? mergeReadings(verdict.matches) : verdict.matches;
  const matches = found.filter(({ list }) => !safeLists.has(list));
  const isOnEvery = (list: PrefixList) =>
    (!isAmbiguous ||
      (["specification", "browser"] as const).every((other) =>
        found.some((match) => match.list === list && match.reading !== other),
      )) &&
    (!hasFirefox || found.some((match) => match.list === list && isInFirefox(match)));
  const safeMatches =
    error === null
      ? found.filter(({ list }) => safeLists.has(list) && isOnEvery(list))
      : NO_MATCHES;
  return { matches, safeMatches, error: matches.length > 0 ? null : error, readings };
}

/** Whether Firefox's own reading shares a match of the browsers' reading, from which only its query differs. */
function isInFirefox({ expression, reading }: Match): boolean {
  return reading !== "specification" && !expression.includes("?");
}

function hasTwoReadings(readings: UrlReadings | null): boolean {
  if (readings === null) return false;
  const { specification, browser } = readings;
  return specification !== null && browser !== null && specification !== browser;
}

/**
 * If both readings have the same match, replaces the two matches with one whose reading is `"both"`. The matches of the
 * specification's reading must come first.
 */
function mergeReadings(matches: readonly Match[]): readonly Match[] {
  return matches.flatMap((match) => {
    const isShared = matches.some(
      ({ list, expression, reading }) =>
        list === match.list && expression === match.expression && reading !== match.reading,
    );
    if (!isShared) return [match];
    return match.reading === "specification" ? [{ ...match, reading: "both" }] : [];
  });
}
