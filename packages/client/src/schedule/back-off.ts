const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Updates are never closer than this, whatever the server says. A list that was thrown away is fetched again after it. */
export const LEAST_WAIT: number = MINUTE;
/** The wait when the server does not name one. */
export const USUAL_WAIT: number = 30 * MINUTE;

/**
 * How long to wait after so many failures in a row, in milliseconds. `random` is from 0 to below 1.
 *
 * @see Safe Browsing v4, "Request Frequency", back-off mode
 */
export function backOff(failures: number, random: number): number {
  return Math.min(2 ** Math.min(failures - 1, 10) * 15 * MINUTE * (1 + random), DAY);
}

/**
 * How long to wait after an update, in milliseconds: what the server says, but at least a minute, and a day at most, so
 * that neither a missing wait nor a wrong one stops updates or repeats them at once.
 */
export function serverWait(wait: number | null): number {
  if (wait === null || wait === 0) return USUAL_WAIT;
  return Math.min(Math.max(wait, LEAST_WAIT), DAY);
}

/** A time to update that is further away than this was computed with another clock. */
export const LONGEST_WAIT: number = DAY;

/** The first request of a client that starts is made after a random delay of up to this. */
export const FIRST_DELAY: number = MINUTE;
