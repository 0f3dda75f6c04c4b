import { fromHex, toHex } from "@x/sha256-prefix";
import { historyLinks, historySlots } from "./block.ts";
import { concatBytes } from "./bytes.ts";
import { addBlocks, addContents } from "./contents.ts";
import { unlessMissing } from "./error.ts";
import { inParallel } from "./in-parallel.ts";
import { listNames, readEntry } from "./log-files.ts";
import { type LogEntry, missingVersion } from "./manifest.ts";
import { cleanCompletely } from "./marks.ts";
import { readNewest } from "./read-log.ts";
import type { Verify } from "./signed-note.ts";
import {
  hashOf,
  historyKey,
  isFolder,
  isKey,
  OBJECTS_FOLDER,
  remembering,
  type Storage,
  type StorageEntry,
  UNFINISHED_FOLDER,
} from "./storage.ts";
import { checkLink } from "./trusted-log.ts";

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
 * The blocks of the history are never deleted. Manifests are never deleted, because a publisher that is far behind
 * could create a deleted version again, and the log would fork. Objects are deleted only while no publisher is at work,
 * because a publisher may be about to refer to an old object. If publishers are at work all the time, objects are left
 * to the next garbage collection.
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

/*
 * The blocks of the history are kept forever, so garbage collection must know all of them. Only manifests name them,
 * and a log may have thousands. So garbage collection notes their hashes in files, one for each page of the log. A file
 * that is lost, damaged or of another log is made again from the manifests.
 */

/** The number of versions on a page. */
const PAGE = 1024;
/** A page is written again only after this many more versions, so short logs have no such file. */
const FEWEST = 256;
const HASH_BYTES = 32;

/** The hash in place of a block that the publisher left out. */
const NO_BLOCK = "0".repeat(2 * HASH_BYTES);

/** The blocks of consecutive versions, and the last manifest that names some. */
interface Page {
  readonly last: LogEntry | null;
  readonly versions: number;
  /** As many for each version as {@link historySlots} says. */
  readonly blocks: readonly string[];
}

const NO_PAGE: Page = { last: null, versions: 0, blocks: [] };

/**
 * The hashes of the blocks that are the history of a list. Versions whose manifests are missing are left out.
 *
 * @param read reads a manifest that need not be trusted; `null` if there is none.
 * @param isDry whether to write nothing.
 * @throws {StoreError} `forked` or `damaged` when a manifest is not the one that the next version follows.
 */
export async function historyBlocks(
  storage: Storage,
  { manifest: { list, version: newest, first } }: LogEntry,
  read: (version: number) => Promise<LogEntry | null>,
  isDry: boolean,
): Promise<string[]> {
  const all: string[] = [];
  for (let from = first + 1; from <= newest; ) {
    const end = Math.ceil(from / PAGE) * PAGE;
    const to = Math.min(end, newest);
    const key = historyKey(list, end);
    const page = await readPage(storage, list, key, from);
    const versions = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const unknown = await inParallel(versions.slice(page.versions), read);
    if (unknown.length > 0)
      checkChain([page.last, ...unknown, to < newest ? await read(to + 1) : null]);
    const named = unknown.filter((entry) => entry !== null);
    const blocks = [...page.blocks, ...named.flatMap(blocksOf)];
    all.push(...blocks.filter((hash) => hash !== NO_BLOCK));
    // A copy that was interrupted lacks manifests in between.
    const isWhole = page.versions + named.length === versions.length;
    if (!isDry && isWhole && unknown.length >= FEWEST) {
      const bytes = await encodePage(named.at(-1)!, blocks);
      // Garbage collection must also work when the storage is full.
      await storage.put(key, bytes).catch(() => {});
    }
    from = to + 1;
  }
  return all;
}

/** Throws unless each manifest is the one that the next one follows. */
function checkChain(entries: readonly (LogEntry | null)[]): void {
  for (const [i, entry] of entries.entries()) {
    const manifest = entries[i + 1]?.manifest;
    if (entry === null || manifest === undefined) continue;
    checkLink({ manifest, version: entry.manifest.version, hash: manifest.previous! }, entry);
  }
}

/** The blocks of a version, in as many slots as any such version has. */
function blocksOf({ manifest: { version, blocks } }: LogEntry): string[] {
  const slots: string[] = Array.from({ length: historySlots(version) }, () => NO_BLOCK);
  for (const [i, { object }] of historyLinks(version, blocks).entries()) {
    if (object !== null) slots[i] = object;
  }
  return slots;
}

/** The hash of the rest, the hash of the last manifest, and those of the blocks. */
async function encodePage(last: LogEntry, blocks: readonly string[]): Promise<Uint8Array> {
  const rest = concatBytes([last.hash, ...blocks].map(fromHex));
  return concatBytes([fromHex(await hashOf(rest)), rest]);
}

/** Reads the blocks of the versions from `from` on, for as many versions as were noted, if they belong to this log. */
async function readPage(storage: Storage, list: string, key: string, from: number): Promise<Page> {
  const bytes = await storage.get(key);
  if (bytes === null || bytes.length % HASH_BYTES !== 0) return NO_PAGE;
  const [hash, last, ...blocks] = Array.from({ length: bytes.length / HASH_BYTES }, (_, i) =>
    toHex(bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)),
  );
  if (blocks.length === 0) return NO_PAGE;
  if ((await hashOf(bytes.subarray(HASH_BYTES))) !== hash) return NO_PAGE;
  let versions = 0;
  let slots = 0;
  while (slots < blocks.length) slots += historySlots(from + versions++);
  if (slots !== blocks.length) return NO_PAGE;
  const entry = await readEntry(storage, list, from + versions - 1);
  return entry?.hash === last ? { last: entry, versions, blocks } : NO_PAGE;
}
