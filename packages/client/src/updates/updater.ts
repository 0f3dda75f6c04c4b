import { unlessAborted } from "../abort.ts";
import type { ClientError } from "../error.ts";
import { oneAtATime } from "../limit-concurrency.ts";
import { statesOf } from "../lists/list-keeper.ts";
import { loadLists } from "../lists/load-and-store.ts";
import type { CheckedOptions } from "../options.ts";
import { delayFirst, dueNames, isUpdateDue, restoreTimes } from "../schedule/update-times.ts";
import { type SharedTask, sharedTask } from "../shared-task.ts";
import type { LoadResult, UpdateResult } from "./results.ts";
import { runUpdate, type UpdateParts } from "./run-update.ts";

/** Reads and updates the lists of a keeper, one operation at a time. */
export interface Updater {
  /** Reads the storage; with `changed`, only the lists with these names in the storage. */
  load(signal: AbortSignal | undefined, changed?: ReadonlySet<string>): Promise<LoadResult>;
  /** Updates all lists, or those that are due. A call during such an update waits for it. */
  update(which: "all" | "due", signal?: AbortSignal): Promise<UpdateResult>;
  /** Ends the running update, and waits until all operations have ended. */
  stop(reason: ClientError): Promise<void>;
  readonly isUpdating: boolean;
  /** Whether a list is due, and there is no pause because the server has failed. */
  readonly isDue: boolean;
}

export interface UpdaterOptions extends UpdateParts, Pick<CheckedOptions, "isFollowing"> {
  /** Whether this client updates the lists whenever they are due. */
  readonly isStarted: () => boolean;
}

async function runLoad(
  { context, keeper, times, onChange, isFollowing, isStarted }: UpdaterOptions,
  signal: AbortSignal | undefined,
  changed?: ReadonlySet<string>,
): Promise<LoadResult> {
  const { now, random } = context;
  try {
    const stored = await loadLists(keeper, signal, changed);
    if (stored !== null) restoreTimes(times, stored, statesOf(keeper), isFollowing);
    if (isStarted()) delayFirst(times, now(), random());
  } finally {
    // Some lists may have been read before an error.
    onChange();
  }
  return {
    lists: statesOf(keeper).map(({ name, list, error }) => {
      return { name, size: list?.size ?? null, error };
    }),
    storageError: keeper.storageError,
  };
}

/** A running update, and whether it is for all lists. */
interface Running {
  readonly task: SharedTask<UpdateResult>;
  readonly isWhole: boolean;
}

export function createUpdater(options: UpdaterOptions): Updater {
  const { protocol, keeper, times, isFollowing } = options;
  const { now } = options.context;
  const inTurn = oneAtATime();
  let running: Running | null = null;

  function start(names: ReadonlySet<string>): Running {
    const task = sharedTask((signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        // Without the versions that were seen before, an older one would be accepted.
        if (!keeper.isLoaded && protocol.entryIn !== undefined) await runLoad(options, signal);
        return runUpdate(options, names, signal);
      }),
    );
    const mine = { task, isWhole: names.size === times.turns.size };
    void task.ended.then(() => {
      if (running === mine) running = null;
    });
    return mine;
  }

  return {
    load: (signal, changed) =>
      unlessAborted(
        inTurn(() => runLoad(options, signal, changed)),
        signal,
      ),
    async update(which, signal) {
      // If the caller has already given up, no update is started.
      signal?.throwIfAborted();
      if (running === null || running.task.isAborted || (which === "all" && !running.isWhole)) {
        running = start(which === "all" ? new Set(times.turns.keys()) : dueNames(times, now()));
      }
      return running.task.join(signal);
    },
    async stop(reason) {
      running?.task.abort(reason);
      await inTurn(async () => {});
    },
    get isUpdating() {
      return running !== null;
    },
    get isDue() {
      return !isFollowing && isUpdateDue(times, now());
    },
  };
}
