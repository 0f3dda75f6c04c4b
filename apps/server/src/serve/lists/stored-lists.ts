import {
  checkTimes,
  isListName,
  listNames,
  loadList,
  type SeenVersion,
  type Storage,
  StoreError,
} from "@x/list-store";
import { getShard, type OpenList, openList, readHint } from "@x/list-store/serving";
import type { SeenVersions } from "../../storage/seen-versions.ts";
import { type Aside, AT_ONCE } from "../aside/aside.ts";
import type { Jobs } from "../aside/jobs.ts";
import { joinQueue } from "./join-queue.ts";
import { type KeeperOptions, listKeeper } from "./list-keeper.ts";
import type { LocalHashes } from "./local-hashes.ts";
import { longerPrefixes, newLongerLists } from "./longer-prefixes.ts";
import {
  type LongerList,
  NO_PROBLEM,
  newList,
  type Problem,
  problemOf,
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
  /** The lengths in bytes of longer prefixes that clients of v5 can have, too. */
  readonly longer?: readonly number[] | undefined;
  /** The versions seen earlier. It is a problem if one of their lists is missing from the store. */
  readonly seen: SeenVersions;
  /** Serves only these lists; by default, all lists in the storage. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Called after a version of a list has been loaded. */
  readonly onLoaded: (list: string, seen: SeenVersion) => void;
  /** Where the full hashes of the lists are kept. */
  readonly hashes: LocalHashes;
  /** Does the work on long lists. Without it, this work is done at once. */
  readonly aside?: Aside;
}

/** The bytes of all objects of the store in a value. Words are not among them. */
function objectsIn(value: unknown): Uint8Array[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if ("object" in value && "bytes" in value) return [value.bytes as Uint8Array];
  return Object.values(value).flatMap(objectsIn);
}

/**
 * How long only the hint of a list is read, if it still names the version that is served, in milliseconds, and how much
 * longer for each list. This is a third of the work, and most lists have nothing new most of the time. A missing hint is
 * noticed at once, and whatever else has happened to the log after this time.
 */
const HINT_ONLY = 30_000;
const HINT_ONLY_PER_LIST = 200;

function notServedYet({ entry: { manifest } }: OpenList, { problem, detail }: Problem): Problem {
  const { list, version } = manifest;
  return { problem: `Version ${version} of ${list} is not served yet: ${problem}`, detail };
}

function notSearchable({ entry }: OpenList, missing: Problem): Problem {
  if (missing.problem === null) return NO_PROBLEM;
  const { list } = entry.manifest;
  const problem = `Part of the list ${list} cannot be searched: ${missing.problem}`;
  return { problem, detail: missing.detail };
}

/** Why a list is not served, or not searched, or not with all of its longer prefixes. */
function problemWith(
  list: OpenList,
  missing: Problem,
  longer: readonly LongerList[] = [],
): Problem {
  const failed = longer.find(({ problem }) => problem !== null);
  if (missing.problem !== null || failed === undefined) return notSearchable(list, missing);
  return {
    problem: `The list ${failed.name} is not served: ${failed.problem}`,
    detail: failed.detail,
  };
}

/** The lists of a store, kept current. */
export function storedLists(options: StoredListsOptions): ServedLists {
  const { storage, publicKeys, window, seen, only, hashes, onLoaded, longer = [] } = options;
  const { now = Date.now, aside = AT_ONCE } = options;
  /** Does a job on long lists. The bytes of objects in `parts` may be moved to another thread. */
  const run =
    <Name extends "makeSnapshot" | "makeMentions" | "makeDifference">(name: Name) =>
    (parts: Parameters<Jobs[Name]>[0], entries: number) =>
      aside.run(name, entries, parts, objectsIn(parts));
  const differences = { queue: joinQueue(), makeDifference: run("makeDifference") };
  const withLonger = longerPrefixes({ window, differences, aside });
  const opening = {
    window,
    ...differences,
    makeMentions: run("makeMentions"),
    readShard: async (name: string) => hashes.shard(name) ?? getShard(storage, name),
  };
  /** When each list was last looked at completely. */
  const lookedAt = new Map<string, number>();
  /** Newer versions than those that are served, whose full hashes are not all here yet. */
  const incomplete = new Map<string, OpenList>();
  /** For each list whose versions are in the folder of another list: its name, and the name of that folder. */
  const misplaced = new Map<string, string>();

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
    return openList(storage, newest, { ...opening, before });
  }

  const hintOnly = () => HINT_ONLY + HINT_ONLY_PER_LIST * lookedAt.size;

  /** Whether a list without a problem seems to have no newer version. */
  async function hasNothingNew(name: string, { loaded, problem }: ServedList): Promise<boolean> {
    const time = now() - (lookedAt.get(name) ?? -Infinity);
    if (loaded === null || problem !== null || time < 0 || time >= hintOnly()) return false;
    if (!hashes.isComplete(loaded)) return false;
    return (await readHint(storage, name)) === loaded.entry.manifest.version;
  }

  function firstState(name: string): ServedList<never> {
    const row = threatRow(name);
    return newList(name, row, newLongerLists(row, longer));
  }

  async function load(
    name: string,
    before: ServedList<OpenList> = firstState(name),
  ): Promise<ServedList<OpenList>> {
    for (const [list, folder] of misplaced) if (folder === name) misplaced.delete(list);
    try {
      if (await hasNothingNew(name, before)) return before;
      const known = incomplete.get(name) ?? null;
      const loaded = await newestVersion(name, known ?? before.loaded);
      if (known !== null && known !== loaded) hashes.drop(known);
      const missing = await hashes.fill(storage, loaded);
      const isNew = loaded !== before.loaded;
      // An older version that can be searched completely is better than a newer one that cannot.
      if (missing.problem !== null && isNew && before.loaded !== null) {
        incomplete.set(name, loaded);
        return withProblem(before, notServedYet(loaded, missing), now());
      }
      incomplete.delete(name);
      lookedAt.set(name, now());
      const { manifest, hash } = loaded.entry;
      if (isNew) onLoaded(name, { version: manifest.version, hash });
      const withThem = await withLonger(loaded, missing, before.longer);
      return withVersion(before, loaded, problemWith(loaded, missing, withThem), withThem);
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

  return keeper;
}
