import { setTimeout as wait } from "node:timers/promises";
import type { ServedVersion } from "./served-lists.ts";
import {
  hasExpired,
  type Problem,
  type ServedList,
  type ServedLists,
  withProblem,
} from "./served-lists.ts";

/** A source of lists: the store or another server. */
export interface ListSource<Version extends ServedVersion> {
  names(): Promise<readonly string[]>;
  /** The names of more lists, which are known only after other lists have been loaded. */
  moreNames?(): Iterable<string>;
  /**
   * Returns a list in its newest state, or `before` itself if nothing has changed; `null` if there is no such list,
   * which is no problem. Never rejects, because a problem is part of the state.
   */
  load(name: string, before: ServedList<Version> | undefined): Promise<ServedList<Version> | null>;
  /** The problem of a list whose version has expired. */
  tooOld(list: ServedList<Version>, now: number): Problem;
}

/** Prepares the updates from one version of a list to the next, and never rejects. */
export type Prepare = (before: ServedList, next: ServedList) => Promise<void>;

export interface KeeperOptions {
  /** Called before a new version is served, with the list as it was and as it will be. Both have a version. */
  readonly prepare?: Prepare | undefined;
  readonly now?: (() => number) | undefined;
  /** How long one list may delay the others while it is loaded, in milliseconds; one second by default. */
  readonly patience?: number | undefined;
}

const PATIENCE = 1000;
/** How many lists may be loaded at the same time. Each takes memory. */
const MAX_LOADING = 4;

/** Waits for a promise, but only for a limited time. */
async function doneWithin(milliseconds: number, done: Promise<void>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([done, wait(milliseconds, undefined, { signal }).catch(() => {})]);
  over.abort();
}

/** Loads lists, a few of them at the same time. */
function listLoader<Version extends ServedVersion>(
  source: ListSource<Version>,
  { prepare, patience = PATIENCE }: KeeperOptions,
) {
  type List = ServedList<Version>;
  const loading = new Map<string, Promise<void>>();
  /** The lists that have changed and are not served yet. */
  const changed = new Map<string, List>();

  async function load(name: string, before: List | undefined): Promise<void> {
    const list = await source.load(name, before);
    if (before?.loaded && list?.loaded && list.loaded !== before.loaded) {
      await prepare?.(before, list);
    }
    loading.delete(name);
    if (list !== null && list !== before) changed.set(name, list);
  }

  /** Loads a list, and waits for it unless that takes too long. */
  async function loadSoon(name: string, before: List | undefined, isStart: boolean): Promise<void> {
    while (loading.size >= MAX_LOADING) await Promise.race(loading.values());
    if (loading.has(name)) return;
    const done = load(name, before);
    loading.set(name, done);
    // At the start, the server waits until it has tried to load every list.
    if (isStart) return done;
    await doneWithin(patience, done);
  }

  return {
    /** Loads lists. Loading several at the same time takes much less processor time when nothing has changed. */
    async loadEach(
      names: Iterable<string>,
      known: ReadonlyMap<string, List>,
      isStart: boolean,
    ): Promise<void> {
      const left = [...names].sort().values();
      async function loadRest(): Promise<void> {
        for (const name of left) await loadSoon(name, known.get(name), isStart);
      }
      const atOnce = isStart ? 1 : MAX_LOADING;
      await Promise.all(Array.from({ length: atOnce }, loadRest));
    },
    changed,
  };
}

export function listKeeper<Version extends ServedVersion>(
  source: ListSource<Version>,
  options: KeeperOptions,
): ServedLists {
  const { now = Date.now } = options;
  const { loadEach, changed } = listLoader(source, options);
  let lists: readonly ServedList<Version>[] = [];

  /** Serves these lists without the versions that have expired. Returns whether anything has changed. */
  function show(all: readonly ServedList<Version>[]): boolean {
    const time = now();
    const before = new Map(lists.map((list) => [list.name, list]));
    const next = all.map((each) => {
      const list = hasExpired(each, time)
        ? withProblem(each, source.tooOld(each, time), time)
        : each;
      if (list.problem === null || list.since !== undefined) return list;
      return { ...list, since: before.get(list.name)?.since ?? time };
    });
    const isSame = next.length === lists.length && next.every((list, i) => list === lists[i]);
    if (!isSame) lists = next;
    return !isSame;
  }

  const byName = () => new Map([...lists.map((list) => [list.name, list] as const), ...changed]);

  return {
    all: () => lists,
    expire: () => show(lists),
    async refresh() {
      const known = byName();
      const found = await source.names().catch((error: unknown) => {
        // If the names cannot be read, go on with the known lists, so that they still expire.
        if (known.size === 0) throw error;
        return [];
      });
      const isStart = lists.length === 0;
      const names = new Set([...known.keys(), ...found]);
      await loadEach(names, known, isStart);
      const more = [...(source.moreNames?.() ?? [])];
      await loadEach(
        more.filter((name) => !names.has(name)),
        known,
        isStart,
      );
      const next = [...byName().values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      changed.clear();
      return show(next);
    },
  };
}
