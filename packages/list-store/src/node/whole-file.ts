import { constants } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "../error.ts";

/** Whether an error of the operating system has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** The result of a file operation; `null` when there is no such file. */
export async function ifThere<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Makes new and renamed files in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; there, the file system's journal keeps the order of operations.
  if (process.platform === "win32") return;
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Some file systems cannot sync folders, and a folder that may be written need not be readable.
    if (!hasCode(error, "EACCES", "EINVAL", "ENOTSUP")) throw error;
  }
}

/** The operations on an open file that writers of whole files use. */
export interface OpenedFile {
  writeFile(
    bytes: string | Uint8Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
}

/**
 * Writes a whole file under another name in the same file system, syncs it, and then moves it to its place. Even after
 * a power cut, the file has either all of the new bytes or all of the old ones.
 *
 * @param temporary the other name. No file may have it yet.
 * @param write writes the open temporary file.
 * @param options `move`: `link` for a file that must not exist yet; `rename` by default. `mode`: the mode of the file.
 * @throws errors of the operating system, whose `path` is always that of the file, and errors of `write`.
 */
export async function writeWhole(
  file: string,
  temporary: string,
  write: (opened: OpenedFile) => Promise<void>,
  {
    move = rename,
    mode = 0o644,
  }: {
    readonly move?: (from: string, to: string) => Promise<void>;
    readonly mode?: number;
  } = {},
): Promise<void> {
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await move(temporary, file);
    await syncFolder(dirname(file));
  } catch (error) {
    // System errors about an open file do not contain its path, and users do not know the temporary name.
    if (error instanceof Error && "syscall" in error) Object.assign(error, { path: file });
    throw error;
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

/**
 * The bytes of a file; `null` for a directory. `what` names the file in error messages.
 *
 * A file of more than `most` bytes is an error. Pipes, sockets and devices are errors, too: reading them might never
 * end, and opening a pipe would wait for a writer.
 *
 * @throws {StoreError} `damaged`. System errors are thrown unchanged.
 */
export async function readRegularFile(
  path: string,
  what: string,
  most: number = Infinity,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const notAFile = () => new StoreError("damaged", `${what} is not a regular file`);
  // Windows has neither `O_NONBLOCK` nor pipes in folders.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error) => {
    throw error.code === "ENXIO" ? notAFile() : error;
  });
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) return null;
    if (!facts.isFile()) throw notAFile();
    if (facts.size > most) throw new StoreError("damaged", `${what} is far too long`);
    const bytes = await handle.readFile({ signal });
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  } finally {
    await handle.close();
  }
}
