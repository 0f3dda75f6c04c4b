import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type ClientStorage, checkStorageName } from "../storage/storage.ts";

/** How often a reader looks for files that were replaced, in milliseconds. */
const WATCH_INTERVAL = 400;
/** After how many milliseconds an unfinished file counts as left behind by a killed process. */
const LEFT_BEHIND = 3_600_000;
/** Matches the names of unfinished files. They begin with a dot, which no name of the storage does. */
const UNFINISHED = /^\.[\w-]+\.unfinished$/;

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The result of a file operation; `null` when the file does not exist. */
async function ifThere<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const stampOf = ({ ino, size, mtimeMs }: Stats) => `${ino} ${size} ${mtimeMs}`;

async function syncFolder(directory: string): Promise<void> {
  // Windows cannot open a folder; there, the file system's journal keeps operations in order.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * A storage in the files of a directory. The directory is made when the first file is written.
 *
 * A file is written under another name, synced and then renamed, so readers find the old file or the new one, never
 * half of one, and a stored file survives a power cut. One process writes; any number may read, and `watch` informs
 * them within half a second which files were replaced.
 *
 * If the file system fails, the functions reject with its error, such as `EACCES` or `ENOSPC`.
 *
 * @example
 * ```ts
 * import { createClient } from "@x/client";
 * import { directoryStorage } from "@x/client/node";
 *
 * const storage = directoryStorage("/var/lib/mail-gateway/lists");
 * const client = createClient({ protocol: "v5", server: "https://lists.example", lists: ["mw-4b"], storage });
 * ```
 */
export function directoryStorage(directory: string): Required<ClientStorage> {
  /** Deletes files that killed writers have left behind. */
  async function deleteUnfinished(): Promise<void> {
    for (const name of await readdir(directory)) {
      if (!UNFINISHED.test(name)) continue;
      const path = join(directory, name);
      const found = await ifThere(stat(path));
      if (found !== null && Date.now() - found.mtimeMs > LEFT_BEHIND) await ifThere(unlink(path));
    }
  }

  /** For each name, a stamp that changes when the file is replaced. */
  async function stamps(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const name of (await ifThere(readdir(directory))) ?? []) {
      if (name.startsWith(".")) continue;
      const file = await ifThere(stat(join(directory, name)));
      if (file?.isFile()) found.set(name, stampOf(file));
    }
    return found;
  }

  /**
   * Does what `stamps` does, but synchronously, so that every later replacement is seen as a change. `null` when the
   * directory cannot be read.
   */
  function stampsNow(): Map<string, string> | null {
    const found = new Map<string, string>();
    try {
      for (const name of existsSync(directory) ? readdirSync(directory) : []) {
        if (name.startsWith(".")) continue;
        const file = statSync(join(directory, name), { throwIfNoEntry: false });
        if (file?.isFile()) found.set(name, stampOf(file));
      }
      return found;
    } catch {
      return null;
    }
  }

  return {
    async get(name, signal) {
      checkStorageName(name);
      const bytes = await ifThere(readFile(join(directory, name), { signal }));
      return bytes === null ? null : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    },

    async put(name, bytes, signal) {
      checkStorageName(name);
      signal?.throwIfAborted();
      await mkdir(directory, { recursive: true });
      await deleteUnfinished();
      const unfinished = join(directory, `.${randomUUID()}.unfinished`);
      try {
        const handle = await open(unfinished, "wx", 0o644);
        try {
          await handle.writeFile(bytes, { signal });
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(unfinished, join(directory, name));
        await syncFolder(directory);
      } catch (error) {
        await unlink(unfinished).catch(() => {});
        // System errors about an open file do not name the file.
        if (error instanceof Error && "errno" in error && !("path" in error)) {
          Object.assign(error, { path: join(directory, name) });
        }
        throw error;
      }
    },

    async delete(name) {
      checkStorageName(name);
      await ifThere(unlink(join(directory, name)));
    },

    watch(onChange) {
      let known = stampsNow();
      let isStopped = false;
      // The files are polled, because `fs.watch` misses changes on network file systems and in containers.
      const look = async () => {
        // A directory that cannot be read now may be readable later; `get` reports the problem.
        const found = await stamps().catch(() => known);
        if (isStopped) return;
        const before = known ?? new Map<string, string>();
        known = found;
        if (found !== null) {
          for (const name of new Set([...before.keys(), ...found.keys()])) {
            if (before.get(name) !== found.get(name)) onChange(name);
          }
        }
        timer = setTimeout(look, WATCH_INTERVAL).unref();
      };
      let timer = setTimeout(look, WATCH_INTERVAL).unref();
      return () => {
        isStopped = true;
        clearTimeout(timer);
      };
    },
  };
}
