import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ifThere } from "@x/list-store/node";
import { temporaryPath, writeBeside } from "./replace-file.ts";

/** Thrown when a process took so long that another process removed its lock. */
const LOST = new Error("The lock was lost");

/**
 * Replaces the contents of a file with the text that `next` returns. If `next` returns `null`, the file stays as it is.
 *
 * Processes take turns, because only one of them can create the file `FILE.lock`. The process that has the lock reads
 * `FILE` in `next`, and replaces `FILE` as a whole.
 */
export async function changeFile(file: string, next: () => Promise<string | null>): Promise<void> {
  for (;;) {
    const lock = await lockFile(file);
    try {
      const text = await next();
      if (text === null && (await lock.isHeld())) return;
      if (text === null) continue;
      await writeBeside(
        file,
        temporaryPath(file),
        (opened) => opened.writeFile(text),
        await ifThere(stat(file)),
        async (from, to) => {
          if (!(await lock.isHeld())) throw LOST;
          await rename(from, to);
        },
      );
      return;
    } catch (error) {
      if (error !== LOST) throw error;
    } finally {
      await lock.release();
    }
  }
}

/** The time that another process may take to replace the file before its lock is removed, in milliseconds. */
const STALE = 10_000;
/** The maximum wait before the next try, in milliseconds. */
const PAUSE = 20;

/** A lock that this process has. */
interface FileLock {
  /** Whether this process still has the lock. Another process removes it when this one takes too long. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Creates a lock file; `null` if it already exists. */
async function createLock(lock: string): Promise<FileHandle | null> {
  try {
    return await open(lock, "wx", 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // A process that was killed leaves its lock file behind, whose time is in the future if the clock was then set back.
  const found = await ifThere(stat(lock));
  if (found !== null && Math.abs(Date.now() - found.mtimeMs) > STALE) await ifThere(unlink(lock));
  return null;
}

/** Creates the file `FILE.lock`, once no other process has it. */
async function lockFile(file: string): Promise<FileLock> {
  const lock = `${file}.lock`;
  for (;;) {
    const handle = await createLock(lock).catch((error) => {
      // The error names `file`, because users do not know the lock file.
      throw Object.assign(error, { path: file });
    });
    if (handle === null) {
      await wait(PAUSE * Math.random());
      continue;
    }
    // While the lock file is open, no other file gets its inode number.
    const { ino } = await handle.stat();
    const isHeld = async () => (await ifThere(stat(lock)))?.ino === ino;
    return {
      isHeld,
      async release() {
        const isOurs = await isHeld();
        // Windows cannot delete a file that is open.
        await handle.close();
        if (isOurs) await unlink(lock);
      },
    };
  }
}
