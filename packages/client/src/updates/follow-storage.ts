import { ClientError } from "../error.ts";
import type { Upkeep } from "../schedule/schedule.ts";
import type { Timers } from "../schedule/timers.ts";
import type { ClientStorage } from "../storage/storage.ts";
import type { Updater } from "./updater.ts";

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
