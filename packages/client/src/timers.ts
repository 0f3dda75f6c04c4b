/** The timers of a client. The default uses `setTimeout`. */
export interface Timers {
  /**
   * Calls `callback` after `milliseconds`, and returns a function that cancels the call. A timer in the background need
   * not keep the process running.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void;
}

/** Resolves after `milliseconds`, and rejects when the signal is aborted. */
export function pauseWith(
  timers: Timers,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      cancel();
      reject(signal!.reason);
    };
    const cancel = timers.after(milliseconds, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

export const PLATFORM_TIMERS: Timers = {
  after(milliseconds, callback, isBackground = false) {
    const timer: unknown = setTimeout(callback, milliseconds);
    // Only Node's timers can keep a process running; those of browsers are numbers.
    if (isBackground) (timer as { unref?(): void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};
