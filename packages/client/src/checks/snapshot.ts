import { type Checker, checker, type Match, type UrlVerdict } from "@x/lookup";
import { lookupPrefix, type PrefixList, prefixList } from "@x/prefix-list";
import type { ClientError } from "../error.ts";
import type { Keeper } from "../lists/load-and-store.ts";
import { type ClientState, type ListState, usableTime } from "../lists/state.ts";
import type { CheckedOptions } from "../options.ts";
import type { KeptList } from "../protocols/protocol.ts";
import type { HashCache } from "../requests/full-hashes.ts";
import type { UnsureReason } from "../verdict.ts";

/** The lists at one point in time. A check uses one snapshot from start to finish. */
export interface Snapshot {
  /** Looks a URL up in the lists of threats. */
  readonly check: Checker["check"];
  /** Looks the URL of a host up in the lists of threats. */
  readonly checkHost: Checker["checkHost"];
  /** Looks many URLs up in the lists of threats at once, which is faster. */
  readonly checkMany: Checker["checkMany"];
  /** Looks a URL up in all lists. */
  checkAll(url: string | Uint8Array): UrlVerdict;
  /**
   * The name of the list of a match; `null` when the match comes from an earlier answer of the server, not from a list.
   */
  nameOf(match: Match): string | null;
  /** Why a URL that is on no list may not be called safe at this time; `null` when it may. */
  problemAt(time: number): UnsureReason | null;
  /** Until when the lists are fresh, as the server said, in milliseconds since 1970. */
  readonly freshUntil: number;
  readonly checkers: Checkers;
}

/** The lists of a snapshot. */
interface CheckedLists {
  readonly lists: readonly PrefixList[];
  readonly safeLists: readonly PrefixList[];
  /** Those that have only entries for whole hosts, as their publishers say. */
  readonly onlyHosts: readonly PrefixList[];
}

/** Checkers for some lists. Making checkers takes a while for large lists. */
interface Checkers extends CheckedLists {
  readonly forThreats: Checker;
  readonly all: Checker;
}

const areSame = (some: readonly PrefixList[], others: readonly PrefixList[]) =>
  some.length === others.length && some.every((list, i) => list === others[i]);

interface SnapshotOptions extends Pick<CheckedOptions, "protocol" | "registrableDomain" | "grace"> {
  readonly state: ClientState;
  /** Full hashes that the server reported as listed, and that may have left the lists since. */
  readonly remembered: readonly Uint8Array[];
  /** The previous snapshot, whose checkers are reused if the lists are the same. */
  readonly before: Snapshot | null;
}

/**
 * The problems of lists, the worst first. A list that the server does not have cannot be fetched by the next update.
 */
const PROBLEMS = ["list-unknown", "list-damaged", "not-loaded"] as const;

function problemOf(states: readonly ListState[]): UnsureReason | null {
  return PROBLEMS.find((each) => states.some(({ problem }) => problem === each)) ?? null;
}

function checkersOf(
  own: CheckedLists,
  registrableDomain: SnapshotOptions["registrableDomain"],
  before: Checkers | null,
): Checkers {
  const { lists, safeLists, onlyHosts } = own;
  const kinds = ["lists", "safeLists", "onlyHosts"] as const;
  if (before !== null && kinds.every((kind) => areSame(own[kind], before[kind]))) return before;
  const forThreats = checker(lists, {
    ...{ registrableDomain, onlyHosts: onlyHosts.filter((list) => lists.includes(list)) },
  });
  const all =
    safeLists.length === 0
      ? forThreats
      : checker(lists, { registrableDomain, safeLists, onlyHosts });
  return { ...own, forThreats, all };
}

function createSnapshot(options: SnapshotOptions): Snapshot {
  const { state, protocol, registrableDomain, before, grace } = options;
  const states = [...state.lists.values()];
  const names = new Map<PrefixList, string>();
  const threats: PrefixList[] = [];
  const safeLists: PrefixList[] = [];
  const onlyHosts: PrefixList[] = [];
  for (const { name, list, entry } of states) {
    if (list === null) continue;
    names.set(list, name);
    if (entry?.manifest.onlyHosts === true) onlyHosts.push(list);
    (protocol.describe(name).use === "likely-safe" ? safeLists : threats).push(list);
  }
  const remembered = options.remembered.filter((hash) =>
    threats.every((list) => lookupPrefix(list, hash) === null),
  );
  const lists = remembered.length === 0 ? threats : [...threats, prefixList(remembered)];
  const own = { lists, safeLists, onlyHosts };
  const checkers = checkersOf(own, registrableDomain, before?.checkers ?? null);
  const { forThreats, all } = checkers;
  // A missing list of safe sites only means more searches.
  const needed = states.filter(({ name }) => protocol.describe(name).use === "threats");
  const problem = problemOf(needed);
  const times = states.flatMap(({ checkedAt }) => (checkedAt === null ? [] : [checkedAt]));
  const { from, freshUntil, until } = usableTime(times, state.wait, grace);
  return {
    check: forThreats.check,
    checkHost: forThreats.checkHost,
    checkMany: forThreats.checkMany,
    checkAll: (url) => [...all.checkMany([url])][0]!,
    nameOf: ({ list }) => names.get(list) ?? null,
    problemAt: (time) => problem ?? (time < until && time >= from ? null : "outdated"),
    freshUntil,
    checkers,
  };
}

/** The lists as checks and searches see them. */
export interface ShownLists {
  readonly snapshot: Snapshot;
  /**
   * The last version of every list that the client had. A check may still use a list that has since been thrown away,
   * and the search for that check must include it.
   */
  searched(): KeptList[];
  /**
   * Why a search that finds nothing does not show that an entry of the client's list is gone: the server does not have
   * the list, or its newest version was refused. `null` when it does show that, as in a store, where the client's own
   * version is searched.
   */
  distrusted(name: string): ClientError | null;
  /** Makes checks and searches use the current lists. */
  refresh(): void;
}

export interface ShownListsOptions
  extends Pick<CheckedOptions, "protocol" | "procedure" | "registrableDomain" | "grace" | "now"> {
  readonly keeper: Keeper;
  readonly cache: HashCache;
}

export function createShownLists(options: ShownListsOptions): ShownLists {
  const { keeper, cache, procedure, protocol, now } = options;
  const last = new Map<string, KeptList>();
  let snapshot = snapshotAfter(null);

  function snapshotAfter(before: Snapshot | null): Snapshot {
    const remembered = procedure === "local-list" ? cache.listed(now()) : [];
    return createSnapshot({ ...options, state: keeper.state, remembered, before });
  }

  return {
    get snapshot() {
      return snapshot;
    },
    searched: () => [...keeper.state.lists.values()].map((list) => last.get(list.name) ?? list),
    distrusted(name) {
      const error = keeper.state.lists.get(name)?.error ?? null;
      const isDifferent = error?.code === "list-unknown" || error?.code === "update-refused";
      return isDifferent && !protocol.searchesOnlyLoaded ? error : null;
    },
    refresh() {
      for (const list of keeper.state.lists.values())
        if (list.list !== null) last.set(list.name, list);
      snapshot = snapshotAfter(snapshot);
    },
  };
}
