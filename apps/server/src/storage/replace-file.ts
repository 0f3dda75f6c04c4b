import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/** How long another process may take to replace the file before it counts as dead, in milliseconds. */
const STALE = 10_000;
/** How long to wait before the next try, in milliseconds. */
const PAUSE = 20;

/** The result of a file operation; `null` when there is no such file. */
async function ifThere<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
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

/**
 * Replaces the contents of a file with the text that `next` returns. If `next` returns `null`, the file stays as it is.
 *
 * Processes take turns, because only one of them can create the file `FILE.lock`. That process reads `FILE` in `next`,
 * writes the new contents to `FILE.lock`, and renames it to `FILE`.
 */
export async function replaceFile(file: string, next: () => Promise<string | null>): Promise<void> {
  const lock = `${file}.lock`;
  for (;;) {
    const handle = await createLock(lock);
    if (handle === null) await wait(PAUSE * Math.random());
    else if (await replaceLocked(file, lock, handle, next)) return;
  }
}

/** Returns `false` if this process took so long that another one removed its lock. */
async function replaceLocked(
  file: string,
  lock: string,
  handle: FileHandle,
  next: () => Promise<string | null>,
): Promise<boolean> {
  const own = await handle.stat();
  const isHeld = async () => (await ifThere(stat(lock)))?.ino === own.ino;
  try {
    const text = await next();
    if (text !== null) {
      await handle.writeFile(text);
      await handle.sync();
    }
    // Windows cannot rename a file that is open.
    await handle.close();
    if (!(await isHeld())) return false;
    await (text === null ? unlink(lock) : rename(lock, file));
    return true;
  } catch (error) {
    await handle.close();
    if (await isHeld()) await unlink(lock);
    // System errors about an open file do not contain its path.
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path: file });
    throw error;
  }
}
