import type { Timers } from "./timers.ts";

/** The clock is read at least this often, because it may be set while a timer runs. */
const LONGEST_TIMER = 60_000;
/** If the clock is set back by no more than this many milliseconds, nothing is corrected. */
const SMALLEST_STEP = 1000;

/** Repeats a task from `start` to `stop`. */
export interface Upkeep {
  readonly isRunning: boolean;
  start(): void;
  stop(): void;
}

export interface ScheduleOptions {
  readonly onStart: () => void;
  /** The time at which to run, in milliseconds since 1970. The function is called before each wait. */
  readonly due: () => number;
  /** Called when the clock was set back, with the difference in milliseconds. */
  readonly onSetBack: (milliseconds: number) => void;
  /** Must not reject. */
  readonly run: () => Promise<void>;
  readonly now: () => number;
  readonly timers: Timers;
}

/**
 * Runs a task each time it is due. Waits in short steps, because the clock may be set in the meantime. If the clock is
 * set back, `onSetBack` can move the due time back with it, so that the task is not delayed. If it is set forward, or
 * the machine slept, the task is due sooner.
 */
export function createSchedule(options: ScheduleOptions): Upkeep {
  const { onStart, due, onSetBack, run, now, timers } = options;
  let cancel: (() => void) | null = null;
  let generation = 0;

  function wait(mine: number): void {
    const from = now();
    const left = Math.max(due() - from, 0);
    cancel = timers.after(Math.min(left, LONGEST_TIMER), () => void step(mine, from), true);
  }

  async function step(mine: number, from: number): Promise<void> {
    const time = now();
    if (time < from - SMALLEST_STEP) onSetBack(from - time);
    if (time >= due()) await run();
    if (mine === generation) wait(mine);
  }

  return {
    get isRunning() {
      return cancel !== null;
    },
    start() {
      if (cancel !== null) return;
      onStart();
      wait(++generation);
    },
    stop() {
      generation++;
      cancel?.();
      cancel = null;
    },
  };
}
