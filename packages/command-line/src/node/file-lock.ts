import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { ifThere } from "@x/list-store/node";

/** The time that another process may take to replace the file before its lock is removed, in milliseconds. */
const STALE = 10_000;
/** The maximum wait before the next try, in milliseconds. */
const PAUSE = 20;

/** A lock that this process has. */
export interface FileLock {
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
  // A process that was killed leaves its lock file behind.
  const found = await ifThere(stat(lock));
  if (found !== null && Date.now() - found.mtimeMs > STALE) await ifThere(unlink(lock));
  return null;
}

/** Creates the file `FILE.lock`, once no other process has it. */
export async function lockFile(file: string): Promise<FileLock> {
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
