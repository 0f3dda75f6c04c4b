import type { Match, UrlVerdict } from "@x/lookup";
import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { askAhead } from "../lists/find-full-hashes.ts";
import { findOnList } from "../lists/search-lists.ts";
import type { ServedList } from "../lists/served-lists.ts";

/** How many searches for full hashes are done before those for others have a turn. */
const SEARCHES_AT_ONCE = 2 ** 9;
/** How many matches of one URL an answer names, and how many bytes their expressions have. One match is always named. */
export const MAX_MATCHES = 32;
const MAX_MATCH_BYTES = 2 ** 12;

/** How many matches of one URL a caller wants. */
export interface MatchLimits {
  readonly matches: number;
  readonly bytes: number;
}

/** All matches. */
export const ALL_MATCHES: MatchLimits = { matches: Infinity, bytes: Infinity };
/** Enough for people and programs that want to know why a URL is listed. */
export const SOME_MATCHES: MatchLimits = { matches: MAX_MATCHES, bytes: MAX_MATCH_BYTES };

/** One expression of a URL whose full hash is on a list. */
export interface ConfirmedMatch extends Pick<Match, "expression" | "reading"> {
  readonly list: ServedList;
}

/** A list that would be needed for a verdict, and why it gives no answer. */
export interface MissingAnswer {
  readonly list: string;
  readonly problem: HttpProblem;
}

/** The matches of a URL whose full hashes are on the lists. */
export interface ConfirmedMatches {
  readonly matches: readonly ConfirmedMatch[];
  /** How many more matches there are than those in `matches`. Only their hash prefixes were compared. */
  readonly more: number;
  /** The first list that gives no answer; `null` if all do. */
  readonly missing: MissingAnswer | null;
  /** When this expires, in milliseconds since 1970. */
  readonly expires: number;
}

export const NOTHING_CONFIRMED: ConfirmedMatches = {
  matches: [],
  more: 0,
  missing: null,
  expires: Infinity,
};

/** Searches the full hashes for the matches of one request. */
export interface MatchSearch {
  /** The list that a match is on; `undefined` if that list was not asked for. */
  readonly listOf: (match: Match) => ServedList | undefined;
  /** Asks other servers about all matches at once. */
  readonly askAhead: (verdicts: readonly UrlVerdict[]) => Promise<void>;
  readonly find: (list: ServedList, hash: Uint8Array) => ReturnType<typeof findOnList>;
}

/** What searches need of the server. */
export type MatchSearchers = Pick<Answering, "findFullHashes" | "turns">;

const isUpstream = ({ loaded }: ServedList) => loaded?.hashLayers === undefined;

/** Returns the search of one request. Others have their turn between many searches. */
export function matchSearch(
  lists: readonly ServedList[],
  { findFullHashes, turns }: MatchSearchers,
  { network }: Caller,
): MatchSearch {
  const byPrefixes = new Map(
    lists.flatMap((list) => (list.loaded === null ? [] : [[list.loaded.prefixes, list]])),
  );
  const listOf = ({ list }: Match) => byPrefixes.get(list);
  let left = SEARCHES_AT_ONCE;
  return {
    listOf,
    async askAhead(verdicts) {
      if (![...byPrefixes.values()].some(isUpstream)) return;
      const matches = verdicts.flatMap((verdict) => verdict.matches);
      const searched = new Set(matches.flatMap((match) => listOf(match) ?? []));
      await askAhead(
        [...searched],
        matches.map(({ hash }) => hash),
        network,
      );
    },
    find(list, hash) {
      const find = () => findOnList(list, hash, findFullHashes, network);
      if (left-- > 0) return find();
      left = SEARCHES_AT_ONCE;
      return turns(network()).then(find);
    },
  };
}

/** Confirms the matches of a URL, up to the limits. */
export async function confirmMatches(
  matches: readonly Match[],
  search: MatchSearch,
  limits: MatchLimits,
): Promise<ConfirmedMatches> {
  const kept: ConfirmedMatch[] = [];
  let [more, bytes, expires] = [0, 0, Infinity];
  let missing: MissingAnswer | null = null;
  for (const match of matches) {
    const list = search.listOf(match);
    if (list === undefined) continue;
    const { expression, reading } = match;
    const isTooLong = kept.length > 0 && bytes + expression.length > limits.bytes;
    if (isTooLong || kept.length === limits.matches) {
      more++;
      continue;
    }
    const found = search.find(list, match.hash);
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
