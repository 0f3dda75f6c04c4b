import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import type { ListKeeper } from "../lists/list-keeper.ts";
import { admitted, type OnNewList } from "../lists/new-list.ts";
import type { ListOutcome, Protocol, ProtocolContext } from "../protocols/protocol.ts";
import type { Requester } from "../requests/requester.ts";
import {
  backOff,
  FIRST_DELAY,
  LEAST_WAIT,
  LONGEST_WAIT,
  serverWait,
  USUAL_WAIT,
} from "../schedule/back-off.ts";
import { createSchedule } from "../schedule/schedule.ts";
import type { Timers } from "../schedule/timers.ts";
import { type SharedTask, sharedTask } from "../shared-task.ts";

/** The effect of an update on one list. */
export interface UpdatedList {
  readonly name: string;
  /** Whether the list now has another version. */
  readonly changed: boolean;
  /** How many entries were added and removed, and how many there are now. */
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  /** The number of bytes of encoded entries that were received. */
  readonly bytes: number;
  /** Why the list was thrown away, or could not be updated; otherwise `null`. */
  readonly error: ClientError | null;
}

/** The result of an update. */
export interface UpdateResult {
  readonly lists: readonly UpdatedList[];
  /** The number of bytes in all answers. */
  readonly bytes: number;
  /** When the next update is due, in milliseconds since 1970. */
  readonly nextUpdate: number;
  /** Why something could not be stored; `null` when nothing failed. The client uses the new lists in either case. */
  readonly storageError: ClientError | null;
}

/** The result of reading the storage. */
export interface LoadResult {
  readonly lists: readonly {
    readonly name: string;
    /** The number of entries; `null` when there is no list. */
    readonly size: number | null;
    readonly error: ClientError | null;
  }[];
  readonly storageError: ClientError | null;
}

/** Reads and updates the lists of a keeper, one operation at a time. */
export interface Updater {
  /** Reads what is stored; with `changed`, only the lists with these names in the storage. */
  load(signal: AbortSignal | undefined, changed?: ReadonlySet<string>): Promise<LoadResult>;
  /** A call during an update waits for that update. */
  update(signal?: AbortSignal): Promise<UpdateResult>;
  /** From now on, updates whenever the lists are due. */
  start(): void;
  stop(reason: ClientError): Promise<void>;
  readonly isStarted: boolean;
  readonly isUpdating: boolean;
  /** When the next update is due; `null` before the first one. */
  readonly due: number | null;
  /** How long the lists are current after an update, in milliseconds. */
  readonly wait: number;
  readonly failures: number;
  readonly lastError: ClientError | null;
}

export interface UpdaterOptions {
  readonly protocol: Protocol;
  readonly context: ProtocolContext;
  readonly keeper: ListKeeper;
  readonly requester: Requester;
  readonly onNewList: OnNewList | null;
  /** Whether another client updates the storage. */
  readonly isFollowing: boolean;
  /** Called when the lists or their times have changed. */
  readonly onChange: (wait: number) => void;
  readonly timers: Timers;
}

function unknownError(cause: unknown): ClientError {
  const message = `The update failed: ${(cause as Error)?.message ?? cause}`;
  return new ClientError("answer-wrong", message, { cause });
}

export function createUpdater(options: UpdaterOptions): Updater {
  const { protocol, context, keeper, requester, onNewList, isFollowing, timers } = options;
  const { now, random } = context;
  let due: number | null = null;
  let wait = USUAL_WAIT;
  let failures = 0;
  let lastError: ClientError | null = null;
  let running: SharedTask<UpdateResult> | null = null;
  let last: Promise<void> = Promise.resolve();

  function keep(outcome: ListOutcome, time: number): UpdatedList {
    const { name } = outcome;
    const base = { name, changed: false, added: 0, removed: 0, bytes: 0 };
    if (outcome.kind === "new") {
      const { token, list, file, added, removed, bytes } = outcome;
      keeper.replace(name, token, list, time, file);
      return { name, changed: true, added, removed, size: list.size, bytes, error: null };
    }
    if (outcome.kind === "damaged") keeper.discard(name, outcome.error);
    else if (outcome.kind === "failed") keeper.note(name, outcome.error);
    else keeper.confirm(name, outcome.token, time);
    const size = keeper.states.find((state) => state.name === name)?.list?.size ?? 0;
    return { ...base, size, error: "error" in outcome ? outcome.error : null };
  }

  function failed(error: ClientError): void {
    failures++;
    lastError = error;
    const isFirstDamage = error.code === "list-damaged" && failures === 1;
    const pause = isFirstDamage ? LEAST_WAIT : backOff(failures, random());
    due = now() + Math.max(pause, Math.min(error.retryAfter ?? 0, LONGEST_WAIT));
  }

  async function runUpdate(signal: AbortSignal): Promise<UpdateResult> {
    const before = requester.counts().bytesReceived;
    const from = now();
    try {
      const { states } = keeper;
      const { outcomes, wait: asked } = await protocol.update(states, context, signal);
      const seen: ListOutcome[] = [];
      for (const outcome of outcomes) {
        seen.push(await admitted(outcome, states, onNewList, signal));
      }
      signal.throwIfAborted();
      // The age of the answer is counted from its request, because the machine may have slept in between.
      const time = Math.min(from, now());
      const lists = seen.map((outcome) => keep(outcome, time));
      const damage = lists.find(({ error }) => error !== null)?.error ?? null;
      wait = serverWait(asked);
      if (damage === null) {
        failures = 0;
        lastError = null;
        due = now() + (now() - time > wait ? LEAST_WAIT : wait);
      } else {
        failed(damage);
      }
      // Checks need not wait for the storage.
      options.onChange(wait);
      await keeper.store({ due, wait, failures });
      const bytes = requester.counts().bytesReceived - before;
      return { lists, bytes, nextUpdate: due!, storageError: keeper.storageError };
    } catch (error) {
      // If the update was aborted, the server has not failed.
      signal.throwIfAborted();
      const known = error instanceof ClientError ? error : unknownError(error);
      failed(known);
      await keeper.store({ due, wait, failures });
      throw known;
    }
  }

  /** Calls `run` after earlier updates and storage reads have ended. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    last = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  function update(signal?: AbortSignal): Promise<UpdateResult> {
    // If the caller has already given up, no update is started.
    signal?.throwIfAborted();
    if (running === null || running.isAborted) {
      const task = sharedTask((inner) =>
        inTurn(async () => {
          inner.throwIfAborted();
          return runUpdate(inner);
        }),
      );
      running = task;
      void task.ended.then(() => {
        if (running === task) running = null;
      });
    }
    return running.join(signal);
  }

  /** When the next update is due. A time further away than the longest wait was set before the clock was set back. */
  const knownDue = () => (due !== null && due > now() + LONGEST_WAIT ? null : due);

  const schedule = createSchedule({
    due: () => knownDue() ?? now(),
    onSetBack(milliseconds) {
      if (due !== null) due -= milliseconds;
      keeper.shift(milliseconds);
      options.onChange(wait);
    },
    // The error is ignored here, because `status` returns it.
    run: () =>
      update().then(
        () => {},
        () => {},
      ),
    now,
    timers,
  });

  /** When the first update after `start` is due. */
  function firstDue(): number {
    return Math.max(knownDue() ?? 0, now() + random() * FIRST_DELAY);
  }

  async function load(
    signal: AbortSignal | undefined,
    changed?: ReadonlySet<string>,
  ): Promise<LoadResult> {
    const times = await keeper.load(signal, changed).catch((error) => {
      // Some lists may have been read before the error.
      options.onChange(wait);
      throw error;
    });
    wait = serverWait(times?.wait ?? null);
    failures = times?.failures ?? 0;
    const isMissing = keeper.states.some(({ list }) => list === null);
    // If a list is missing, the stored time does not count, unless the last update failed or another client makes the
    // updates.
    due = isMissing && failures === 0 && !isFollowing ? null : (times?.due ?? null);
    if (schedule.isRunning) due = firstDue();
    options.onChange(wait);
    return {
      lists: keeper.states.map(({ name, list, error }) => ({
        name,
        size: list?.size ?? null,
        error,
      })),
      storageError: keeper.storageError,
    };
  }

  return {
    load: (signal, changed) =>
      unlessAborted(
        inTurn(() => load(signal, changed)),
        signal,
      ),
    update,
    start() {
      if (schedule.isRunning) return;
      due = firstDue();
      schedule.start();
    },
    async stop(reason) {
      schedule.stop();
      running?.abort(reason);
      await last;
    },
    get isStarted() {
      return schedule.isRunning;
    },
    get isUpdating() {
      return running !== null;
    },
    get due() {
      return due;
    },
    get wait() {
      return wait;
    },
    get failures() {
      return failures;
    },
    get lastError() {
      return lastError;
    },
  };
}
