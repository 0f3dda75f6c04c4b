import { once } from "node:events";
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { printable } from "@x/explain/printable";
import type { PrefixList } from "@x/prefix-list";
import { Failure, reasonOf } from "../failure.ts";
import { readList } from "./list-files.ts";

/** How often a folder is looked at, in milliseconds. */
const LOOK_EVERY = 1000;
const LIST_NAME = /\.list$/;

/** The lists of a folder, which may change. */
export interface ListFolder {
  /** The lists that are there now, in the order of their files' names. */
  readonly lists: () => readonly PrefixList[];
  /** Stops looking at the folder. */
  readonly close: () => void;
}

/** What the worker that loads a list answers. */
export type LoadedList =
  | { readonly list: PrefixList; readonly problem: null }
  | { readonly list: null; readonly problem: string };

/** Reads a list in another thread, so that the checks go on meanwhile. @throws {Failure} */
async function readListAside(file: string): Promise<PrefixList> {
  const url = new URL("./load-list-worker.js", import.meta.url);
  const worker = new Worker(url, { workerData: file });
  const [{ list, problem }] = (await once(worker, "message")) as [LoadedList];
  if (list === null) throw new Failure(problem);
  return list;
}

interface KnownFile {
  readonly version: string;
  readonly list: PrefixList;
}

/** Changes whenever a file is replaced or written. */
function versionOf({ ino, mtimeMs, size }: Stats): string {
  return `${ino} ${mtimeMs} ${size}`;
}

async function listFilesIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => LIST_NAME.test(name)).sort();
  } catch (error) {
    throw new Failure(`cannot read ${printable(folder)}: ${reasonOf(error)}`);
  }
}

/**
 * The lists in a folder, files that end in `.list`. A list that changes is taken up while the old one serves; a file
 * that cannot be read or is damaged leaves the old list in place. SIGHUP has the folder looked at immediately.
 *
 * @param tell writes a line about each change.
 * @throws {Failure} when there is no list in the folder, or one is broken.
 */
export async function watchListFolder(
  folder: string,
  tell: (line: string) => void,
  onChange: (lists: readonly PrefixList[]) => void,
): Promise<ListFolder> {
  let known = new Map<string, KnownFile>();
  for (const name of await listFilesIn(folder)) {
    const path = join(folder, name);
    known.set(name, { version: versionOf(await stat(path)), list: await readList(path) });
  }
  if (known.size === 0) throw new Failure(`there is no .list file in ${printable(folder)}`);
  const lists = (): readonly PrefixList[] => [...known.values()].map(({ list }) => list);
  /** The problem of each file that was told already. */
  const told = new Map<string, string>();

  async function next(): Promise<Map<string, KnownFile>> {
    const found = new Map<string, KnownFile>();
    for (const name of await listFilesIn(folder)) {
      const path = join(folder, name);
      const old = known.get(name);
      try {
        const version = versionOf(await stat(path));
        const isSame = old?.version === version;
        found.set(name, isSame ? old : { version, list: await readListAside(path) });
        told.delete(name);
      } catch (error) {
        if (old !== undefined) found.set(name, old);
        const reason = reasonOf(error);
        if (told.get(name) !== reason) tell(`${reason}: the list before it stays in use`);
        told.set(name, reason);
      }
    }
    return found;
  }

  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const found = await next();
      const isSame =
        found.size === known.size && [...found].every(([name, file]) => known.get(name) === file);
      if (isSame) return;
      if (found.size === 0) return tell(`no .list file is left: the lists before stay in use`);
      known = found;
      onChange(lists());
      const names = lists().map(({ name, size }) => `${printable(name)} (${size})`);
      tell(`lists taken up: ${names.join(", ")}`);
    } catch (error) {
      tell(`${reasonOf(error)}: the lists before stay in use`);
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
