import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { link, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkFolder,
  checkKey,
  longestFile,
  type Storage,
  type StorageEntry,
  StoreError,
  UNFINISHED_FOLDER,
} from "@x/list-store";
import { readRegularFile } from "./regular-file.ts";

/** How many files are examined at a time. */
const AT_ONCE = 256;

/* Unfinished files are in the folder `tmp/`. Garbage collection removes those that a killed process left there. */

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; there the file system's journal keeps the order of operations.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * A storage in a directory of a local file system.
 *
 * Bytes are written to a temporary file, and the file is synced. Then `link()` creates the key, or `rename()` replaces
 * it, and the folder is synced. A key is therefore either absent or complete, even after a power cut. `link()` fails if
 * the key exists.
 */
export function directoryStorage(directory: string): Storage {
  const pathOf = (key: string) => join(directory, ...key.split("/"));

  async function makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true });
    if (first === undefined) return;
    for (let made = folder; ; made = dirname(made)) {
      await syncFolder(dirname(made));
      if (made === first) return;
    }
  }

  /** Writes a temporary file, calls `move` to give it the path of the key, and syncs the folder of the key. */
  async function write(
    key: string,
    bytes: Uint8Array,
    move: (from: string, to: string) => Promise<void>,
  ): Promise<void> {
    const target = pathOf(key);
    const unfinished = join(directory, UNFINISHED_FOLDER, randomUUID());
    await makeFolder(dirname(unfinished));
    await makeFolder(dirname(target));
    try {
      const handle = await open(unfinished, "wx", 0o644);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await move(unfinished, target);
      await syncFolder(dirname(target));
    } catch (error) {
      // System errors about an open file do not contain its path.
      if (error instanceof Error && !("path" in error)) Object.assign(error, { path: target });
      throw error;
    } finally {
      await unlink(unfinished).catch(() => {});
    }
  }

  /** The entry for a file in a folder; `null` if the file has been deleted in the meantime. */
  async function entryOf(folder: string, name: string): Promise<StorageEntry | null> {
    try {
      return { name, modified: (await stat(join(pathOf(folder), name))).mtimeMs };
    } catch (error) {
      if (hasCode(error, "ENOENT")) return null;
      throw error;
    }
  }

  /** The facts about the target of a symbolic link in a folder. {@link Storage.get} follows such links, too. */
  async function targetOf(folder: string, name: string): Promise<Stats> {
    const found = await stat(join(pathOf(folder), name)).catch((error) => {
      // If the link counted as absent, a list would look empty, or objects in use would look like garbage.
      if (!hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
      throw new StoreError("damaged", `The link ${folder}${name} of the store leads nowhere`);
    });
    return found;
  }

  return {
    async get(key, most) {
      checkKey(key);
      try {
        const what = `The file ${key} of the store`;
        return await readRegularFile(pathOf(key), what, longestFile(key, most));
      } catch (error) {
        // Windows cannot open a folder.
        if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return null;
        throw error;
      }
    },
    async create(key, bytes) {
      checkKey(key);
      try {
        await write(key, bytes, link);
        return true;
      } catch (error) {
        if (hasCode(error, "EEXIST")) return false;
        throw error;
      }
    },
    async put(key, bytes) {
      checkKey(key);
      await write(key, bytes, rename);
    },
    async list(folder) {
      checkFolder(folder);
      const found = await readdir(pathOf(folder), { withFileTypes: true }).catch((error) => {
        if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
        throw error;
      });
      const entries: StorageEntry[] = [];
      const files: { readonly name: string }[] = [];
      for (const each of found) {
        const { name } = each;
        const kind = each.isSymbolicLink() ? await targetOf(folder, name) : each;
        if (kind.isDirectory()) entries.push({ name: `${name}/`, modified: null });
        else if (kind.isFile()) files.push({ name });
      }
      for (let start = 0; start < files.length; start += AT_ONCE) {
        const some = files.slice(start, start + AT_ONCE);
        const read = await Promise.all(some.map(({ name }) => entryOf(folder, name)));
        for (const entry of read) if (entry !== null) entries.push(entry);
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async delete(key) {
      checkKey(key);
      await unlink(pathOf(key)).catch((error) => {
        if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
      });
    },
  };
}
