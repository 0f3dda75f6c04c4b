/** The smallest limit that a client may set for the entries of one update, apart from 0. */
export const MIN_UPDATE_ENTRIES = 1024;

/** The maximum number of prefixes in one search for full hashes. */
export const MAX_SEARCHED_PREFIXES = 1000;

/** The length of the prefixes in such a search. */
export const SEARCHED_PREFIX_BYTES = 4;

/** The maximum number of URLs in one search for URLs. */
export const MAX_SEARCHED_URLS = 50;
