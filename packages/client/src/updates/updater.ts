import { unlessAborted } from "../abort.ts";
import { ClientError, listMissing, listUnknown } from "../error.ts";
import type { ListKeeper } from "../lists/list-keeper.ts";
import { admitted, type OnNewList } from "../lists/new-list.ts";
import type { StoredTimes } from "../lists/stored-state.ts";
import type { ListOutcome, Protocol, ProtocolContext } from "../protocols/protocol.ts";
import type { Requester } from "../requests/requester.ts";
import { createSchedule } from "../schedule/schedule.ts";
import type { Timers } from "../schedule/timers.ts";
import {
  delayFirst,
  dueNames,
  endTurn,
  isUpdateDue,
  nextDue,
  noteAnswer,
  noteFailure,
  restoreTimes,
  setTimesBack,
  storedTimes,
  type UpdateTimes,
} from "../schedule/update-times.ts";
import { type SharedTask, sharedTask } from "../shared-task.ts";
import { updateKnownLists } from "./update-known-lists.ts";

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

/** How an update ended: with a result, or with the error that `update` throws. */
export type UpdateEnd =
  | { readonly result: UpdateResult; readonly error: null }
  | { readonly result: null; readonly error: ClientError };

/** Called after each update, whoever began it. */
export type OnUpdate = (end: UpdateEnd) => unknown;

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
  /** Reads the storage if a list is not loaded, and updates if one is missing or due. */
  ready(signal?: AbortSignal): Promise<void>;
  /** From now on, updates whenever the lists are due. */
  start(): void;
  stop(reason: ClientError): Promise<void>;
  readonly isStarted: boolean;
  readonly isUpdating: boolean;
  /** Whether a list is due, and there is no pause because the server has failed. */
  readonly isDue: boolean;
}

export interface UpdaterOptions {
  readonly protocol: Protocol;
  readonly times: UpdateTimes;
  readonly context: ProtocolContext;
  readonly keeper: ListKeeper;
  readonly requester: Requester;
  readonly onNewList: OnNewList | null;
  readonly onUpdate: OnUpdate | null;
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
  const { protocol, times, context, keeper, requester, onNewList, onUpdate, isFollowing, timers } =
    options;
  const { now, random } = context;
  let running: { readonly task: SharedTask<UpdateResult>; readonly isWhole: boolean } | null = null;
  let last: Promise<void> = Promise.resolve();
  /** Whether the storage was read. */
  let isLoaded = false;

  function keep(outcome: ListOutcome, time: number): UpdatedList {
    const { name } = outcome;
    const base = { name, changed: false, added: 0, removed: 0, bytes: 0 };
    if (outcome.kind === "new") {
      const { list, added, removed, bytes } = outcome;
      keeper.replace(outcome, time);
      return { name, changed: true, added, removed, size: list.size, bytes, error: null };
    }
    if (outcome.kind === "damaged") keeper.distrust(name, outcome.error);
    else if (outcome.kind === "failed") keeper.note(name, outcome.error);
    else keeper.confirm(outcome, time);
    const size = keeper.states.find((state) => state.name === name)?.list?.size ?? 0;
    return { ...base, size, error: "error" in outcome ? outcome.error : null };
  }

  const storeTimes = () => keeper.store(storedTimes(times, keeper.states));

  /** Goes on from what an earlier client has stored. */
  function restore(stored: StoredTimes): void {
    restoreTimes(times, stored, keeper.states, isFollowing);
    for (const { name } of keeper.states) {
      if (!stored.turns.get(name)?.isUnknown) continue;
      keeper.note(name, listUnknown(name, context.server.host));
    }
  }

  /** Tells the program. An error in `onUpdate` becomes an unhandled rejection, because no caller waits for it. */
  async function tell(end: UpdateEnd): Promise<void> {
    await onUpdate?.(end);
  }

  async function runUpdate(names: ReadonlySet<string>, signal: AbortSignal): Promise<UpdateResult> {
    const before = requester.counts().bytesReceived;
    const from = now();
    try {
      const states = keeper.states.filter(({ name }) => names.has(name));
      const { outcomes, wait: asked } = await updateKnownLists(protocol, states, context, signal);
      const seen: ListOutcome[] = [];
      for (const outcome of outcomes) {
        seen.push(await admitted(outcome, states, onNewList, signal));
      }
      signal.throwIfAborted();
      // The age of the answer is counted from its request, because the machine may have slept in between.
      const time = Math.min(from, now());
      const lists = seen.map((outcome) => keep(outcome, time));
      noteAnswer(times, asked);
      for (const list of lists) endTurn(times, list, time, now());
      // Checks need not wait for the storage.
      options.onChange(times.wait);
      await storeTimes();
      const bytes = requester.counts().bytesReceived - before;
      return {
        lists,
        bytes,
        nextUpdate: nextDue(times, now()) ?? now(),
        storageError: keeper.storageError,
      };
    } catch (error) {
      // If the update was aborted, the server has not failed.
      signal.throwIfAborted();
      const failure = error instanceof ClientError ? error : unknownError(error);
      noteFailure(times, failure, now());
      await storeTimes();
      throw failure;
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

  /** Updates all lists, or those that are due. */
  function update(isWhole: boolean, signal?: AbortSignal): Promise<UpdateResult> {
    // If the caller has already given up, no update is started.
    signal?.throwIfAborted();
    if (running === null || running.task.isAborted || (isWhole && !running.isWhole)) {
      const names = isWhole ? new Set(times.turns.keys()) : dueNames(times, now());
      const task = sharedTask((inner) =>
        inTurn(async () => {
          inner.throwIfAborted();
          // Without the versions that were seen before, an older one would be accepted.
          if (!isLoaded && protocol.entryIn !== undefined) await loadNow(inner);
          try {
            const result = await runUpdate(names, inner);
            void tell({ result, error: null });
            return result;
          } catch (error) {
            // An update that was given up has no end to tell of.
            if (!inner.aborted) void tell({ result: null, error: error as ClientError });
            throw error;
          }
        }),
      );
      const mine = { task, isWhole: names.size === times.turns.size };
      running = mine;
      void task.ended.then(() => {
        if (running === mine) running = null;
      });
    }
    return running.task.join(signal);
  }

  const schedule = createSchedule({
    due: () => nextDue(times, now()) ?? now(),
    onSetBack(milliseconds) {
      setTimesBack(times, milliseconds);
      keeper.shift(milliseconds);
      options.onChange(times.wait);
    },
    // The error is ignored here, because `status` returns it.
    run: () =>
      update(false).then(
        () => {},
        () => {},
      ),
    now,
    timers,
  });

  async function loadNow(
    signal: AbortSignal | undefined,
    changed?: ReadonlySet<string>,
  ): Promise<LoadResult> {
    const stored = await keeper.load(signal, changed).catch((error) => {
      // Some lists may have been read before the error.
      options.onChange(times.wait);
      throw error;
    });
    isLoaded = true;
    if (stored !== null) restore(stored);
    if (schedule.isRunning) delayFirst(times, now(), random());
    options.onChange(times.wait);
    return {
      lists: keeper.states.map(({ name, list, error }) => ({
        name,
        size: list?.size ?? null,
        error,
      })),
      storageError: keeper.storageError,
    };
  }

  const isDue = () => !isFollowing && isUpdateDue(times, now());

  const load: Updater["load"] = (signal, changed) =>
    unlessAborted(
      inTurn(() => loadNow(signal, changed)),
      signal,
    );

  return {
    load,
    update: (signal) => update(true, signal),
    async ready(signal) {
      signal?.throwIfAborted();
      const isMissing = () => keeper.states.some(({ list }) => list === null);
      if (isMissing()) await load(signal);
      if (!isMissing() && !isDue()) return;
      try {
        await update(true, signal);
      } catch (error) {
        // Lists that are only overdue are still used for a while.
        if (signal?.aborted || isMissing()) throw error;
      }
      const missing = keeper.states.find(({ list }) => list === null);
      if (missing !== undefined) throw missing.error ?? listMissing(missing.name);
    },
    start() {
      if (schedule.isRunning) return;
      delayFirst(times, now(), random());
      schedule.start();
    },
    async stop(reason) {
      schedule.stop();
      running?.task.abort(reason);
      await last;
    },
    get isStarted() {
      return schedule.isRunning;
    },
    get isUpdating() {
      return running !== null;
    },
    get isDue() {
      return isDue();
    },
  };
}
