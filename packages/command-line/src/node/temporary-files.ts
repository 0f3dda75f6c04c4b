import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

const DAY = 24 * 60 * 60 * 1000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

const ANY_START = ".urlhash-";
const TEMPORARY = /^\.urlhash-[0-9a-f]{12}-([0-9a-f]+)-(\d+)-[0-9a-f]+\.tmp$/;

/**
 * The beginning of the names of temporary files for a target. It has a hash instead of the target's name, because the
 * names could otherwise be too long.
 */
export function temporaryStart(target: string): string {
  return `${ANY_START}${shortHash(basename(target))}-`;
}

/** A path for a target's temporary file that no other process uses. */
export function temporaryPath(target: string): string {
  const random = randomBytes(6).toString("hex");
  const name = `${temporaryStart(target)}${shortHash(hostname())}-${process.pid}-${random}.tmp`;
  return join(dirname(target), name);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Removes the temporary files of earlier runs that were killed. Files of other machines are removed only when they are
 * a day old, because the processes that write them may still be running.
 *
 * @param start the beginning of the files' names. By default, files for all targets in the folder are removed.
 */
export async function removeLeftovers(folder: string, start: string = ANY_START): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const [, host, pid] = TEMPORARY.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const isLeft =
      host === shortHash(hostname())
        ? !isRunning(Number(pid))
        : Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now()) > DAY;
    if (isLeft) await rm(path, { force: true }).catch(() => {});
  }
}

/** Removes a file or folder when a signal ends the process. Returns a function that stops waiting for signals. */
export function removeOnSignal(path: string): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    rmSync(path, { force: true, recursive: true });
    stop();
    // Now the signal has its usual effect, as if nothing had handled it.
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return stop;
}
