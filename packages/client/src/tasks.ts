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

/** Returns a function that runs work when fewer than `most` others run. Work that has to wait runs in order. */
export function atMost(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** The timers of a client. The default uses `setTimeout`. */
export interface Timers {
  /**
   * Calls `callback` after `milliseconds`, and returns a function that cancels the call. A timer in the background need
   * not keep the process running.
   */
  after(milliseconds: number, callback: () => void, isBackground?: boolean): () => void;
}

/** Resolves after `milliseconds`, and rejects when the signal is aborted. */
export async function pauseWith(
  timers: Timers,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  let cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = timers.after(milliseconds, resolve);
  });
  await unlessAborted(over, signal).finally(cancel);
}

export const PLATFORM_TIMERS: Timers = {
  after(milliseconds, callback, isBackground = false) {
    const timer: unknown = setTimeout(callback, milliseconds);
    // Only Node's timers can keep a process running; those of browsers are numbers.
    if (isBackground) (timer as { unref?(): void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};
