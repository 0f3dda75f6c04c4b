import type { FollowReason } from "./hop.ts";

/** Ends all work for one link when its time is up or the caller's signal is aborted. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Waits for a promise, but rejects as soon as the work has ended. */
  readonly unlessEnded: <T>(promise: Promise<T>) => Promise<T>;
  /** Returns why the work has ended, or `otherwise` if it has not. */
  readonly reasonUnlessEnded: (otherwise: FollowReason) => FollowReason;
  /** Aborts running requests and clears the timer. */
  readonly end: () => void;
}

/** @param timeout In milliseconds. */
export function endingAfter(timeout: number, aborted: AbortSignal | undefined): Ending {
  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => ending.abort("time"), timeout);
  const onAbort = () => ending.abort("aborted");
  aborted?.addEventListener("abort", onAbort);
  if (aborted?.aborted) onAbort();
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
  ended.catch(() => {});
  return {
    signal,
    unlessEnded(promise) {
      promise.catch(() => {});
      return Promise.race([ended, promise]);
    },
    reasonUnlessEnded: (otherwise) =>
      signal.aborted ? (signal.reason as FollowReason) : otherwise,
    end() {
      clearTimeout(timer);
      aborted?.removeEventListener("abort", onAbort);
      ending.abort("aborted");
    },
  };
}
