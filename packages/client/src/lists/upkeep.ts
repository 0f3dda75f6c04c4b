import { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { ClientStorage } from "../storage.ts";
import type { Timers } from "../tasks.ts";
import type { Keeper } from "./load-and-store.ts";
import { afterSetBack, afterStart, due } from "./state.ts";
import type { Updater } from "./updates.ts";

/** What a client does from `start` to `stop`. */
export interface Upkeep {
  readonly isRunning: boolean;
  start(): void;
  stop(): void;
}

/** The clock is read at least this often, because it may be set while a timer runs. */
const LONGEST_TIMER = 60_000;
/** If the clock is set back by no more than this many milliseconds, nothing is corrected. */
const SMALLEST_STEP = 1000;

export interface UpkeepOptions extends Pick<CheckedOptions, "now" | "timers" | "random"> {
  readonly keeper: Keeper;
  /** Called when the times of the lists have changed. */
  readonly onChange: () => void;
}

/**
 * Updates the lists each time they are due. Waits in short steps, because the clock may be set in the meantime. If the
 * clock is set back, the times move back with it, so that updates are not delayed. If it is set forward, or the machine
 * slept, the next update comes sooner.
 */
export function updateWhenDue(updater: Updater, options: UpkeepOptions): Upkeep {
  const { keeper, onChange, now, timers, random } = options;
  let cancel: (() => void) | null = null;
  let generation = 0;

  const nextUpdate = () => due(keeper.state, now()) ?? now();

  function wait(mine: number): void {
    const from = now();
    const left = Math.max(nextUpdate() - from, 0);
    cancel = timers.after(Math.min(left, LONGEST_TIMER), () => void step(mine, from), true);
  }

  async function step(mine: number, from: number): Promise<void> {
    const time = now();
    if (time < from - SMALLEST_STEP) {
      keeper.state = afterSetBack(keeper.state, from - time);
      onChange();
    }
    // The error is ignored here, because `status` returns it.
    if (time >= nextUpdate()) await updater.update("due").catch(() => {});
    if (mine === generation) wait(mine);
  }

  return {
    get isRunning() {
      return cancel !== null;
    },
    start() {
      if (cancel !== null) return;
      keeper.state = afterStart(keeper.state, now(), random());
      wait(++generation);
    },
    stop() {
      generation++;
      cancel?.();
      cancel = null;
    },
  };
}

/** How long to wait after the storage has failed, in milliseconds. */
const RETRY = 1000;

/** The error of `update` when another client updates the lists. */
export function followsStorage(): ClientError {
  const message = 'With updates: "follow", another client of the storage updates the lists';
  return new ClientError("follows-storage", message);
}

/** Reads a storage whenever another client has written to it, from `start` to `stop`. */
export function followStorage(
  updater: Updater,
  { storage, timers }: { readonly storage: ClientStorage; readonly timers: Timers },
): Upkeep {
  let running: AbortController | null = null;
  let unwatch = () => {};
  let cancelRetry = () => {};

  function start(): void {
    if (running !== null) return;
    const mine = new AbortController();
    /** The names that have changed; `undefined` stands for all names. */
    let changed: Set<string> | undefined;
    let isWaiting = false;

    async function read(): Promise<void> {
      if (isWaiting || mine.signal.aborted) return;
      isWaiting = true;
      // Waits a moment, because several files may have been replaced at the same time.
      await Promise.resolve();
      isWaiting = false;
      const names = changed;
      changed = new Set();
      const isRead = await updater.load(mine.signal, names).then(
        ({ storageError }) => storageError === null,
        () => false,
      );
      if (isRead || mine.signal.aborted) return;
      changed = names === undefined ? undefined : new Set([...(changed ?? []), ...names]);
      cancelRetry();
      cancelRetry = timers.after(RETRY, () => void read(), true);
    }

    // Watching begins before reading, so that no change is missed.
    unwatch = storage.watch!((name) => {
      changed?.add(name);
      void read();
    });
    running = mine;
    void read();
  }

  return {
    get isRunning() {
      return running !== null;
    },
    start,
    stop() {
      running?.abort();
      running = null;
      unwatch();
      cancelRetry();
    },
  };
}
