import {
  checkTimes,
  isListName,
  listNames,
  loadList,
  type SeenVersion,
  type Storage,
  StoreError,
} from "@x/list-store";
import { getObject, type OpenList, openList } from "@x/list-store/serving";
import type { SeenVersions } from "../../storage/seen-versions.ts";
import { type Aside, AT_ONCE } from "../aside/aside.ts";
import type { Jobs } from "../aside/jobs.ts";
import { joinQueue } from "./join-queue.ts";
import { type KeeperOptions, listKeeper } from "./list-keeper.ts";
import {
  NO_PROBLEM,
  newList,
  type Problem,
  type ServedList,
  type ServedLists,
  withProblem,
  withVersion,
} from "./served-lists.ts";
import { threatRow } from "./threat-rows.ts";

export interface StoredListsOptions extends KeeperOptions {
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
  /** Does the work on long lists. Without it, this work is done at once. */
  readonly aside?: Aside;
}

/** The bytes of all objects of the store in a value. Words are not among them. */
function objectsIn(value: unknown): Uint8Array[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if ("object" in value && "bytes" in value) return [value.bytes as Uint8Array];
  return Object.values(value).flatMap(objectsIn);
}

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

/** The lists of a store, kept current. */
export function storedLists(options: StoredListsOptions): ServedLists {
  const { storage, publicKeys, window, seen, only, onLoaded } = options;
  const { now = Date.now, aside = AT_ONCE } = options;
  /** Does a job on long lists. The bytes of objects in `parts` may be moved to another thread. */
  const run =
    <Name extends "makeSnapshot" | "makeMentions" | "makeDifference">(name: Name) =>
    (parts: Parameters<Jobs[Name]>[0], entries: number) =>
      aside.run(name, entries, parts, objectsIn(parts));
  const opening = {
    ...{ window, queue: joinQueue() },
    ...{ makeMentions: run("makeMentions"), makeDifference: run("makeDifference") },
  };
  /** Objects that could not be read, by the list that needs them. */
  const lost = new Map<string, Set<string>>();
  /** For each list whose versions are in the folder of another list: its name, and the name of that folder. */
  const misplaced = new Map<string, string>();

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

  async function newestVersion(name: string, before: OpenList | null) {
    const stored = { storage, list: name, publicKeys, seen: seen.get(name), now };
    const loading = { ...stored, makeSnapshot: run("makeSnapshot") };
    const newest = await loadList(loading, before ?? undefined);
    if (newest === null) throw missing(name);
    if (newest === before) return before;
    const loaded = await openList(storage, newest, { ...opening, before: before ?? undefined });
    const { manifest, hash } = loaded.entry;
    onLoaded(name, { version: manifest.version, hash });
    return loaded;
  }

  async function load(
    name: string,
    before: ServedList<OpenList> = newList(name, threatRow(name)),
  ): Promise<ServedList<OpenList>> {
    for (const [list, folder] of misplaced) if (folder === name) misplaced.delete(list);
    try {
      const loaded = await newestVersion(name, before.loaded);
      return withVersion(before, loaded, await lostProblem(loaded));
    } catch (error) {
      if (error instanceof StoreError && error.code === "misplaced")
        misplaced.set(error.list!, name);
      return withProblem(before, problemOf(error), now());
    }
  }

  const keeper = listKeeper(
    {
      async names() {
        if (only !== undefined) return [...only];
        return [...seen.keys(), ...(await listNames(storage)).filter(isListName)];
      },
      // A list whose versions are in another list's folder counts as missing. Clients must not get it as an empty list.
      moreNames: () => misplaced.keys(),
      load,
      tooOld({ loaded }, time) {
        try {
          checkTimes(loaded!.entry, time);
          return NO_PROBLEM;
        } catch (error) {
          return problemOf(error);
        }
      },
    },
    options,
  );

  return {
    ...keeper,
    reportLost({ entry }, object, error) {
      const { list } = entry.manifest;
      lost.set(list, (lost.get(list) ?? new Set()).add(object));
      keeper.report(list, lostPart(list, error));
    },
  };
}
