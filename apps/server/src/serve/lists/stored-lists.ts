import {
  checkTimes,
  isListName,
  listNames,
  loadList,
  type Manifest,
  type SeenVersion,
  type Storage,
  StoreError,
} from "@x/list-store";
import {
  type DifferenceOptions,
  getShard,
  NEVER,
  type OpenList,
  openList,
  readHint,
} from "@x/list-store/serving";
import { prefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import { type SeenVersions, seenVersion } from "../../storage/seen-versions.ts";
import { fairQueue, QUEUES } from "../fairness.ts";
import type { Jobs } from "../worker-thread/jobs.ts";
import { type Aside, AT_ONCE } from "../worker-thread/run-job.ts";
import type { LocalHashes } from "./local-hashes.ts";
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
 * Whether a list without a version is only an empty folder, and nobody names it. The publisher writes the hint after
 * the manifest, so a list that has only a hint has lost its manifests.
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

interface StoredVersionsOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  /** The versions seen earlier, by list. It is a problem if one of these lists is missing from the store. */
  readonly seen: SeenVersions;
  /** The full hashes that this machine keeps. */
  readonly hashes: LocalHashes;
}

/** The versions in a store, opened for searches and updates. */
interface StoredVersions {
  /** The options with which differences are made, one after the other. */
  readonly differences: DifferenceOptions;
  /**
   * The newest version of a list, which is `before` itself if nothing has changed; `null` if the list has no version.
   * A list that was seen to be retired is empty, whatever the store has.
   */
  newest(list: string, before: OpenList | null): Promise<OpenList | null>;
}

/** The bytes of all store objects in a value. Prefix words are not store objects. */
function objectsIn(value: unknown): Uint8Array[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  if ("object" in value && "bytes" in value) return [value.bytes as Uint8Array];
  return Object.values(value).flatMap(objectsIn);
}

/** A list that was retired, and whose files are gone. Clients that have entries of the list get it as empty. */
function retiredList(list: string, { version, hash }: SeenVersion, now: number): OpenList {
  const prefixes = prefixList([], { name: list, created: now });
  const { checksum } = prefixes;
  const manifest: Manifest = {
    list,
    version,
    previous: null,
    issued: now,
    expires: NEVER,
    first: version,
    blocks: [],
    base: { version, object: "", bytes: 0, hashes: "" },
    contents: { since: version, prefixes: 0, fullHashes: 0, checksum, entries: "" },
    change: null,
    withdrawn: true,
    retired: true,
    nextSigners: [],
  };
  const entry = { manifest, hash, note: new Uint8Array(0) };
  return {
    entry,
    words: new Uint32Array(0),
    prefixes,
    hashBlocks: [],
    log: new Map([[version, entry]]),
    search: () => null,
    async *fullHashes() {},
    differenceSince: async () => "unknown-token",
  };
}

function storedVersions(
  { storage, publicKeys, window, seen, hashes }: StoredVersionsOptions,
  now: () => number,
  aside: Aside,
): StoredVersions {
  /**
   * Returns a function that runs a job on long lists. The bytes of objects in `parts` may be moved to another thread.
   */
  const run =
    <Name extends "makeSnapshot" | "makeMentions" | "makeDifference">(name: Name) =>
    (parts: Parameters<Jobs[Name]>[0], entries: number) =>
      aside.run(name, entries, parts, objectsIn(parts));
  const makeSnapshot = run("makeSnapshot");
  const differences = { queue: fairQueue(QUEUES.joins), makeDifference: run("makeDifference") };
  const opening = {
    window,
    ...differences,
    makeMentions: run("makeMentions"),
    readShard: async (name: string) => hashes.shard(name) ?? getShard(storage, name),
  };
  return {
    differences,
    async newest(list, before) {
      // Nothing follows a retirement.
      if (before?.entry.manifest.retired) return before;
      const known = seen.get(list);
      const stored = { storage, list, publicKeys, seen: known, now };
      const newest = await loadList({ ...stored, makeSnapshot }, before ?? undefined).catch(
        (error: unknown) => {
          const isMisplaced =
            hasName<StoreError>(error, "StoreError") && error.code === "misplaced";
          if (isMisplaced || !known?.retired) throw error;
          return null;
        },
      );
      if (newest === null) return known?.retired ? retiredList(list, known, now()) : null;
      if (newest === before) return before;
      return openList(storage, newest, opening, before);
    },
  };
}
