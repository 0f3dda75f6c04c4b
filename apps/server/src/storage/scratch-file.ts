import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, unlinkSync, write, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const writeLater = promisify(write);

/**
 * A temporary file for data that does not fit in memory. It has no name, so nothing is left of it when the process
 * ends, even if the process is killed. It is created when bytes are first written.
 */
export interface ScratchFile {
  /** Appends bytes, and returns the position where they begin. */
  append(bytes: Uint8Array): number;
  /** Appends bytes like `append`, but without blocking the thread. Several calls may be in progress. */
  appendLater(bytes: Uint8Array): Promise<number>;
  write(bytes: Uint8Array, at: number): void;
  /** Fills `bytes` from the file, starting at the position `at`. */
  read(bytes: Uint8Array, at: number): void;
  close(): void;
}

function openNameless(folder: string): number {
  try {
    // A folder above that is missing may be on a disk that is not mounted.
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const path = join(folder, `scratch-${randomUUID()}`);
  const opened = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return opened;
}

/** Adds the folder to a system error, because errors about an open file do not contain a path. */
function inFolder(error: unknown, folder: string): Error {
  return Object.assign(error as Error, { path: folder });
}

/** Makes a scratch file in a folder. The folder is created when bytes are first written, if it is missing. */
export function scratchFile(folder: string): ScratchFile {
  let file: number | null = null;
  let end = 0;

  /** Calls `move` until all bytes have been moved. Each call returns how many bytes it moved. */
  function moveAll(
    move: (file: number, from: number, length: number, at: number) => number,
    { length }: Uint8Array,
    at: number,
  ): void {
    try {
      file ??= openNameless(folder);
      for (let done = 0; done < length; ) {
        const moved = move(file, done, length - done, at + done);
        if (moved === 0) throw new Error(`A temporary file in ${folder} is too short`);
        done += moved;
      }
    } catch (error) {
      throw inFolder(error, folder);
    }
  }

  const write = (bytes: Uint8Array, at: number) =>
    moveAll(
      (to, from, length, position) => writeSync(to, bytes, from, length, position),
      bytes,
      at,
    );
  return {
    write,
    append(bytes) {
      const at = end;
      write(bytes, at);
      end += bytes.length;
      return at;
    },
    async appendLater(bytes) {
      const at = end;
      end += bytes.length;
      try {
        file ??= openNameless(folder);
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await writeLater(
            file,
            bytes,
            done,
            bytes.length - done,
            at + done,
          );
          done += bytesWritten;
        }
        return at;
      } catch (error) {
        throw inFolder(error, folder);
      }
    },
    read: (bytes, at) =>
      moveAll((of, to, length, position) => readSync(of, bytes, to, length, position), bytes, at),
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
