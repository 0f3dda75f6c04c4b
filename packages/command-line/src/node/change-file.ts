import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ifThere } from "@x/list-store/node";
import { temporaryPath, writeBeside } from "./replace-file.ts";

/** The time that another process may take to replace the file before its lock is removed, in milliseconds. */
const STALE = 10_000;
/** The maximum wait before the next try, in milliseconds. */
const PAUSE = 20;

/** Creates a lock file; `null` if it already exists. */
async function createLock(lock: string): Promise<FileHandle | null> {
  try {
    return await open(lock, "wx", 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // A process that was killed leaves its lock file behind.
  const found = await ifThere(stat(lock));
  if (found !== null && Date.now() - found.mtimeMs > STALE) await ifThere(unlink(lock));
  return null;
}

/** Thrown when a process took so long that another process removed its lock. */
const LOST = new Error("The lock was lost");

/**
 * Replaces the contents of a file with the text that `next` returns. If `next` returns `null`, the file stays as it is.
 *
 * Processes take turns, because only one of them can create the file `FILE.lock`. The process that has the lock reads
 * `FILE` in `next`, and replaces `FILE` as a whole.
 */
export async function changeFile(file: string, next: () => Promise<string | null>): Promise<void> {
  const lock = `${file}.lock`;
  for (;;) {
    const handle = await createLock(lock).catch((error) => {
      // Users do not know the lock file.
      throw Object.assign(error, { path: file });
    });
    if (handle === null) {
      await wait(PAUSE * Math.random());
      continue;
    }
    // While the lock file is open, no other file gets its inode number.
    const { ino } = await handle.stat();
    const isHeld = async () => (await ifThere(stat(lock)))?.ino === ino;
    try {
      const text = await next();
      if (text === null && (await isHeld())) return;
      if (text === null) continue;
      await writeBeside(
        file,
        temporaryPath(file),
        (opened) => opened.writeFile(text),
        await ifThere(stat(file)),
        async (from, to) => {
          if (!(await isHeld())) throw LOST;
          await rename(from, to);
        },
      );
      return;
    } catch (error) {
      if (error !== LOST) throw error;
    } finally {
      const isOurs = await isHeld();
      // Windows cannot delete a file that is open.
      await handle.close();
      if (isOurs) await unlink(lock);
    }
  }
}
