import { type Client, type ClientError, type ClientOptions, createClient } from "@x/client";
import {
  type Change,
  type DifferenceOptions,
  type DifferenceSince,
  PREFIX_BYTES,
  type PrefixWords,
} from "@x/list-store/serving";
import { type PrefixList, rawHashesIn } from "@x/prefix-list";
import { allowsEmpty, type RemovalLimits, removalProblem } from "../../publish/removal-limits.ts";
import type { Aside } from "../aside/aside.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import {
  isSameProblem,
  JOINS,
  NO_PROBLEM,
  type Prepare,
  type Problem,
  type ServedList,
} from "../lists/served-lists.ts";
import type { UpstreamVersion } from "../lists/served-version.ts";
import type { ServerLog } from "../log.ts";
import type { ListsOfOnePlace } from "./join-lists.ts";
import { listHistory, SINCE } from "./list-history.ts";
import { upstreamRow } from "./upstream-names.ts";
import { upstreamSearches } from "./upstream-searches.ts";

/** Another server whose lists this server fetches and serves. */
export interface UpstreamOptions {
  /** The name that the operator gave it. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "apply" | "lists" | "onNewList" | "procedure" | "updates">;
  /** The names of its lists on that server, each with the name under which the list is served here. */
  readonly lists: ReadonlyMap<string, string>;
  /** How much of a list an update may remove, by the name under which the list is served. */
  readonly limits: RemovalLimits;
  readonly removalsOnce: RemovalsOnce;
}

/** Lets the operator accept one update that removes more than the limit. */
export interface RemovalsOnce {
  /** Returns what the operator has to do, for the log. `limit` is a limit that would be enough. */
  howTo(limit: string): string;
  /** Uses up the limit that the operator has set for one update of a list. Returns `false` if no limit is enough. */
  use(list: string, isEnough: (limits: RemovalLimits) => boolean): Promise<boolean>;
}

export interface UpstreamListsOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  readonly aside: Aside;
  readonly log: ServerLog;
  readonly prepare: Prepare;
}

/** The lists of another server, kept current and served. */
export interface UpstreamLists extends ListsOfOnePlace {
  readonly name: string;
  /** Counts the requests to the other server. */
  requests(): ReturnType<Client["status"]>["requests"];
  /** Loads the lists that were saved earlier. */
  load(): Promise<void>;
  /** Updates the lists from now on. */
  start(): void;
  /** Updates the lists now. */
  update(): Promise<void>;
  stop(): Promise<void>;
}

/** A list of another server, and what is served of it. */
interface KeptList {
  /** Its name on the other server. */
  readonly list: string;
  readonly name: string;
  readonly row: ServedList["row"];
  readonly history: ReturnType<typeof listHistory>;
  served: Contents | null;
  /** Why the version that the client has cannot be served; `null` if it can. */
  failure: string | null;
  /** When the other server last confirmed that these contents are the newest. They are served until `until`. */
  checkedAt: number;
  until: number;
  /** The numbers of entries that the list had in the last 24 hours, each with the time from which it applied. */
  sizes: readonly { readonly entries: number; readonly time: number }[];
}

/** The contents of a list, and when this process received or loaded them. */
interface Contents {
  readonly differenceSince: DifferenceSince;
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
  readonly since: number;
  readonly change: Change<PrefixWords>;
}

/** The result of comparing a new version with the one that was served when it arrived. */
interface Compared {
  readonly words: PrefixWords;
  readonly change: Change<PrefixWords>;
  /** The prefixes that it was compared with. */
  readonly before: PrefixWords;
  /** Whether the operator has accepted the new version although it removes too much. */
  readonly isAccepted?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const NO_WORDS: PrefixWords = new Uint32Array(0);

const REASONS: Partial<Record<ClientError["code"], string>> = {
  "server-unreachable": "its server does not answer",
  "server-refused": "its server refuses the request",
  "update-refused": "its new version is not accepted; see the log",
  "list-damaged": "an update did not match its checksum",
  "storage-failed": "its stored copy cannot be read",
};

export function upstreamLists(
  { name: upstream, client: options, lists: names, limits, removalsOnce }: UpstreamOptions,
  { window, aside, log, prepare }: UpstreamListsOptions,
): UpstreamLists {
  const { now = Date.now } = options;
  const differences: DifferenceOptions = {
    queue: fairQueue(JOINS),
    makeDifference: (parts, entries) => aside.run("makeDifference", entries, parts),
  };
  const compared = new WeakMap<PrefixList, Compared>();
  const kept = [...names].map(
    ([list, name]): KeptList => ({
      ...{ list, name, row: upstreamRow(options.protocol, list, name) },
      history: listHistory(window, differences),
      ...{ served: null, failure: null, checkedAt: 0, until: 0, sizes: [] },
    }),
  );
  const client = createClient({
    ...options,
    lists: [...names.keys()],
    // The length of the list is known only after the update is decoded, so always use the other thread.
    apply: async (job) => aside.run("applyUpdate", Infinity, job),
    onNewList: async ({ name, list }) => checkNew(kept.find((each) => each.list === name)!, list),
  });
  const searches = upstreamSearches(client);
  let lists: readonly ServedList<UpstreamVersion>[] = [];
  let storageProblem: string | null = null;
  let searchProblem: string | null = null;

  async function compare(before: PrefixWords, list: PrefixList): Promise<Compared> {
    for (const { prefixBytes } of rawHashesIn(list)) {
      if (prefixBytes === PREFIX_BYTES) continue;
      throw new Error(
        `it has hash prefixes of ${prefixBytes} bytes, but only those of ${PREFIX_BYTES} can be served`,
      );
    }
    const entries = before.length + list.size;
    return { ...(await aside.run("compareList", entries, { list, before })), before };
  }

  /** Throws if a new version must not replace the one that is served. */
  async function checkNew({ name, served, sizes }: KeptList, list: PrefixList): Promise<void> {
    const made = await compare(served?.words ?? NO_WORDS, list);
    const shrinking = {
      before: made.before.length,
      removed: made.change.removed.length,
      after: list.size,
      longest: Math.max(0, ...sizes.map(({ entries }) => entries)),
      when: "in the last 24 hours",
    };
    const isNewlyEmpty = list.size === 0 && served?.words.length !== 0;
    const problemWith = (limits: RemovalLimits) =>
      isNewlyEmpty && !allowsEmpty(limits, name)
        ? "it is empty (is its name right?)"
        : removalProblem(limits, name, shrinking);
    const problem = problemWith(limits);
    const isAccepted =
      problem !== null && (await removalsOnce.use(name, (once) => problemWith(once) === null));
    if (problem !== null && !isAccepted) {
      const { removed, longest, after } = shrinking;
      const enough = isNewlyEmpty ? "100%" : Math.max(removed, longest - after);
      throw new Error(`${problem}; ${removalsOnce.howTo(`${name}=${enough}`)}`);
    }
    if (isAccepted) log.info("update accepted once", { list: name, problem });
    compared.set(list, { ...made, isAccepted });
  }

  /** Serves new contents of a list from now on. */
  async function adopt(each: KeptList, prefixes: PrefixList): Promise<void> {
    const before = each.served?.words ?? NO_WORDS;
    const known = compared.get(prefixes);
    const { words, change } = known?.before === before ? known : await compare(before, prefixes);
    const time = now();
    // A size no longer counts a day after it was replaced.
    const recent = each.sizes.filter((_, i, all) => (all[i + 1]?.time ?? time) > time - DAY);
    // A size that the operator has accepted is the new baseline.
    const counted = known?.isAccepted ? [] : recent;
    each.sizes = [...counted, { entries: prefixes.size, time }];
    const differenceSince = each.history.add({ prefixes, words, change });
    if (each.served !== null) {
      const { row, served } = each;
      const next = { words, prefixes, differenceSince };
      await prepare(row, { ...served, since: SINCE }, next);
    }
    each.served = { prefixes, words, since: time, change, differenceSince };
    log.info("list loaded", { list: each.name, version: versionOf(time) });
  }

  /** Why a list is not as current as it should be. */
  function problemOf({ list, name, served, failure }: KeptList, isExpired: boolean): Problem {
    const { lists, lastError } = client.status();
    const own = lists.find((each) => each.name === list)!;
    const isAboutAll = lastError !== null && (lastError.list === null || lastError.list === list);
    const error = own.error ?? (isAboutAll ? lastError : null);
    if (error === null && failure === null && !isExpired && served !== null) return NO_PROBLEM;
    const reason =
      error === null
        ? "what its server sent cannot be served"
        : (REASONS[error.code] ?? "its server's answer cannot be used");
    const what =
      served === null
        ? `The list ${name} has not arrived from ${upstream} yet`
        : isExpired
          ? `The list ${name} of ${upstream} is too old`
          : `The list ${name} of ${upstream} is not being updated`;
    return {
      problem: error === null && failure === null ? what : `${what}: ${reason}`,
      detail: error?.message ?? failure,
    };
  }

  function servedNow(each: KeptList, before: ServedList<UpstreamVersion> | undefined) {
    const { list, name, row, served, checkedAt, until } = each;
    const isExpired = served !== null && until <= now();
    // The client may already have a good newer version that is not served yet. Until it is, the problem stays the same.
    const newest = client.list(list);
    const isComing = served !== null && newest !== null && newest !== served.prefixes;
    const isAsBefore = isComing && before !== undefined && each.failure === null && !isExpired;
    const { problem, detail } = isAsBefore ? before : problemOf(each, isExpired);
    const found = { problem, detail };
    const current = served === null || isExpired ? null : served;
    const isSame =
      before !== undefined &&
      isSameProblem(before, found) &&
      before.loaded?.prefixes === current?.prefixes &&
      before.loaded?.entry.manifest.expires === (current === null ? undefined : until);
    if (isSame) return before;
    if (current === null) {
      const outdated = served?.words;
      return { name, row, loaded: null, outdated, ...found };
    }
    const { prefixes, words, since, change, differenceSince } = current;
    const entries = prefixes.size;
    const manifest = {
      ...{ list: name, version: versionOf(since), issued: checkedAt, expires: until },
      contents: {
        ...{ since: SINCE, checksum: prefixes.checksum, prefixes: entries, fullHashes: entries },
      },
      change: { addedEntries: change.added.length, removedEntries: change.removed.length },
      withdrawn: false,
    };
    const loaded = {
      ...{ words, prefixes, since, differenceSince, entry: { manifest } },
      ...searches.of(list, name, words),
    };
    return { name, row, loaded, ...found };
  }

  /** Brings the lists that are served up to date. Returns whether anything has changed. */
  function show(): boolean {
    const next = kept.map((each, i) => servedNow(each, lists[i]));
    const isSame = next.length === lists.length && next.every((list, i) => list === lists[i]);
    if (!isSame) lists = next;
    return !isSame;
  }

  /** Logs the problems that do not concern a single list. */
  function logProblems(): void {
    const { storageError, searches } = client.status();
    const storage = storageError?.message ?? null;
    if (storage !== null && storage !== storageProblem) {
      log.warn(`The lists of ${upstream} cannot be kept on disk: ${storage}`);
    }
    storageProblem = storage;
    const search = searches.lastError?.message ?? null;
    if (search !== null && search !== searchProblem) {
      log.error(`The full hashes of ${upstream} cannot be searched: ${search}`);
    }
    searchProblem = search;
  }

  async function refresh(): Promise<boolean> {
    for (const each of kept) {
      const list = client.list(each.list);
      if (list === null) continue;
      try {
        if (list !== each.served?.prefixes) await adopt(each, list);
        each.failure = null;
      } catch (error) {
        // The contents that are served stay until they are too old.
        const { message } = error as Error;
        if (message !== each.failure)
          log.error(`The list ${each.name} cannot be served: ${message}`);
        each.failure = message;
        continue;
      }
      const status = client.status().lists.find(({ name }) => name === each.list)!;
      // If the client has a newer version by now, the status is about that version.
      if (client.list(each.list) !== list) continue;
      each.checkedAt = status.checkedAt!;
      each.until = status.until!;
    }
    logProblems();
    return show();
  }

  /** Ignores errors, because the status of the client shows them. */
  const update = () =>
    client.update().then(
      () => {},
      () => {},
    );

  return {
    name: upstream,
    all: () => lists,
    refresh,
    expire: show,
    requests: () => client.status().requests,
    update,
    async load() {
      await client.load();
      await refresh();
    },
    start() {
      const { nextUpdate } = client.status();
      if (nextUpdate === null || nextUpdate <= now()) void update();
      client.start();
    },
    stop: () => client.stop(),
  };
}

/** A version number that grows with time, even if clients get the list from different servers. */
const versionOf = (time: number) => Math.floor(time / 1000);
