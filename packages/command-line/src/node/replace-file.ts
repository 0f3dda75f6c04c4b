import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { type OpenedFile, writeWhole } from "@x/list-store/node";

/** The attributes that a new file takes from the file that it replaces, as in the `Stats` of Node.js. */
interface OldFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces a whole file. Even if the process is killed, the file has either all of the new bytes or all of the old
 * ones. If a temporary file is left behind, the next run removes it.
 *
 * @param old the attributes of the file that is replaced; `null` if there is none. The new file gets the same mode and,
 * if possible, the same owner.
 */
export async function replaceFile(
  target: string,
  bytes: Uint8Array | string,
  old: OldFile | null,
): Promise<void> {
  await replaceFileBy(target, (file) => file.writeFile(bytes), old);
}

/** Replaces a file as {@link replaceFile} does. `write` gets the open temporary file and its name. */
export async function replaceFileBy(
  target: string,
  write: (file: OpenedFile, temporary: string) => Promise<void>,
  old: OldFile | null,
): Promise<void> {
  const temporary = temporaryPath(target);
  const stop = removeOnSignal(temporary);
  try {
    await writeBeside(target, temporary, (file) => write(file, temporary), old);
  } finally {
    stop();
  }
}

/**
 * Like {@link replaceFileBy}, for programs that handle signals themselves.
 *
 * @param temporary the name of the temporary file: {@link temporaryPath}.
 * @param move gives the temporary file the name of the target; `rename` by default.
 */
export async function writeBeside(
  target: string,
  temporary: string,
  write: (file: OpenedFile) => Promise<void>,
  old: OldFile | null,
  move?: (from: string, to: string) => Promise<void>,
): Promise<void> {
  await removeLeftovers(dirname(target), temporaryStart(target));
  const writeLikeOld = async (file: OpenedFile): Promise<void> => {
    if (old !== null) {
      await file.chmod(old.mode & 0o7777);
      // If the file belongs to another user, only root may do this.
      await file.chown(old.uid, old.gid).catch(() => {});
    }
    await write(file);
  };
  const options = { mode: 0o666, ...(move !== undefined && { move }) };
  await writeWhole(target, temporary, writeLikeOld, options);
}

const DAY = 24 * 60 * 60 * 1000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);

const TEMPORARY = /^\.urlhash-[0-9a-f]{12}-([0-9a-f]+)-(\d+)-[0-9a-f]+\.tmp$/;

/**
 * The beginning of the names of temporary files for a target. It has a hash instead of the target's name, because the
 * names could otherwise be too long.
 */
function temporaryStart(target: string): string {
  return `.urlhash-${shortHash(basename(target))}-`;
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
 * @param start the beginning of the files' names.
 */
export async function removeLeftovers(folder: string, start: string): Promise<void> {
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
