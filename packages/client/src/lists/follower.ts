import { ClientError } from "../error.ts";
import type { Timers } from "../schedule/timers.ts";
import type { ClientStorage } from "../storage/storage.ts";

/** How long to wait after the storage has failed, in milliseconds. */
const RETRY = 1000;

/** Reads a storage whenever another client has written to it. */
export interface StorageFollower {
  readonly isRunning: boolean;
  start(): void;
  stop(): void;
}

export interface StorageFollowerOptions {
  readonly storage: ClientStorage;
  /**
   * Reads what has changed: the values with these names in the storage, or everything if `changed` is `undefined`.
   * Resolves to `true` if this worked.
   */
  readonly reload: (
    changed: ReadonlySet<string> | undefined,
    signal: AbortSignal,
  ) => Promise<boolean>;
  readonly timers: Timers;
}

/** The error of an update of lists that another client updates. */
export function followsStorage(): ClientError {
  const message = 'With updates: "follow", another client of the storage updates the lists';
  return new ClientError("follows-storage", message);
}

export function storageFollower({
  storage,
  reload,
  timers,
}: StorageFollowerOptions): StorageFollower {
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
      const isRead = await reload(names, mine.signal).catch(() => false);
      if (isRead || mine.signal.aborted) return;
      changed = names === undefined ? undefined : new Set([...(changed ?? []), ...names]);
      cancelRetry();
      cancelRetry = timers.after(RETRY, () => void read());
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
