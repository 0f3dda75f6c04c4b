/** How many URLs one JSON request may have. */
export const MAX_URLS = 1000;

/** The maximum length of a URL that is looked up, in bytes. Every other request waits while one URL is checked. */
export const MAX_URL_BYTES: number = 2 ** 16;

/** The maximum number of matches that an answer names for one URL. */
export const MAX_MATCHES = 32;
/** The maximum total length of the named matches' expressions, in bytes. One match is always named. */
const MAX_MATCH_BYTES = 2 ** 12;

/** The limits on the matches of one URL: their number and the total length of their expressions in bytes. */
export interface MatchLimits {
  readonly matches: number;
  readonly bytes: number;
}

export const ALL_MATCHES: MatchLimits = { matches: Infinity, bytes: Infinity };
/** Enough matches for people and programs that want to know why a URL is listed. */
export const SOME_MATCHES: MatchLimits = { matches: MAX_MATCHES, bytes: MAX_MATCH_BYTES };
