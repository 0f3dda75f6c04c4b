import { setTimeout as wait } from "node:timers/promises";
import {
  checkTimes,
  isListName,
  listNames,
  loadList,
  type SeenVersion,
  type Storage,
  StoreError,
} from "@x/list-store";
import { getObject, type OpenList, openList, type PrefixWords } from "@x/list-store/serving";
import type { ThreatList } from "@x/wire";
import type { SeenVersions } from "../../storage/seen-versions.ts";
import { type Aside, AT_ONCE } from "../aside/aside.ts";
import type { Jobs } from "../aside/jobs.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedVersion } from "./served-version.ts";
import { threatRow } from "./threat-rows.ts";

/** Prepares the updates from one version of a list to the next. It never fails. */
export type Prepare = (
  row: ThreatList,
  before: Pick<ServedVersion, "words" | "prefixes"> & { readonly since: number },
  next: Pick<ServedVersion, "words" | "prefixes" | "differenceSince">,
) => Promise<void>;

/** A list in its current state. */
export interface ServedList<Version extends ServedVersion = ServedVersion> {
  readonly name: string;
  readonly row: ThreatList;
  /** The newest verified version; `null` when there is none that may be served. */
  readonly loaded: Version | null;
  /** The prefixes of the last served version, if it may no longer be served. */
  readonly outdated?: PrefixWords | undefined;
  /** Why the newest version is not served completely; `null` if it is. Clients may see this text. */
  readonly problem: string | null;
  /** More about the problem, only for the log: a system message, a path or the name of another list. */
  readonly detail: string | null;
}

export interface ServedListsOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  /** The versions seen earlier. It is a problem if one of their lists is missing from the store. */
  readonly seen: SeenVersions;
  /** Serves only these lists; by default, all lists in the storage. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Called after a version of a list has been loaded. */
  readonly onLoaded: (list: string, seen: SeenVersion) => void;
  /** Called before a new version is served, with this version and the previous one. */
  readonly prepare?: Prepare | undefined;
  readonly now?: () => number;
  /** Does the work on long lists. Without it, this work is done at once. */
  readonly aside?: Aside;
  /** How long one list may delay the others while it is loaded, in milliseconds; one second by default. */
  readonly patience?: number;
}

const PATIENCE = 1000;
/** How many lists may be loaded at the same time, because each takes memory. */
const MAX_LOADING = 4;

/** The lists of a store, kept current. */
export interface ServedLists {
  /** The lists. The array stays the same until a list changes. */
  all(): readonly ServedList[];
  /**
   * Looks for new versions. Returns whether anything has changed. A version that takes a long time to read is served
   * after a later call.
   */
  refresh(): Promise<boolean>;
  /** Stops serving versions that have expired, even while the store does not answer. Returns whether there was one. */
  expire(): boolean;
  /** Call this when an object of a list cannot be read. The list has a problem until the object can be read again. */
  reportLost(list: OpenList, object: string, error: unknown): void;
}

/** How many joins of changes may wait, for one client and for all. */
export const JOINS = {
  ...{ atOnce: 1, perClient: 32, total: 1000 },
  refusal: () => new HttpProblem(429, "Too many updates are waiting.", { "Retry-After": "60" }),
};

/** The bytes of all objects of the store in a value. Words are not among them. */
function objectsIn(value: unknown): Uint8Array[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if ("object" in value && "bytes" in value) return [value.bytes as Uint8Array];
  return Object.values(value).flatMap(objectsIn);
}

/** A list of the store. */
type StoredList = ServedList<OpenList>;
export type Problem = Pick<ServedList, "problem" | "detail">;

export const NO_PROBLEM: Problem = { problem: null, detail: null };

/** What clients may see of an error, and what only the log may have. System messages name files on this machine. */
function problemOf(error: unknown): Problem {
  if (!(error instanceof StoreError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { problem: "The store cannot be read", detail };
  }
  return { problem: error.message, detail: error.list && `the other list is ${error.list}` };
}

/** The problem of a list when part of its full hashes cannot be read. */
function lostPart(list: string, error: unknown): Problem {
  const { problem, detail } = problemOf(error);
  return { problem: `Part of the list ${list} cannot be searched: ${problem}`, detail };
}

export function isSameProblem(a: Problem, b: Problem): boolean {
  return a.problem === b.problem && a.detail === b.detail;
}

/** Waits for a promise, but only for a limited time. */
async function doneWithin(milliseconds: number, done: Promise<void>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([done, wait(milliseconds, undefined, { signal }).catch(() => {})]);
  over.abort();
}

export function servedLists(options: ServedListsOptions): ServedLists {
  const { storage, publicKeys, window, seen, only, onLoaded, prepare } = options;
  const { now = Date.now, aside = AT_ONCE, patience = PATIENCE } = options;
  let lists: readonly StoredList[] = [];
  /** Does a job on long lists. The bytes of objects in `parts` may be moved to another thread. */
  const run =
    <Name extends "makeSnapshot" | "makeMentions" | "makeDifference">(name: Name) =>
    (parts: Parameters<Jobs[Name]>[0], entries: number) =>
      aside.run(name, entries, parts, objectsIn(parts));
  const opening = {
    ...{ window, queue: fairQueue(JOINS) },
    ...{ makeMentions: run("makeMentions"), makeDifference: run("makeDifference") },
  };
  /** Objects that could not be read, by the list that needs them. */
  const lost = new Map<string, Set<string>>();

  /** For each list whose versions are in the folder of another list: its name, and the name of that folder. */
  const misplaced = new Map<string, string>();

  /** The lists that are being loaded. */
  const loading = new Map<string, Promise<void>>();
  /** The lists that were loaded and are not served yet. */
  const loaded = new Map<string, StoredList>();

  /** Why a list cannot be searched completely; `NO_PROBLEM` if all of its lost objects can be read again. */
  async function lostProblem({ entry, hashLayers }: OpenList): Promise<Problem> {
    const { list } = entry.manifest;
    for (const object of lost.get(list) ?? []) {
      try {
        if (hashLayers.some(({ shards }) => shards.includes(object))) {
          await getObject(storage, object);
        }
      } catch (error) {
        return lostPart(list, error);
      }
      lost.get(list)!.delete(object);
    }
    return NO_PROBLEM;
  }

  /** The error for a list without versions of its own. */
  function missing(name: string): StoreError {
    const folder = misplaced.get(name);
    if (folder === undefined)
      return new StoreError("missing", `The list ${name} has no version yet`);
    const message = `The list ${name} is missing: its versions are in the folder of another list`;
    return new StoreError("missing", message, { list: folder });
  }

  async function load(name: string, before: StoredList | undefined): Promise<StoredList> {
    for (const [list, folder] of misplaced) if (folder === name) misplaced.delete(list);
    try {
      const stored = { storage, list: name, publicKeys, seen: seen.get(name), now };
      const newest = await loadList(
        { ...stored, makeSnapshot: run("makeSnapshot") },
        before?.loaded,
      );
      if (newest === null) throw missing(name);
      const loaded =
        before?.loaded && newest === before.loaded
          ? before.loaded
          : await openList(storage, newest, { ...opening, before: before?.loaded });
      const found = await lostProblem(loaded);
      if (loaded === before?.loaded && isSameProblem(before, found)) return before;
      const row = threatRow(name);
      if (before?.loaded && loaded !== before.loaded) {
        const { since } = before.loaded.entry.manifest.contents;
        await prepare?.(row, { ...before.loaded, since }, loaded);
      }
      const { entry } = loaded;
      onLoaded(name, { version: entry.manifest.version, hash: entry.hash });
      return { name, row, loaded, ...found };
    } catch (error) {
      if (error instanceof StoreError && error.code === "misplaced")
        misplaced.set(error.list!, name);
      const found = problemOf(error);
      // A verified version is still served while the store has a problem, but not after it has expired.
      const isExpired = before?.loaded && before.loaded.entry.manifest.expires <= now();
      const loaded = isExpired ? null : (before?.loaded ?? null);
      if (before && isSameProblem(before, found) && loaded === before.loaded) return before;
      return {
        name,
        row: threatRow(name),
        loaded,
        outdated: isExpired ? before.loaded!.words : before?.outdated,
        ...found,
      };
    }
  }

  /** Loads a list, and waits for it unless that takes too long. */
  async function loadSoon(name: string, before: StoredList | undefined): Promise<void> {
    if (loading.has(name)) return;
    const done = load(name, before).then((list) => {
      loading.delete(name);
      loaded.set(name, list);
    });
    loading.set(name, done);
    // At the start, the server waits until it has tried to load every list.
    if (lists.length === 0) return done;
    await doneWithin(patience, done);
    while (loading.size >= MAX_LOADING) await Promise.race(loading.values());
  }

  /** Treats a list whose version has expired as a list without a version. */
  function current(list: StoredList): StoredList {
    if (list.loaded === null) return list;
    try {
      checkTimes(list.loaded.entry, now());
    } catch (error) {
      if ((error as StoreError).code === "expired") {
        return { ...list, loaded: null, outdated: list.loaded.words, ...problemOf(error) };
      }
    }
    return list;
  }

  return {
    all: () => lists,
    expire() {
      const next = lists.map(current);
      const isSame = next.every((list, i) => list === lists[i]);
      if (!isSame) lists = next;
      return !isSame;
    },
    async refresh() {
      const known = new Map([...lists.map((list) => [list.name, list] as const), ...loaded]);
      loaded.clear();
      // If the names cannot be read, go on with the known lists, so that they still expire.
      const namesInStore = async () => {
        const stored = await listNames(storage).catch((error: unknown) => {
          if (known.size === 0) throw error;
          return [];
        });
        return [...seen.keys(), ...stored.filter(isListName)];
      };
      const names = new Set([...known.keys(), ...(only ?? (await namesInStore()))]);
      for (const name of [...names].sort()) await loadSoon(name, known.get(name));
      // A list whose versions are in another list's folder counts as missing. Clients must not get it as an empty list.
      for (const name of misplaced.keys()) {
        if (!names.has(name)) await loadSoon(name, known.get(name));
      }
      // Some lists may have expired while the others were read.
      const next = [...new Map([...known, ...loaded]).values()].map(current);
      loaded.clear();
      next.sort((a, b) => (a.name < b.name ? -1 : 1));
      const isSame = next.length === lists.length && next.every((list, i) => list === lists[i]);
      if (!isSame) lists = next;
      return !isSame;
    },
    reportLost({ entry }, object, error) {
      const { list } = entry.manifest;
      lost.set(list, (lost.get(list) ?? new Set()).add(object));
      const problem = lostPart(list, error);
      lists = lists.map((each) => (each.name === list ? { ...each, ...problem } : each));
    },
  };
}
