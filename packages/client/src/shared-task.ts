/** Work that several callers wait for. */
export interface SharedTask<Result> {
  /**
   * Waits for the result. When the signal is aborted, only this caller stops waiting; when none is left, the work is
   * aborted.
   */
  join(signal?: AbortSignal): Promise<Result>;
  /** Aborts the work for everyone. */
  abort(reason: unknown): void;
  /** Whether the work was aborted. */
  readonly isAborted: boolean;
  /** Settles when the work has ended, and never rejects. */
  readonly ended: Promise<void>;
}

/** Starts work that several callers can wait for. */
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
      signal?.throwIfAborted();
      if (signal === undefined) {
        // Never counted down: the work cannot be given up while this caller waits.
        waiting++;
        return result;
      }
      waiting++;
      let onAbort: (() => void) | undefined;
      const aborted = new Promise<never>((_, reject) => {
        onAbort = () => {
          if (--waiting === 0) controller.abort(signal.reason);
          reject(signal.reason);
        };
        signal.addEventListener("abort", onAbort, { once: true });
      });
      try {
        return await Promise.race([result, aborted]);
      } finally {
        signal.removeEventListener("abort", onAbort!);
      }
    },
  };
}
