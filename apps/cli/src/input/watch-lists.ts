import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "@x/command-line";
import { failTo, reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";
import { emptyListText, readList, refuseListUrl } from "./list-files.ts";

/** The interval between checks of the files for changes, in milliseconds. */
const LOOK_EVERY = 1000;
const LIST_NAME = /\.list$/;

/** The place of lists: the files in a folder whose names end in `.list`, or named files. */
export type ListPlace = { readonly folder: string } | { readonly files: readonly string[] };

/** Lists in files that may change. */
export interface WatchedLists {
  /** The current lists, in the order of their files. */
  readonly lists: () => readonly PrefixList[];
  /** Stops watching the files. */
  readonly close: () => void;
}

/**
 * Reads a list in another thread, so that checks can go on.
 *
 * @throws {Error} with the message of the error that `readList` throws.
 */
async function readListAside(file: string): Promise<PrefixList> {
  const url = new URL("./load-list-worker.js", import.meta.url);
  const worker = new Worker(url, { workerData: file });
  const [list] = (await once(worker, "message")) as [PrefixList];
  return list;
}

interface KnownFile {
  readonly version: string;
  readonly list: PrefixList;
}

/**
 * Returns a string that changes whenever a file is replaced or written.
 *
 * @throws {Failure} when the file cannot be read.
 */
async function versionOf(path: string, place: ListPlace): Promise<string> {
  const fail = failTo(`read ${printable(path)}`);
  const stats = await stat(path).catch(fail);
  // Reading a pipe could take forever, and changes to other lists would not be noticed in the meantime.
  if ("folder" in place && !stats.isFile()) return fail("it is not a file");
  return `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

async function filesAt(place: ListPlace): Promise<readonly string[]> {
  // A file that is named twice is loaded only once, so that its matches are reported once.
  if ("files" in place) place.files.forEach(refuseListUrl);
  if ("files" in place) return [...new Set(place.files.map((file) => resolve(file)))];
  const { folder } = place;
  const names = await readdir(folder).catch(failTo(`read ${printable(folder)}`));
  const lists = names.filter((name) => LIST_NAME.test(name)).sort();
  return lists.map((name) => join(folder, name));
}

/**
 * Reads the files whose current version is not `known`.
 *
 * @param told the last problem that was reported for each file.
 */
async function filesNow(
  place: ListPlace,
  known: ReadonlyMap<string, KnownFile>,
  told: Map<string, string>,
  tell: (line: string) => void,
): Promise<Map<string, KnownFile>> {
  const found = new Map<string, KnownFile>();
  for (const path of await filesAt(place)) {
    const old = known.get(path);
    try {
      const version = await versionOf(path, place);
      const isSame = old?.version === version;
      found.set(path, isSame ? old : { version, list: await readListAside(path) });
      told.delete(path);
    } catch (error) {
      if (old !== undefined) found.set(path, old);
      const reason = reasonOf(error);
      if (told.get(path) !== reason) tell(`${reason}: the previous list stays in use`);
      told.set(path, reason);
    }
  }
  return found;
}

/**
 * Watches lists in files that may change. A changed list is loaded while the old one stays in use. If a file cannot be
 * read or is damaged, the old list stays in use. On SIGHUP, the files are checked immediately.
 *
 * @param tell writes a line about each change and each problem.
 * @throws {Failure} when the folder has no list, or a list cannot be read.
 */
export async function watchLists(
  place: ListPlace,
  tell: (line: string) => void,
  onChange: (lists: readonly PrefixList[]) => void,
): Promise<WatchedLists> {
  let known = new Map<string, KnownFile>();
  for (const path of await filesAt(place)) {
    known.set(path, { version: await versionOf(path, place), list: await readList(path) });
  }
  if (known.size === 0 && "folder" in place) {
    throw new Failure(`there is no .list file in ${printable(place.folder)}`);
  }
  const lists = (): readonly PrefixList[] => [...known.values()].map(({ list }) => list);
  const told = new Map<string, string>();
  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const found = await filesNow(place, known, told, tell);
      const isSame =
        found.size === known.size && [...found].every(([path, file]) => known.get(path) === file);
      if (isSame) return;
      if (found.size === 0) return tell(`no .list file is left: the previous lists stay in use`);
      known = found;
      onChange(lists());
      tellInUse("lists in use now", lists(), tell);
    } catch (error) {
      tell(`${reasonOf(error)}: the previous lists stay in use`);
    } finally {
      isLooking = false;
    }
  }

  const timer = setInterval(look, LOOK_EVERY);
  timer.unref();
  process.on("SIGHUP", look);
  return {
    lists,
    close() {
      clearInterval(timer);
      process.off("SIGHUP", look);
    },
  };
}

/** Reports the names and sizes of lists on one line, and each empty list on a line of its own. */
export function tellInUse(
  what: string,
  lists: readonly PrefixList[],
  tell: (line: string) => void,
): void {
  tell(`${what}: ${lists.map(({ name, size }) => `${printable(name)} (${size})`).join(", ")}`);
  for (const { name, size } of lists) if (size === 0) tell(emptyListText(name));
}
