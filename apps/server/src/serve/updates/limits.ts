/** The most entries that a client accepts in one update and in its list; 0 for any number. */
export interface UpdateLimits {
  /**
   * `maxUpdateEntries` of Safe Browsing or `maxDiffEntries` of Web Risk. `decideUpdate` also applies this limit to
   * differences.
   */
  readonly update: number;
  /** `maxDatabaseEntries` of Safe Browsing and Web Risk. */
  readonly database: number;
  /** The most removals that the server writes for the client in one update; any number when it is absent. */
  readonly removals?: number;
}

export const NO_LIMITS: UpdateLimits = { update: 0, database: 0 };

/** How many removals an answer may have without compression, where each is written as a separate number. */
export const MAX_RAW_REMOVALS: number = 2 ** 17;

/** The maximum number of entries in a cut list. This limit keeps the time and memory for all cuts of a list small. */
const MAX_CUT = 2 ** 20;

/**
 * How many of the `count` prefixes of a list a client gets; `null` for all.
 *
 * The number is rounded down to a power of two, so only a few different lists are made and kept.
 */
export function cutFor(count: number, { update, database }: UpdateLimits): number | null {
  const most = Math.min(update || Infinity, database || Infinity);
  if (count <= most) return null;
  return Math.min(MAX_CUT, 2 ** Math.floor(Math.log2(most)));
}
