import { checkTimes, isListName, listNames, type SeenVersion, StoreError } from "@x/list-store";
import { type OpenList, readHint } from "@x/list-store/serving";
import { hasName } from "@x/sha256-prefix/has-name";
import { seenVersion } from "../../storage/seen-versions.ts";
import { type Aside, AT_ONCE } from "../worker-thread/run-job.ts";
import { longerPrefixes, newLongerLists } from "./longer-prefixes.ts";
import { type KeeperOptions, listKeeper } from "./refresh-lists.ts";
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
import { type StoredVersionsOptions, storedVersions } from "./stored-versions.ts";
import { threatRow } from "./threat-rows.ts";

export interface StoredListsOptions extends KeeperOptions, StoredVersionsOptions {
  /** The lengths in bytes of the longer prefixes that v5 clients can get, too. */
  readonly longer?: readonly number[] | undefined;
  /** The lists to serve; by default, all lists in the store. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Called after a version of a list has been loaded. */
  readonly onLoaded: (list: string, seen: SeenVersion) => void;
  /** Called once for each folder of a list that has no version. */
  readonly onEmptyFolder?: ((list: string) => void) | undefined;
  /** Runs the jobs on long lists, by default at once in the same thread. */
  readonly aside?: Aside;
}

/**
 * For this many milliseconds after a complete check, only the hint of a list is read, as long as the hint names the
 * served version. {@link HINT_ONLY_PER_LIST} is added for each list. Reading the hint is a third of the work, and most
 * lists rarely change. A new or missing hint is noticed at once. Other changes to the log are noticed after this time.
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

/** The problem of a version whose full hashes are missing, or whose longer prefixes cannot be served. */
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

/**
 * Whether a list without a version is only an empty folder, and nobody names it. The publisher writes the hint after the
 * manifest, so a list that has only a hint has lost its manifests.
 */
async function isEmptyFolder(name: string, { storage, seen, only }: StoredListsOptions) {
  return !seen.has(name) && only === undefined && (await readHint(storage, name)) === 0;
}

/** The error for a list without versions of its own. */
function missingList(name: string, misplaced: ReadonlyMap<string, string>): StoreError {
  const folder = misplaced.get(name);
  if (folder === undefined) return new StoreError("missing", `The list ${name} has no version yet`);
  const message = `The list ${name} is missing: its versions are in the folder of another list`;
  return new StoreError("missing", message, { list: folder });
}

/** Whether a list has no problem and, according to its hint, no newer version. */
async function seemsNewest(
  { name, loaded, problem }: ServedList,
  { storage, hashes }: StoredListsOptions,
): Promise<boolean> {
  if (loaded === null || problem !== null || !hashes.isComplete(loaded)) return false;
  return (await readHint(storage, name)) === loaded.entry.manifest.version;
}

async function namesToServe({ storage, seen, only }: StoredListsOptions): Promise<string[]> {
  // Clients drop the entries of a retired list only if they get the empty list, even if nobody names it any more.
  const retired = [...seen].flatMap(([name, each]) => (each.retired ? [name] : []));
  if (only !== undefined) return [...only, ...retired];
  return [...seen.keys(), ...(await listNames(storage)).filter(isListName)];
}

function firstState(name: string, longer: readonly number[]): ServedList<never> {
  const row = threatRow(name);
  return newList(name, row, newLongerLists(row, longer));
}

/** The problem of a version that has expired. */
function expiryOf({ entry }: OpenList, time: number): Problem {
  try {
    checkTimes(entry, time);
    return NO_PROBLEM;
  } catch (error) {
    return problemOf(error);
  }
}

/** Creates the lists of a store, which are kept current. */
export function storedLists(options: StoredListsOptions): ServedLists {
  const { storage, window, hashes, onLoaded, onEmptyFolder, longer = [] } = options;
  const { now = Date.now, aside = AT_ONCE } = options;
  const versions = storedVersions(options, now, aside);
  const withLonger = longerPrefixes({ window, differences: versions.differences, aside });
  /** When each list was last checked completely, in milliseconds since 1970. */
  const lookedAt = new Map<string, number>();
  /** Versions that are newer than the served ones, but whose full hashes are not all on this machine yet. */
  const incomplete = new Map<string, OpenList>();
  /** The folders of lists whose versions are in another list's folder, by the names of the lists. */
  const misplaced = new Map<string, string>();
  const emptyFolders = new Set<string>();

  /** Whether a list was checked completely a short time ago. */
  function isRecent(name: string): boolean {
    const time = now() - (lookedAt.get(name) ?? -Infinity);
    return time >= 0 && time < HINT_ONLY + HINT_ONLY_PER_LIST * lookedAt.size;
  }

  async function load(
    name: string,
    before: ServedList<OpenList> = firstState(name, longer),
  ): Promise<ServedList<OpenList> | null> {
    for (const [list, folder] of misplaced) if (folder === name) misplaced.delete(list);
    try {
      if (isRecent(name) && (await seemsNewest(before, options))) return before;
      const known = incomplete.get(name) ?? null;
      const loaded = await versions.newest(name, known ?? before.loaded);
      if (loaded === null) {
        // A copying program makes the folder of a list before its files, and leaves it when they are deleted.
        const isMissed = before.loaded !== null || misplaced.has(name);
        if (isMissed || !(await isEmptyFolder(name, options))) throw missingList(name, misplaced);
        if (!emptyFolders.has(name)) onEmptyFolder?.(name);
        emptyFolders.add(name);
        return null;
      }
      emptyFolders.delete(name);
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
      if (isNew) onLoaded(name, seenVersion(loaded.entry));
      const withThem = await withLonger(loaded, missing, before.longer);
      return withVersion(before, loaded, problemWith(loaded, missing, withThem), withThem);
    } catch (error) {
      if (hasName<StoreError>(error, "StoreError") && error.code === "misplaced")
        misplaced.set(error.list!, name);
      return withProblem(before, problemOf(error), now());
    }
  }

  return listKeeper(
    {
      names: () => namesToServe(options),
      // A list whose versions are in another list's folder counts as missing. Clients must not get it as an empty list.
      moreNames: () => misplaced.keys(),
      load,
      tooOld: ({ loaded }, time) => expiryOf(loaded!, time),
    },
    options,
  );
}
