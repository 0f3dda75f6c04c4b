const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * The minimum time between updates, whatever the server says. After a damaged update, the whole list is fetched after this
 * time.
 */
export const LEAST_WAIT: number = MINUTE;
/** The wait when the server does not specify one. */
export const USUAL_WAIT: number = 30 * MINUTE;

/**
 * How long to wait after a number of failures in a row, in milliseconds. `random` is at least 0 and less than 1.
 *
 * @see Safe Browsing v4, "Request Frequency", back-off mode
 */
export function backOff(failures: number, random: number): number {
  return Math.min(2 ** Math.min(failures - 1, 10) * 15 * MINUTE * (1 + random), DAY);
}

/** The longest pause after a request that no server answered. */
const LONGEST_NETWORK_PAUSE = MINUTE;
const FIRST_NETWORK_PAUSE = 4000;

/**
 * How long to wait after a number of requests in a row that no server answered, in milliseconds: two to four seconds,
 * then twice as long each time, and at most a minute. This says nothing about the server, so the published back-off does
 * not apply.
 */
export function networkPause(failures: number, random: number): number {
  const longest = FIRST_NETWORK_PAUSE * 2 ** Math.min(failures - 1, 10);
  return (Math.min(longest, LONGEST_NETWORK_PAUSE) * (1 + random)) / 2;
}

/**
 * How long to wait after an update, in milliseconds: as long as the server says, but at least a minute and at most a
 * day. If the server says nothing or 0, the wait is half an hour. So a wrong answer can neither stop updates nor
 * make them follow each other without a pause.
 */
export function serverWait(wait: number | null): number {
  if (wait === null || wait === 0) return USUAL_WAIT;
  return Math.min(Math.max(wait, LEAST_WAIT), DAY);
}

/** The longest wait. An update time that is further away was computed before the clock was set back. */
export const LONGEST_WAIT: number = DAY;

/** The maximum random delay before the first update of a client that starts. */
export const FIRST_DELAY: number = MINUTE;
