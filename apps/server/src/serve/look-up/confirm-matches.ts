import type { Match, UrlVerdict } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { askAhead } from "../lists/find-full-hashes.ts";
import { findOnList } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";
import type { MatchLimits } from "./limits.ts";

/** How many full hashes are searched for before other clients have a turn. */
const SEARCHES_AT_ONCE = 2 ** 9;
/** One expression of a URL whose full hash is on a list. */
export interface ConfirmedMatch extends Pick<Match, "expression" | "reading"> {
  readonly list: ServedList;
}

/** A list that a verdict would need, and the reason why the list gives no answer. */
export interface MissingAnswer {
  readonly list: string;
  readonly problem: HttpProblem;
}

/** The matches of a URL whose full hashes are on the lists. */
export interface ConfirmedMatches {
  readonly matches: readonly ConfirmedMatch[];
  /** How many more hash prefixes matched, but without a search for their full hashes, because of the limits. */
  readonly more: number;
  /** The first list that gives no answer; `null` if all lists give one. */
  readonly missing: MissingAnswer | null;
  /** When this result expires, in milliseconds since 1970. */
  readonly expires: number;
}

export const NOTHING_CONFIRMED: ConfirmedMatches = {
  matches: [],
  more: 0,
  missing: null,
  expires: Infinity,
};

export type MatchSearchers = Pick<Answering, "findFullHashes" | "turns">;

/** The search for the full hashes of one request's matches. Other clients have turns in between. */
export interface MatchSearch extends MatchSearchers, Pick<Caller, "network"> {
  readonly byPrefixes: ReadonlyMap<PrefixList, ServedList>;
  /** How many more full hashes are searched for before other clients have a turn. */
  left: number;
}

export function matchSearch(
  lists: readonly ServedList[],
  { findFullHashes, turns }: MatchSearchers,
  { network }: Caller,
): MatchSearch {
  const byPrefixes = new Map<PrefixList, ServedList>();
  for (const list of lists) if (list.loaded !== null) byPrefixes.set(list.loaded.prefixes, list);
  return { findFullHashes, turns, network, byPrefixes, left: SEARCHES_AT_ONCE };
}

const isUpstream = ({ loaded }: ServedList) => loaded?.hashLayers === undefined;

/** Asks other servers about all matches at once. */
export async function askAheadAbout(
  verdicts: readonly UrlVerdict[],
  { byPrefixes, network }: MatchSearch,
): Promise<void> {
  if (![...byPrefixes.values()].some(isUpstream)) return;
  const matches = verdicts.flatMap((verdict) => verdict.matches);
  const searched = new Set(matches.flatMap(({ list }) => byPrefixes.get(list) ?? []));
  const hashes = matches.map(({ hash }) => hash);
  if (hashes.length > 1) await askAhead([...searched], hashes, network);
}

/** Searches for the full hashes of a URL's matches, up to the limits. */
export async function confirmMatches(
  matches: readonly Match[],
  search: MatchSearch,
  limits: MatchLimits,
): Promise<ConfirmedMatches> {
  const kept: ConfirmedMatch[] = [];
  let [more, bytes, expires] = [0, 0, Infinity];
  let missing: MissingAnswer | null = null;
  for (const match of matches) {
    const list = search.byPrefixes.get(match.list);
    if (list === undefined) continue;
    const { expression, reading } = match;
    const isTooLong = kept.length > 0 && bytes + expression.length > limits.bytes;
    if (isTooLong || kept.length === limits.matches) {
      more++;
      continue;
    }
    if (search.left-- <= 0) {
      search.left = SEARCHES_AT_ONCE;
      await search.turns(search.network());
    }
    const found = findOnList(list, match.hash, search.findFullHashes, search.network);
    const answer = found instanceof Promise ? await found : found;
    if (answer instanceof HttpProblem) {
      missing ??= { list: list.name, problem: answer };
      continue;
    }
    expires = Math.min(expires, answer.expires);
    if (answer.hashes.length === 0) continue;
    bytes += expression.length;
    kept.push({ list, expression, reading });
  }
  return { matches: kept, more, missing, expires };
}
