import { unlessAborted } from "@x/list-store/transport";
import { ClientError, listMissing, updateRefused } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type {
  KeptList,
  ListOutcome,
  ProtocolContext,
  UpdateAnswer,
} from "../protocols/protocol.ts";
import { updateLists } from "../protocols/update-lists.ts";
import type { ClientStorage } from "../storage.ts";
import { callLater, oneAtATime, type SharedTask, sharedTask } from "../tasks.ts";
import { type Keeper, loadLists, storeLists } from "./load-and-store.ts";
import type { LoadResult, OnNewList, UpdatedList, UpdateEnd, UpdateResult } from "./results.ts";
import {
  afterAnswer,
  afterFailure,
  afterSetBack,
  afterStart,
  type ClientState,
  due,
  dueNames,
  isDue,
} from "./state.ts";

/** The parts of the client that updates need. */
interface UpdateParts extends Pick<CheckedOptions, "protocol" | "onNewList" | "onUpdate"> {
  readonly context: ProtocolContext;
  readonly keeper: Keeper;
  /** Called when the lists or their times have changed. */
  readonly onChange: () => void;
  /** Whether this client updates the lists whenever they are due. */
  readonly isStarted: () => boolean;
}

/** Reads and updates the lists of a keeper, one operation at a time. */
export interface Updater {
  /** Reads the storage; with `changed`, only the lists with these names in the storage. */
  load(signal: AbortSignal | undefined, changed?: ReadonlySet<string>): Promise<LoadResult>;
  /** Updates all lists, or those that are due. A call during such an update waits for it. */
  update(which: "all" | "due", signal?: AbortSignal): Promise<UpdateResult>;
  /**
   * Reads the storage if a list is not loaded, and updates if one is missing or due. If another client updates the
   * lists, only reads the storage.
   *
   * @throws {ClientError} when a list is still missing.
   */
  ready(signal: AbortSignal | undefined): Promise<void>;
  /** Ends the running updates, and waits until all operations have ended. */
  stop(reason: ClientError): Promise<void>;
  readonly isUpdating: boolean;
  /** Whether a list is due, and there is no pause because the server has failed. */
  readonly isDue: boolean;
}

/** An update that has not ended, and whether it is for all lists. */
interface Running {
  readonly task: SharedTask<UpdateResult>;
  readonly isWhole: boolean;
}

export function createUpdater(parts: UpdateParts): Updater {
  const { protocol, keeper } = parts;
  const { now } = parts.context;
  const inTurn = oneAtATime();
  /** The updates that have not ended, the newest last. */
  const running = new Set<Running>();

  function start(names: ReadonlySet<string>): Running {
    const task = sharedTask((signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        // Without the versions that were seen before, an older one would be accepted.
        if (!keeper.isLoaded && protocol.entryIn !== undefined) await runLoad(parts, signal);
        return runUpdate(parts, names, signal);
      }),
    );
    const mine = { task, isWhole: names.size === keeper.state.lists.size };
    running.add(mine);
    void task.ended.then(() => running.delete(mine));
    return mine;
  }

  const load: Updater["load"] = (signal, changed) =>
    unlessAborted(
      inTurn(() => runLoad(parts, signal, changed)),
      signal,
    );

  async function update(which: "all" | "due", signal?: AbortSignal): Promise<UpdateResult> {
    // If the caller has already given up, no update is started.
    signal?.throwIfAborted();
    let newest = [...running].at(-1);
    if (!newest || newest.task.isAborted || (which === "all" && !newest.isWhole)) {
      const { state } = keeper;
      newest = start(which === "all" ? new Set(state.lists.keys()) : dueNames(state, now()));
    }
    return newest.task.join(signal);
  }

  const isUpdateDue = () => !keeper.isFollowing && isDue(keeper.state, now());

  return {
    load,
    update,
    async ready(signal) {
      signal?.throwIfAborted();
      const { isFollowing } = keeper;
      const missing = () => [...keeper.state.lists.values()].find(({ list }) => list === null);
      if (isFollowing || missing() !== undefined) await load(signal);
      if (!isFollowing && (missing() !== undefined || isUpdateDue())) {
        try {
          await update("all", signal);
        } catch (error) {
          // Lists that are only overdue are still used for a while.
          const isOfUpdate = error instanceof ClientError && !signal?.aborted;
          if (!isOfUpdate || missing() !== undefined) throw error;
        }
      }
      const list = missing();
      if (list !== undefined) throw list.error ?? listMissing(list.name);
    },
    async stop(reason) {
      for (const { task } of running) task.abort(reason);
      await inTurn(async () => {});
    },
    get isUpdating() {
      return running.size > 0;
    },
    get isDue() {
      return isUpdateDue();
    },
  };
}

async function runLoad(
  { context, keeper, onChange, isStarted }: UpdateParts,
  signal: AbortSignal | undefined,
  changed?: ReadonlySet<string>,
): Promise<LoadResult> {
  const { now, random } = context;
  try {
    await loadLists(keeper, signal, changed);
    if (isStarted()) keeper.state = afterStart(keeper.state, now(), random());
  } finally {
    // Some lists may have been read before an error.
    onChange();
  }
  return {
    lists: [...keeper.state.lists.values()].map(({ name, list, error }) => {
      return { name, size: list?.size ?? null, error };
    }),
    storageError: keeper.storageError,
  };
}

/** Updates lists, stores the changes, and calls `onUpdate` with the end of the update. */
async function runUpdate(
  parts: UpdateParts,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<UpdateResult> {
  const { context, keeper, onUpdate, onChange } = parts;
  const { now, random, requester } = context;
  /** An error in `onUpdate` becomes an unhandled rejection, because no caller waits for `onUpdate`. */
  const tell = async (end: UpdateEnd) => {
    // `stop` may have ended the update while it was stored.
    if (!signal.aborted) await onUpdate?.(end);
  };
  const { bytesReceived } = requester.counts;
  const from = now();
  const answer = await requestUpdate(parts, names, signal).catch(asClientError);
  // If the update was aborted, the server has not failed.
  signal.throwIfAborted();
  if (answer instanceof ClientError) {
    keeper.state = afterFailure(keeper.state, answer, now(), random());
    await storeLists(keeper);
    void tell({ result: null, error: answer });
    throw answer;
  }
  // The age of the answer is counted from its request, because the machine may have slept in between.
  const times = { sent: Math.min(from, now()), now: now(), random: random() };
  keeper.state = afterAnswer(keeper.state, answer, times);
  const lists = answer.outcomes.map((outcome) => updatedList(outcome, keeper.state));
  // Checks need not wait for the storage.
  onChange();
  await storeLists(keeper);
  const result = {
    lists,
    bytes: requester.counts.bytesReceived - bytesReceived,
    nextUpdate: due(keeper.state, now()) ?? now(),
    storageError: keeper.storageError,
  };
  void tell({ result, error: null });
  return result;
}

/** Asks for updates of lists, decodes the answer, and shows each new version to `onNewList`. */
async function requestUpdate(
  { protocol, context, keeper, onNewList }: UpdateParts,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<UpdateAnswer> {
  const kept = [...keeper.state.lists.values()].filter(({ name }) => names.has(name));
  const { outcomes, wait } = await updateLists(protocol, kept, context, signal);
  const admitted: ListOutcome[] = [];
  for (const each of outcomes) admitted.push(await admit(each, kept, onNewList, signal));
  return { outcomes: admitted, wait };
}

function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const message = `The update failed: ${(error as Error)?.message ?? error}`;
  return new ClientError("answer-wrong", message, { cause: error });
}

/** The outcome for a list after `onNewList` has seen its new version. */
async function admit(
  outcome: ListOutcome,
  kept: readonly KeptList[],
  onNewList: OnNewList | null,
  signal: AbortSignal,
): Promise<ListOutcome> {
  if (outcome.kind !== "new" || onNewList === null) return outcome;
  const { name, list } = outcome;
  const before = kept.find((each) => each.name === name)?.list ?? null;
  let reason = "";
  let cause: unknown;
  try {
    const asked = Promise.resolve().then(() => onNewList({ name, list, before }));
    if ((await unlessAborted(asked, signal)) !== false) return outcome;
  } catch (error) {
    signal.throwIfAborted();
    cause = error;
    reason = `: ${(error as Error)?.message ?? error}`;
  }
  return { kind: "failed", name, error: updateRefused(name, reason, cause) };
}

function updatedList(outcome: ListOutcome, { lists }: ClientState): UpdatedList {
  const { name, kind } = outcome;
  const changed = kind === "new";
  const { added, removed, bytes } = changed ? outcome : { added: 0, removed: 0, bytes: 0 };
  const error = "error" in outcome ? outcome.error : null;
  return { name, changed, added, removed, size: lists.get(name)!.list?.size ?? 0, bytes, error };
}

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

interface UpkeepOptions extends Pick<CheckedOptions, "now" | "random"> {
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
  const { keeper, onChange, now, random } = options;
  let cancel: (() => void) | null = null;
  let generation = 0;

  const nextUpdate = () => due(keeper.state, now()) ?? now();

  function wait(mine: number): void {
    const from = now();
    const left = Math.max(nextUpdate() - from, 0);
    cancel = callLater(Math.min(left, LONGEST_TIMER), () => void step(mine, from));
  }

  async function step(mine: number, from: number): Promise<void> {
    const time = now();
    if (time < from - SMALLEST_STEP) {
      keeper.state = afterSetBack(keeper.state, from - time);
      onChange();
    }
    try {
      if (time >= nextUpdate()) await updater.update("due");
    } catch (error) {
      // `status` returns the errors of updates. Any other is a mistake, and becomes an unhandled rejection.
      if (!(error instanceof ClientError)) throw error;
    } finally {
      if (mine === generation) wait(mine);
    }
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

/** Reads a storage whenever another client has written to it, from `start` to `stop`. */
export function followStorage(updater: Updater, storage: ClientStorage): Upkeep {
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
      cancelRetry = callLater(RETRY, () => void read());
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
