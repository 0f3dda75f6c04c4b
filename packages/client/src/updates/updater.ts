import { unlessAborted } from "../abort.ts";
import { ClientError, listMissing, listUnknown } from "../error.ts";
import type { ListKeeper } from "../lists/list-keeper.ts";
import { admitted, type OnNewList } from "../lists/new-list.ts";
import type { StoredTimes } from "../lists/stored-state.ts";
import type { ListOutcome, Protocol, ProtocolContext } from "../protocols/protocol.ts";
import type { Requester } from "../requests/requester.ts";
import { createFailures, type Failures } from "../schedule/back-off.ts";
import { createSchedule } from "../schedule/schedule.ts";
import type { Timers } from "../schedule/timers.ts";
import {
  FIRST_DELAY,
  LEAST_WAIT,
  LONGEST_WAIT,
  serverWait,
  USUAL_WAIT,
} from "../schedule/waits.ts";
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

/** When a list is due, and how often its own updates have failed. */
interface Turn {
  due: number | null;
  readonly failures: Failures;
}

export function createUpdater(options: UpdaterOptions): Updater {
  const { protocol, context, keeper, requester, onNewList, onUpdate, isFollowing, timers } =
    options;
  const { now, random } = context;
  /** A problem with one list says nothing about the others, so each has its own turn. */
  const turns = new Map<string, Turn>(
    keeper.states.map(({ name }) => [name, { due: null, failures: createFailures(random) }]),
  );
  /** The updates that failed as a whole. */
  const serverFailures = createFailures(random);
  /** No list is due before these times: the end of a pause after a failure, and of the delay after `start`. */
  let pausedUntil: number | null = null;
  let delayedUntil: number | null = null;
  let wait = USUAL_WAIT;
  let running: { readonly task: SharedTask<UpdateResult>; readonly isWhole: boolean } | null = null;
  let last: Promise<void> = Promise.resolve();
  /** Whether the storage was read. */
  let isLoaded = false;

  /** A time; `null` for one that is too far away, because it was set before the clock was set back. */
  const known = (time: number | null) =>
    time !== null && time > now() + LONGEST_WAIT ? null : time;

  /** When the next update is due; `null` for now. */
  function nextDue(): number | null {
    const dues = [...turns.values()].map(({ due }) => known(due));
    const first = dues.includes(null) || dues.length === 0 ? 0 : Math.min(...(dues as number[]));
    const due = Math.max(first, known(pausedUntil) ?? 0, known(delayedUntil) ?? 0);
    return due === 0 ? null : due;
  }

  const dueNames = () =>
    new Set([...turns].flatMap(([name, { due }]) => ((known(due) ?? 0) <= now() ? [name] : [])));

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

  /** Decides when a list is due next, after an answer to a request that was sent at `time`. */
  function endTurn({ name, error }: UpdatedList, time: number): void {
    const turn = turns.get(name)!;
    if (error === null) {
      turn.failures.clear();
      turn.due = now() + (now() - time > wait ? LEAST_WAIT : wait);
    } else {
      const pause = turn.failures.add(error);
      // A server that does not have a list has not failed.
      turn.due = now() + (error.code === "list-unknown" ? wait : pause);
    }
  }

  const storeTimes = () =>
    keeper.store({
      wait,
      pausedUntil,
      failures: serverFailures.ofAnswers,
      turns: new Map(
        keeper.states.map(({ name, problem }) => {
          const { due, failures } = turns.get(name)!;
          const isUnknown = problem === "list-unknown";
          return [name, { due, failures: failures.ofAnswers, isUnknown }];
        }),
      ),
    });

  /** Goes on from what an earlier client has stored. */
  function restore(stored: StoredTimes): void {
    wait = serverWait(stored.wait);
    serverFailures.restore(stored.failures);
    // A short pause for want of a network says nothing about the network now.
    pausedUntil = stored.failures > 0 ? stored.pausedUntil : null;
    for (const { name, list } of keeper.states) {
      const turn = turns.get(name)!;
      const { due = null, failures = 0, isUnknown = false } = stored.turns.get(name) ?? {};
      turn.failures.restore(failures);
      if (isUnknown) keeper.note(name, listUnknown(name, context.server.host));
      // The stored time of a list that is missing now does not count, unless its updates failed or another client makes
      // them.
      turn.due = list === null && failures === 0 && !isFollowing ? null : due;
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
      wait = serverWait(asked);
      serverFailures.clear();
      pausedUntil = null;
      for (const list of lists) endTurn(list, time);
      // Checks need not wait for the storage.
      options.onChange(wait);
      await storeTimes();
      const bytes = requester.counts().bytesReceived - before;
      return { lists, bytes, nextUpdate: nextDue() ?? now(), storageError: keeper.storageError };
    } catch (error) {
      // If the update was aborted, the server has not failed.
      signal.throwIfAborted();
      const failure = error instanceof ClientError ? error : unknownError(error);
      pausedUntil = now() + serverFailures.add(failure);
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
      const names = isWhole ? new Set(turns.keys()) : dueNames();
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
      const mine = { task, isWhole: names.size === turns.size };
      running = mine;
      void task.ended.then(() => {
        if (running === mine) running = null;
      });
    }
    return running.task.join(signal);
  }

  const schedule = createSchedule({
    due: () => nextDue() ?? now(),
    onSetBack(milliseconds) {
      for (const turn of turns.values()) if (turn.due !== null) turn.due -= milliseconds;
      if (pausedUntil !== null) pausedUntil -= milliseconds;
      if (delayedUntil !== null) delayedUntil -= milliseconds;
      keeper.shift(milliseconds);
      options.onChange(wait);
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

  /** Many clients may start at the same time. */
  function delay(): void {
    delayedUntil = now() + random() * FIRST_DELAY;
  }

  async function loadNow(
    signal: AbortSignal | undefined,
    changed?: ReadonlySet<string>,
  ): Promise<LoadResult> {
    const stored = await keeper.load(signal, changed).catch((error) => {
      // Some lists may have been read before the error.
      options.onChange(wait);
      throw error;
    });
    isLoaded = true;
    if (stored !== null) restore(stored);
    if (schedule.isRunning) delay();
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

  const isDue = () => dueNames().size > 0 && !isFollowing && (known(pausedUntil) ?? 0) <= now();

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
      delay();
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
    get due() {
      return nextDue();
    },
    get wait() {
      return wait;
    },
    get failures() {
      const lists = [...turns.values()].map(({ failures }) => failures.count);
      return serverFailures.count || Math.max(0, ...lists);
    },
    get lastError() {
      const errors = [...turns.values()].map(({ failures }) => failures.last);
      return serverFailures.last ?? errors.find((error) => error !== null) ?? null;
    },
  };
}
