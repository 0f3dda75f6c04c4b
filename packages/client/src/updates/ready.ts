import { listMissing } from "../error.ts";
import { type ListKeeper, statesOf } from "../lists/list-keeper.ts";
import type { Updater } from "./updater.ts";

/**
 * Reads the storage if a list is not loaded, and updates if one is missing or due. If another client updates the lists,
 * only reads the storage.
 *
 * @throws {ClientError} when a list is still missing.
 */
export async function makeReady(
  updater: Updater,
  keeper: ListKeeper,
  isFollowing: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const missing = () => statesOf(keeper).find(({ list }) => list === null);
  if (isFollowing || missing() !== undefined) await updater.load(signal);
  if (!isFollowing && (missing() !== undefined || updater.isDue)) {
    try {
      await updater.update("all", signal);
    } catch (error) {
      // Lists that are only overdue are still used for a while.
      if (signal?.aborted || missing() !== undefined) throw error;
    }
  }
  const list = missing();
  if (list !== undefined) throw list.error ?? listMissing(list.name);
}
