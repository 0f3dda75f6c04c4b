import type { PrefixList } from "@x/prefix-list";
import type { Match, UrlVerdict } from "../verdict.ts";

type Matches = readonly Match[];

/**
 * The verdict on a URL from the matches of each of its readings, the specification's first. The URL is listed
 * when any reading is. It is on a safe list only when every reading is, because an attacker can give one reading
 * an innocent host.
 */
export function combine(
  ofReadings: readonly Matches[],
  safeLists: ReadonlySet<PrefixList>,
): Pick<UrlVerdict, "matches" | "safeMatches"> {
  const all = merge(ofReadings);
  if (safeLists.size === 0) return { matches: all, safeMatches: [] };
  const isOnEvery = (list: PrefixList) =>
    ofReadings.every((matches) => matches.some((match) => match.list === list));
  return {
    matches: all.filter(({ list }) => !safeLists.has(list)),
    safeMatches: all.filter(({ list }) => safeLists.has(list) && isOnEvery(list)),
  };
}

/** The matches of one or two readings. A match that both have comes once, and says so. */
function merge([first = [], second = []]: readonly Matches[]): Matches {
  if (second.length === 0) return first;
  const isSame = (one: Match) => (other: Match) =>
    one.list === other.list && one.expression === other.expression;
  const shared = (match: Match): Match =>
    second.some(isSame(match)) ? { ...match, reading: "both" } : match;
  return [...first.map(shared), ...second.filter((match) => !first.some(isSame(match)))];
}
