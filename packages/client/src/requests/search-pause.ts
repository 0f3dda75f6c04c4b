import type { ClientError } from "../error.ts";
import { LONGEST_WAIT } from "../lists/state.ts";

/**
 * The pause after the second failure in a row, and the longest pause, in milliseconds. To each pause, a random
 * time of up to its own length is added.
 */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/** Decides when the client may send a search. */
export interface SearchPause {
  /** How many searches have failed in a row. Failures of searches that ran at the same time count as one. */
  readonly failures: number;
  readonly lastError: ClientError | null;
  /** When the pause ends, in milliseconds since 1970; `null` when there is none. */
  until(time: number): number | null;
  /**
   * Begins a search, unless there is a pause. After two or more failures in a row, only one search at a time may check
   * whether the server is back. Returns `null` when this search may not be sent.
   */
  begin(time: number): SearchAttempt | null;
}

export interface SearchAttempt {
  /** The server has answered, and asked the client to wait `wait` milliseconds. */
  succeeded(time: number, wait: number | null): void;
  failed(time: number, error: ClientError): void;
  /** The search was given up, which says nothing about the server. */
  dropped(): void;
}

export function createSearchPause(random: () => number): SearchPause {
  let failures = 0;
  let lastError: ClientError | null = null;
  let from = 0;
  let length = 0;
  let round = 0;
  let isTrying = false;

  function pause(time: number, milliseconds: number): void {
    from = time;
    length = Math.min(Math.max(milliseconds, 0), LONGEST_WAIT);
  }

  // If the clock was set back, the pause is over.
  const until = (time: number) => (time >= from && time < from + length ? from + length : null);

  return {
    get failures() {
      return failures;
    },
    get lastError() {
      return lastError;
    },
    until,

    begin(time) {
      if (until(time) !== null) return null;
      const isTrial = failures > 1;
      if (isTrial && isTrying) return null;
      if (isTrial) isTrying = true;
      const mine = round;
      const end = () => {
        if (isTrial) isTrying = false;
      };
      return {
        succeeded(time, wait) {
          end();
          round++;
          failures = 0;
          lastError = null;
          pause(time, wait ?? 0);
        },
        failed(time, error) {
          end();
          lastError = error;
          if (mine === round) {
            round++;
            failures++;
          }
          const doubled = Math.min(FIRST_PAUSE * 2 ** (failures - 2), LONGEST_PAUSE);
          const usual = failures > 1 ? doubled * (1 + random()) : 0;
          const left = (until(time) ?? time) - time;
          if (mine === round - 1) pause(time, Math.max(usual, error.retryAfter ?? 0, left));
        },
        dropped: end,
      };
    },
  };
}
