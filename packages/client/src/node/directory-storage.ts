import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ifThere, directoryStorage as storeDirectory } from "@x/list-store/node";
import { type ClientStorage, checkStorageName } from "../storage.ts";

/** The time after which a reader looks again for replaced files, in milliseconds. */
const WATCH_INTERVAL = 400;
/** The age in milliseconds at which an unfinished file counts as left behind by a killed process. */
const LEFT_BEHIND = 3_600_000;
/** The folder of unfinished files. Names in the storage never begin with a dot. */
const UNFINISHED = ".unfinished";

const stampOf = ({ ino, size, mtimeMs }: Stats) => `${ino} ${size} ${mtimeMs}`;

/** Deletes files that killed writers have left behind. */
async function deleteUnfinished(directory: string): Promise<void> {
  const folder = join(directory, UNFINISHED);
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const found = await ifThere(stat(path));
    if (found !== null && Date.now() - found.mtimeMs > LEFT_BEHIND) await ifThere(unlink(path));
  }
}

/** For each name, a stamp that changes when the file is replaced. */
async function stamps(directory: string): Promise<Map<string, string>> {
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
function stampsNow(directory: string): Map<string, string> | null {
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

/** Calls `onChange` with the name of each file that is replaced or deleted, until the returned function is called. */
function watchDirectory(directory: string, onChange: (name: string) => void): () => void {
  let known = stampsNow(directory);
  let isStopped = false;
  // The files are polled, because `fs.watch` misses changes on network file systems and in containers.
  const look = async () => {
    // A directory that cannot be read now may be readable later; `get` reports the problem.
    const found = await stamps(directory).catch(() => known);
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
}

/**
 * A storage in the files of a directory. The directory is made when the first file is written.
 *
 * A file is written under another name, synced and then renamed, so readers find the old file or the new one, never
 * half of one, and a stored file survives a power cut. Only one process may write, but any number may read. `watch`
 * tells readers within half a second which files were replaced.
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
  const files = storeDirectory(directory, {
    unfinished: `${UNFINISHED}/`,
    longest: () => Infinity,
  });

  return {
    async get(name, signal) {
      checkStorageName(name);
      const bytes = await files.get(name, Infinity, signal);
      // If the directory is a file, `files.get` returns `null`, but `readdir` fails.
      if (bytes === null) await ifThere(readdir(directory));
      return bytes;
    },

    async put(name, bytes, signal) {
      checkStorageName(name);
      signal?.throwIfAborted();
      await deleteUnfinished(directory);
      await files.put(name, bytes, signal);
    },

    async delete(name) {
      checkStorageName(name);
      await files.delete(name);
    },

    watch: (onChange) => watchDirectory(directory, onChange),
  };
}
