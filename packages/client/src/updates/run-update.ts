import { ClientError } from "../error.ts";
import {
  confirmList,
  distrustList,
  type ListKeeper,
  noteError,
  replaceList,
  statesOf,
} from "../lists/list-keeper.ts";
import { storeLists } from "../lists/load-and-store.ts";
import { admitted } from "../lists/new-list.ts";
import type { CheckedOptions } from "../options.ts";
import type { ListOutcome, ProtocolContext } from "../protocols/protocol.ts";
import {
  endTurn,
  nextDue,
  noteAnswer,
  noteFailure,
  storedTimes,
  type UpdateTimes,
} from "../schedule/update-times.ts";
import type { UpdatedList, UpdateEnd, UpdateResult } from "./results.ts";
import { updateKnownLists } from "./update-known-lists.ts";

/** The parts of the client that an update needs. */
export interface UpdateParts extends Pick<CheckedOptions, "protocol" | "onNewList" | "onUpdate"> {
  readonly context: ProtocolContext;
  readonly keeper: ListKeeper;
  readonly times: UpdateTimes;
  /** Called when the lists or their times have changed. */
  readonly onChange: () => void;
}

/** Keeps the outcome for a list. The list was current at `time`. */
function keep(keeper: ListKeeper, outcome: ListOutcome, time: number): UpdatedList {
  const { name } = outcome;
  if (outcome.kind === "new") {
    const { list, added, removed, bytes } = outcome;
    replaceList(keeper, outcome, time);
    return { name, changed: true, added, removed, size: list.size, bytes, error: null };
  }
  if (outcome.kind === "damaged") distrustList(keeper, name, outcome.error);
  else if (outcome.kind === "failed") noteError(keeper, name, outcome.error);
  else confirmList(keeper, outcome, time);
  const size = keeper.lists.get(name)?.list?.size ?? 0;
  const error = "error" in outcome ? outcome.error : null;
  return { name, changed: false, added: 0, removed: 0, size, bytes: 0, error };
}

/** Asks the server for newer versions of lists, and keeps them in memory. */
async function updateLists(
  { protocol, context, keeper, times, onNewList }: UpdateParts,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<UpdatedList[]> {
  const { now } = context;
  const from = now();
  const kept = statesOf(keeper).filter(({ name }) => names.has(name));
  const { outcomes, wait } = await updateKnownLists(protocol, kept, context, signal);
  const seen: ListOutcome[] = [];
  for (const outcome of outcomes) seen.push(await admitted(outcome, kept, onNewList, signal));
  signal.throwIfAborted();
  // The age of the answer is counted from its request, because the machine may have slept in between.
  const time = Math.min(from, now());
  const lists = seen.map((outcome) => keep(keeper, outcome, time));
  noteAnswer(times, wait);
  for (const list of lists) endTurn(times, list, time, now());
  return lists;
}

function updateFailed(cause: unknown): ClientError {
  const message = `The update failed: ${(cause as Error)?.message ?? cause}`;
  return new ClientError("answer-wrong", message, { cause });
}

/** Updates lists, stores the changes, and calls `onUpdate` with the end of the update. */
export async function runUpdate(
  parts: UpdateParts,
  names: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<UpdateResult> {
  const { keeper, times, onUpdate, onChange } = parts;
  const { now, requester } = parts.context;
  const store = () => storeLists(keeper, storedTimes(times, statesOf(keeper)));
  /** An error in `onUpdate` becomes an unhandled rejection, because no caller waits for `onUpdate`. */
  const tell = async (end: UpdateEnd) => void (await onUpdate?.(end));
  const before = requester.counts().bytesReceived;
  try {
    const lists = await updateLists(parts, names, signal);
    // Checks need not wait for the storage.
    onChange();
    await store();
    const bytes = requester.counts().bytesReceived - before;
    const nextUpdate = nextDue(times, now()) ?? now();
    const result = { lists, bytes, nextUpdate, storageError: keeper.storageError };
    void tell({ result, error: null });
    return result;
  } catch (error) {
    // If the update was aborted, the server has not failed.
    signal.throwIfAborted();
    const failure = error instanceof ClientError ? error : updateFailed(error);
    noteFailure(times, failure, now());
    await store();
    // `onUpdate` is not called for an update that was given up.
    if (!signal.aborted) void tell({ result: null, error: failure });
    throw failure;
  }
}
