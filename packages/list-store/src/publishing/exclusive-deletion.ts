import { UNFINISHED_FOLDER } from "../keys.ts";
import type { Storage, StorageEntry } from "../storage.ts";
import {
  CLEANER,
  type NewId,
  PUBLISHER,
  type PublisherMark,
  pause,
  randomId,
  removeMark,
} from "./marks.ts";

/**
 * The maximum time that deleting may take, in milliseconds. A mark that is much older was left by a process that was
 * killed while deleting.
 */
const MAX_CLEANING = 5000;
const STALE_CLEANER = 15_000;
/** The wait before garbage collection looks again for publishers at work, in milliseconds. */
const LONG_PAUSE = 500;
/** The maximum wait for publishers at work before garbage collection gives up, in milliseconds. */
const PATIENCE = 60_000;

/** Whether a mark says that a process is deleting objects. `now` is the time by the clock of the storage. */
export function isDeleting({ name, modified }: StorageEntry, now: number): boolean {
  return name.startsWith(CLEANER) && now - (modified ?? 0) < STALE_CLEANER;
}

/**
 * Calls `clean` unless another publisher is at work, and returns whether it did. `clean` must stop when `isOver()`
 * returns `true`.
 *
 * @param own the mark of the publisher that cleans up; `null` when nothing is being published.
 */
export async function cleanAlone(
  storage: Storage,
  own: PublisherMark | null,
  clean: (isOver: () => boolean) => Promise<void>,
  newId: NewId = randomId,
): Promise<boolean> {
  const name = CLEANER + newId();
  const start = performance.now();
  try {
    await storage.create(UNFINISHED_FOLDER + name, new Uint8Array(0)).catch((error) => {
      // If the storage is full, publishers cannot leave marks, either. Garbage collection must be able to make room.
      if (own !== null) throw error;
    });
    const marks = await storage.list(UNFINISHED_FOLDER);
    const isOther = (mark: StorageEntry) =>
      mark.name.startsWith(PUBLISHER) && mark.name !== own?.name;
    if (marks.some(isOther)) return false;
    await clean(() => performance.now() - start > MAX_CLEANING);
    return true;
  } finally {
    await removeMark(storage, name);
  }
}

/**
 * Calls `clean` repeatedly while no publisher is at work, until `clean` returns `true`. Returns `false` when publishers
 * have been at work for `patience` milliseconds without a break.
 */
export async function cleanCompletely(
  storage: Storage,
  clean: (isOver: () => boolean) => Promise<boolean>,
  patience: number = PATIENCE,
): Promise<boolean> {
  let isDone = false;
  for (let waited = 0; waited <= patience; ) {
    const isAlone = await cleanAlone(storage, null, async (isOver) => {
      isDone = await clean(isOver);
    });
    if (isDone) return true;
    if (isAlone) waited = 0;
    else {
      await pause(LONG_PAUSE);
      waited += LONG_PAUSE;
    }
  }
  return false;
}
