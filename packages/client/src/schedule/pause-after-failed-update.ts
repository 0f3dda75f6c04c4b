import type { ClientError } from "../error.ts";
import { LEAST_WAIT, LONGEST_WAIT } from "./wait-between-updates.ts";

const MINUTE = 60_000;

/**
 * How long to wait after a number of failures in a row, in milliseconds. `random` is at least 0 and less than 1.
 *
 * @see Safe Browsing v4, "Request Frequency", back-off mode
 */
function backOff(failures: number, random: number): number {
  const wait = 2 ** Math.min(failures - 1, 10) * 15 * MINUTE * (1 + random);
  return Math.min(Math.round(wait), LONGEST_WAIT);
}

/** The longest pause after a request that no server answered. */
const LONGEST_NETWORK_PAUSE = MINUTE;
const FIRST_NETWORK_PAUSE = 4000;

/**
 * How long to wait after a number of requests in a row that no server answered, in milliseconds: two to four seconds,
 * then twice as long each time, and at most a minute. Such a failure says nothing about the server, so the published
 * back-off does not apply.
 */
function networkPause(failures: number, random: number): number {
  const longest = FIRST_NETWORK_PAUSE * 2 ** Math.min(failures - 1, 10);
  return Math.round((Math.min(longest, LONGEST_NETWORK_PAUSE) * (1 + random)) / 2);
}

/** Failures in a row, and the pauses that follow from them. */
export interface Failures {
  readonly count: number;
  /** The number of failures other than missing answers. The published back-off is for these failures. */
  readonly ofAnswers: number;
  readonly last: ClientError | null;
  /** Counts a failure, and returns how long to wait, in milliseconds. */
  add(error: ClientError): number;
  clear(): void;
  /** Continues with the value of `ofAnswers` that an earlier client stored. */
  restore(ofAnswers: number): void;
}

/** Whether a request failed before the server answered it, because there is no network or nothing listens. */
const hasNoAnswer = ({ code, status }: ClientError) =>
  code === "server-unreachable" && status === null;

export function createFailures(random: () => number): Failures {
  let ofNetwork = 0;
  let ofAnswers = 0;
  let last: ClientError | null = null;

  function pauseAfter(error: ClientError): number {
    if (hasNoAnswer(error)) return networkPause(++ofNetwork, random());
    ofNetwork = 0;
    ofAnswers++;
    // The whole list comes next, or the server says when it is back: a restart takes seconds, not minutes.
    const isShort = error.code === "list-damaged" || error.retryAfter !== null;
    return isShort && ofAnswers === 1 ? LEAST_WAIT : backOff(ofAnswers, random());
  }

  return {
    get count() {
      return ofAnswers + ofNetwork;
    },
    get ofAnswers() {
      return ofAnswers;
    },
    get last() {
      return last;
    },
    add(error) {
      last = error;
      return Math.max(pauseAfter(error), Math.min(error.retryAfter ?? 0, LONGEST_WAIT));
    },
    clear() {
      ofNetwork = 0;
      ofAnswers = 0;
      last = null;
    },
    restore(stored) {
      ofNetwork = 0;
      ofAnswers = stored;
      last = null;
    },
  };
}
