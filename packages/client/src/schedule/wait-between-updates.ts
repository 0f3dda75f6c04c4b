const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * The minimum time from an answer to the next update, whatever the server says. After the first damaged update of a
 * list, the whole list is fetched after this time.
 */
export const LEAST_WAIT: number = MINUTE;
/** The wait when the server does not specify one. */
export const USUAL_WAIT: number = 30 * MINUTE;

/**
 * How long to wait after an update, in milliseconds: as long as the server says, but at least a minute and at most a
 * day. If the server says nothing or 0, the wait is half an hour. So a wrong answer can neither stop updates nor
 * make them follow each other without a pause.
 */
export function serverWait(wait: number | null): number {
  if (wait === null || wait === 0) return USUAL_WAIT;
  return Math.min(Math.max(wait, LEAST_WAIT), DAY);
}

/** The wait after an update of several lists: the shortest that the server asks for; `null` when it asks for none. */
export function shortestWait(waits: readonly (number | null)[]): number | null {
  const known = waits.filter((wait) => wait !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The longest wait. An update time that is further away was computed before the clock was set back. */
export const LONGEST_WAIT: number = DAY;

/** The maximum random delay before the first update of a client that starts. */
export const FIRST_DELAY: number = MINUTE;
