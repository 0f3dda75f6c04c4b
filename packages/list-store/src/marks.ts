import { encodeText } from "./bytes.ts";
import { StoreError } from "./error.ts";
import { type Storage, type StorageEntry, UNFINISHED_FOLDER } from "./storage.ts";

/*
 * A publisher that fails deletes the objects that it created, and garbage collection deletes old objects, but another
 * publisher may have found one of these objects and rely on it. So publishers and garbage collections leave a mark in
 * the folder of unfinished files, and then look for the marks of others. A publisher waits during deletions, and
 * nothing is deleted while another publisher is at work. Of two processes, at least the later one sees the mark of the
 * other.
 */

const PUBLISHER = "publisher-";
const CLEANER = "cleaner-";

/** The mark of a publisher at work. */
export interface PublisherMark {
  readonly name: string;
  /**
   * The time when the publisher began, by the clock of the storage, in milliseconds since 1970; `null` when the storage
   * gives no time.
   */
  readonly begun: number | null;
}

/** Removes a mark. If that fails, the mark is left to garbage collection. */
export async function removeMark(storage: Storage, name: string): Promise<void> {
  await storage.delete(UNFINISHED_FOLDER + name).catch(() => {});
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The wait, in milliseconds, before a publisher checks again whether objects are still being deleted. */
const PAUSE = 20;

/**
 * Leaves a mark that a publisher is at work, and waits until no process is deleting objects.
 *
 * Throws `not-create-only` when the storage replaces an existing key, because publishers could then overwrite each
 * other's versions.
 */
export async function markPublisher(storage: Storage): Promise<PublisherMark> {
  const name = PUBLISHER + crypto.randomUUID();
  const key = UNFINISHED_FOLDER + name;
  const bytes = encodeText("A publisher is at work.\n");
  try {
    await storage.create(key, bytes);
    if (await storage.create(key, bytes)) {
      throw new StoreError(
        "not-create-only",
        "The storage replaces keys that exist, so two publishers could overwrite each other's versions",
      );
    }
    const start = performance.now();
    for (;;) {
      const marks = await storage.list(UNFINISHED_FOLDER);
      const begun = marks.find((mark) => mark.name === name)?.modified ?? null;
      const waited = performance.now() - start;
      if (!marks.some((other) => isDeleting(other, waited + (begun ?? 0)))) return { name, begun };
      await pause(PAUSE);
    }
  } catch (error) {
    await removeMark(storage, name);
    throw error;
  }
}

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
function isDeleting({ name, modified }: StorageEntry, now: number): boolean {
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
): Promise<boolean> {
  const name = CLEANER + crypto.randomUUID();
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
