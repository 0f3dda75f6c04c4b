import { unlessMissing } from "./error.ts";
import { historyBlocks } from "./history-blocks.ts";
import { inParallel } from "./in-parallel.ts";
import { OBJECTS_FOLDER, UNFINISHED_FOLDER } from "./keys.ts";
import { listNames, readEntry } from "./log-files.ts";
import { type LogEntry, missingVersion } from "./manifest.ts";
import { cleanCompletely } from "./marks.ts";
import { addBlocks, addContents } from "./objects-of-version.ts";
import { readNewest } from "./read-log.ts";
import type { Verify } from "./signed-note.ts";
import { isFolder, isKey, remembering, type Storage, type StorageEntry } from "./storage.ts";

export interface GarbageOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  /** Verifies Ed25519 signatures; Web Crypto by default. */
  readonly verify?: Verify | undefined;
  /** The number of newest versions of each list that are kept completely; at least 1. */
  readonly keep: number;
  /** The number of newest versions that keep all their blocks, so that clients get differences from these versions. */
  readonly keepChanges: number;
  /** Objects younger than this, in milliseconds, are kept, because a publisher may be about to refer to them. */
  readonly grace: number;
  /** The time to wait for publishers at work, in milliseconds; a minute by default. */
  readonly patience?: number;
  readonly now?: () => number;
  readonly dryRun?: boolean;
}

export interface Garbage {
  /** The keys that were deleted, or would be in a dry run. */
  readonly deleted: readonly string[];
  readonly kept: number;
}

/** The objects that are kept: those of new versions, and the blocks that are the history of the list. */
async function referencedObjects(options: GarbageOptions): Promise<Set<string>> {
  const { storage, publicKeys, keep, keepChanges, dryRun = false } = options;
  const referenced = new Set<string>();
  for (const list of await listNames(storage)) {
    const newest = await readNewest({ storage, list, publicKeys, verify: options.verify });
    if (newest === null) continue;
    const { version: last, first } = newest.manifest;
    const oldest = Math.max(first, last - Math.max(keep, keepChanges) + 1);
    const recent = new Map<number, LogEntry>();
    const versions = Array.from({ length: last - oldest + 1 }, (_, age) => last - age);
    // Blocks on the way to a base belong to many versions.
    const known = remembering(storage);
    await inParallel(versions, async (version) => {
      const entry = version === last ? newest : await readEntry(storage, list, version);
      if (entry === null) throw missingVersion(list, version);
      recent.set(version, entry);
      addBlocks(referenced, entry.manifest);
      if (version <= last - keep) return;
      const added = addContents(referenced, known, entry.manifest);
      // An earlier garbage collection may have deleted part of an older version.
      await (version === last ? added : added.catch(unlessMissing));
    });
    const read = async (version: number) =>
      recent.get(version) ?? readEntry(storage, list, version);
    const history = await historyBlocks(storage, newest, read, dryRun);
    for (const hash of history) referenced.add(hash);
  }
  return referenced;
}

/**
 * Deletes objects that no recent version refers to, and files that killed publishers left behind.
 *
 * The blocks of the history are never deleted. Manifests are never deleted, because a publisher that is far behind could
 * create a deleted version again, and the log would fork. Objects are deleted only while no publisher is at work, because
 * a publisher may be about to refer to an old object. If publishers are at work all the time, objects are left to the
 * next garbage collection.
 */
export async function collectGarbage(options: GarbageOptions): Promise<Garbage> {
  const { storage, grace, patience, now = Date.now, dryRun = false } = options;
  const referenced = await referencedObjects(options);
  const deleted: string[] = [];
  let found = 0;
  let isBusy = false;

  const isGarbage = ({ name, modified }: StorageEntry) =>
    !referenced.has(name) && now() - modified! >= grace;
  async function filesIn(folder: string): Promise<StorageEntry[]> {
    const entries = await storage.list(folder);
    // Names that are not keys belong to other programs.
    return entries.filter(({ name, modified }) => modified !== null && isKey(folder + name));
  }
  /**
   * Deletes the garbage among the files of a folder. Returns `false` if `isOver()` was `true` before all of it was
   * deleted.
   */
  async function deleteGarbage(
    folder: string,
    files: readonly StorageEntry[],
    isOver = () => false,
  ): Promise<boolean> {
    let isDone = true;
    await inParallel(files.filter(isGarbage), async ({ name }) => {
      if (isOver()) {
        isDone = false;
        return;
      }
      deleted.push(folder + name);
      if (!dryRun) await storage.delete(folder + name);
    });
    return isDone;
  }

  // Marks of killed publishers are deleted first, because they look like publishers at work.
  const unfinished = await filesIn(UNFINISHED_FOLDER);
  found += unfinished.length;
  await deleteGarbage(UNFINISHED_FOLDER, unfinished);
  for (const { name } of await storage.list(OBJECTS_FOLDER)) {
    const folder = OBJECTS_FOLDER + name;
    if (!isFolder(folder)) continue;
    const files = await filesIn(folder);
    found += files.length;
    if (isBusy || !files.some(isGarbage)) continue;
    if (dryRun) await deleteGarbage(folder, files);
    else {
      // The folder is read again, because a publisher may just have written one of its files again.
      const clean = async (isOver: () => boolean) =>
        deleteGarbage(folder, await filesIn(folder), isOver);
      isBusy = !(await cleanCompletely(storage, clean, patience));
    }
  }
  return { deleted, kept: found - deleted.length };
}
