import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { link, mkdir, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { StoreError } from "../error.ts";
import {
  checkFolder,
  checkKey,
  longestFile,
  type Storage,
  type StorageEntry,
  UNFINISHED_FOLDER,
} from "../storage.ts";
import { hasCode, ifThere, readRegularFile, syncFolder, writeWhole } from "./whole-file.ts";

/** The number of files that are examined at a time. */
const AT_ONCE = 256;

/** Options for directories that contain something other than a store. */
export interface DirectoryOptions {
  /**
   * The folder of unfinished files, as a path in the directory that ends in `/`; `tmp/` by default, which garbage
   * collection cleans.
   */
  readonly unfinished?: string;
  /**
   * Whether the first write makes the directory if it is missing; `true` by default. With `false`, the write fails with
   * `ENOENT`, so that a directory on a disk that is not mounted now is not replaced by an empty one.
   */
  readonly makesDirectory?: boolean;
  /** The maximum length of a file, in bytes; by default, the limit for files of a store. */
  readonly longest?: (key: string) => number;
}

/** A storage in a directory. Reading and replacing a file can be aborted. */
export interface DirectoryStorage extends Storage {
  get(key: string, most?: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null>;
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}

/** The entry for a file; `null` if the file has been deleted in the meantime. */
async function entryOf(path: string, name: string): Promise<StorageEntry | null> {
  const facts = await ifThere(stat(join(path, name)));
  return facts === null ? null : { name, modified: facts.mtimeMs };
}

/** The status of the target of a symbolic link in a folder. {@link Storage.get} follows such links, too. */
async function targetOf(folder: string, path: string, name: string): Promise<Stats> {
  const found = await stat(join(path, name)).catch((error) => {
    // If the link counted as absent, a list would look empty, or objects in use would look like garbage.
    if (!hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
    throw new StoreError("damaged", `The link ${folder}${name} of the store leads nowhere`);
  });
  return found;
}

/** @param path the path of the folder in the file system. */
async function listFolder(folder: string, path: string): Promise<StorageEntry[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error) => {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  });
  const entries: StorageEntry[] = [];
  const files: { readonly name: string }[] = [];
  for (const each of found) {
    const { name } = each;
    const kind = each.isSymbolicLink() ? await targetOf(folder, path, name) : each;
    if (kind.isDirectory()) entries.push({ name: `${name}/`, modified: null });
    else if (kind.isFile()) files.push({ name });
  }
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    const read = await Promise.all(some.map(({ name }) => entryOf(path, name)));
    for (const entry of read) if (entry !== null) entries.push(entry);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Makes a folder and those above it, and syncs the folders that contain them.
 *
 * @param existing a folder above it that is not made: if it is missing, the error is `ENOENT`.
 */
async function makeFolder(folder: string, existing: string | null): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    const parent = dirname(folder);
    if (!hasCode(error, "ENOENT") || parent === existing || parent === folder) throw error;
    await makeFolder(parent, existing);
    return makeFolder(folder, existing);
  }
  await syncFolder(dirname(folder));
}

/** Gives an unfinished file the path of a key. */
type Move = (from: string, to: string) => Promise<void>;

/**
 * Returns a function that writes a temporary file, calls `move` to give it its path, and syncs the folder of that path.
 *
 * @param unfinished the path of the folder of unfinished files.
 */
function fileWriter(directory: string, unfinished: string, makesDirectory: boolean) {
  const existing = makesDirectory ? null : resolve(directory);
  return async (target: string, bytes: Uint8Array, move: Move, signal?: AbortSignal) => {
    const temporary = join(unfinished, randomUUID());
    try {
      await makeFolder(resolve(unfinished), existing);
      await makeFolder(resolve(dirname(target)), existing);
      await writeWhole(target, temporary, (file) => file.writeFile(bytes, { signal }), { move });
    } catch (error) {
      // An error must not name an unfinished file, because users do not know it.
      const path = error instanceof Error && "path" in error ? String(error.path) : "";
      if (path.startsWith(resolve(unfinished))) Object.assign(error as Error, { path: directory });
      throw error;
    }
  };
}

/**
 * A storage in a directory of a local file system.
 *
 * Bytes are written to a temporary file, and the file is synced. Then `link()` creates the key, or `rename()` replaces
 * it, and the folder is synced. A key is therefore either absent or complete, even after a power cut. `link()` fails if
 * the key exists.
 */
export function directoryStorage(
  directory: string,
  {
    unfinished = UNFINISHED_FOLDER,
    makesDirectory = true,
    longest = longestFile,
  }: DirectoryOptions = {},
): DirectoryStorage {
  const pathOf = (key: string) => join(directory, ...key.split("/"));

  const write = fileWriter(directory, pathOf(unfinished), makesDirectory);

  return {
    async get(key, most = Infinity, signal) {
      checkKey(key);
      try {
        const what = `The file ${key} of the store`;
        return await readRegularFile(pathOf(key), what, Math.min(most, longest(key)), signal);
      } catch (error) {
        // Windows cannot open a folder.
        if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return null;
        throw error;
      }
    },
    async create(key, bytes) {
      checkKey(key);
      try {
        await write(pathOf(key), bytes, link);
        return true;
      } catch (error) {
        if (hasCode(error, "EEXIST")) return false;
        throw error;
      }
    },
    async put(key, bytes, signal) {
      checkKey(key);
      await write(pathOf(key), bytes, rename, signal);
    },
    async list(folder) {
      checkFolder(folder);
      return listFolder(folder, pathOf(folder));
    },
    async delete(key) {
      checkKey(key);
      await unlink(pathOf(key)).catch((error) => {
        if (!hasCode(error, "ENOENT", "ENOTDIR")) throw error;
      });
    },
  };
}
