import { unlessAborted } from "@x/list-store/transport";

/** Work that several callers wait for. */
export interface SharedTask<Result> {
  /**
   * Waits for the result. When the signal is aborted, only this caller stops waiting. When no caller is left, the work
   * is aborted.
   */
  join(signal?: AbortSignal): Promise<Result>;
  /** Aborts the work for everyone. */
  abort(reason: unknown): void;
  readonly isAborted: boolean;
  /** Settles when the work has ended, and never rejects. */
  readonly ended: Promise<void>;
}

export function sharedTask<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): SharedTask<Result> {
  const controller = new AbortController();
  const result = run(controller.signal);
  const ended = result.then(
    () => {},
    () => {},
  );
  let waiting = 0;
  return {
    ended,
    get isAborted() {
      return controller.signal.aborted;
    },
    abort: (reason) => controller.abort(reason),
    async join(signal) {
      waiting++;
      try {
        return await unlessAborted(result, signal);
      } finally {
        // The work goes on while a caller without a signal is waiting.
        if (signal?.aborted && --waiting === 0) controller.abort(signal.reason);
      }
    },
  };
}

/** Returns a function that runs work after all earlier work has ended, with or without an error. */
export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** Calls `callback` later, unless the returned function is called first. The wait does not keep Node.js running. */
export function callLater(milliseconds: number, callback: () => void): () => void {
  const timer: unknown = setTimeout(callback, milliseconds);
  // The timers of browsers are numbers.
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer as number);
}
