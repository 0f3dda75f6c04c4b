import type { ClientError } from "../error.ts";
import { backOff, LEAST_WAIT, LONGEST_WAIT, networkPause } from "./back-off.ts";

/** Failures in a row, and the pauses that follow from them. */
export interface Failures {
  readonly count: number;
  /** How many of them were answers of a server. The published back-off is for these. */
  readonly ofAnswers: number;
  readonly last: ClientError | null;
  /** Counts a failure, and returns how long to wait, in milliseconds. */
  add(error: ClientError): number;
  clear(): void;
  /** Goes on from a number of answers that a former client has stored. */
  restore(ofAnswers: number): void;
}

/** Whether a request failed before the server answered it: there is no network, or nothing listens. */
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
    return error.code === "list-damaged" && ofAnswers === 1
      ? LEAST_WAIT
      : backOff(ofAnswers, random());
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
