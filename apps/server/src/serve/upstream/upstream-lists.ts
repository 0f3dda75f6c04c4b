import { type Client, type ClientError, type ClientOptions, createClient } from "@x/client";
import { PREFIX_BYTES, type PrefixChange, type PrefixWords } from "@x/list-store/serving";
import { type PrefixList, rawHashesIn } from "@x/prefix-list";
import { allowsEmpty, type RemovalLimits, removalProblem } from "../../publish/removal-limits.ts";
import type { Aside } from "../aside/aside.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import {
  isSameProblem,
  JOINS,
  NO_PROBLEM,
  noChanges,
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

/** Another server whose lists are kept and served. */
export interface UpstreamOptions {
  /** What the operator calls it. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "apply" | "lists" | "onNewList" | "procedure" | "updates">;
  /** Its lists, as it names them, and the names under which they are served. */
  readonly lists: ReadonlyMap<string, string>;
  /** How much of a list an update may remove, by the name under which it is served. */
  readonly limits: RemovalLimits;
  readonly removalsOnce: RemovalsOnce;
}

/** How the operator accepts one update that removes more. */
export interface RemovalsOnce {
  /** What to do, for the log; `limit` would be enough. */
  howTo(limit: string): string;
  /** Uses up the limit that the operator has set for an update of a list; `false` when there is none that is enough. */
  use(list: string, isEnough: (limits: RemovalLimits) => boolean): Promise<boolean>;
}

export interface UpstreamListsOptions {
  /** Clients get differences from this many newest versions. */
  readonly window: number;
  readonly aside: Aside;
  readonly log: ServerLog;
  readonly prepare: Prepare;
}

/** The lists of another server, kept current and served. */
export interface UpstreamLists extends ListsOfOnePlace {
  readonly name: string;
  /** What was sent to the other server. */
  requests(): ReturnType<Client["status"]>["requests"];
  /** Reads the lists that were kept before. */
  load(): Promise<void>;
  /** Updates the lists from now on. */
  start(): void;
  /** Updates the lists now. */
  update(): Promise<void>;
  stop(): Promise<void>;
}

/** A list of another server, as far as it is served. */
interface KeptList {
  /** Its name there. */
  readonly list: string;
  readonly name: string;
  readonly row: ServedList["row"];
  readonly history: ReturnType<typeof listHistory>;
  served: Contents | null;
  /** Why the list that the client has cannot be served; `null` when it can. */
  failure: string | null;
  /** When the other server last said that these are the newest contents, and until when they are served. */
  checkedAt: number;
  until: number;
  /** How many entries the list had in the last 24 hours, each number with the time from which it applied. */
  sizes: readonly { readonly entries: number; readonly time: number }[];
}

/** The contents of a list, and when the server got them. */
interface Contents extends Pick<ServedList, "changesSince"> {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
  readonly since: number;
  readonly change: PrefixChange;
}

/** What was found out about a new version when it arrived. */
interface Compared {
  readonly words: PrefixWords;
  readonly change: PrefixChange;
  /** What it was compared with. */
  readonly before: PrefixWords;
  /** Whether the operator has accepted it although it removes too much. */
  readonly isAccepted?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const NO_WORDS: PrefixWords = new Uint32Array(0);

const REASONS: Partial<Record<ClientError["code"], string>> = {
  "server-unreachable": "its server does not answer",
  "server-refused": "its server refuses the request",
  "update-refused": "its new version is not accepted; see the log",
  "list-damaged": "an update did not match its checksum",
  "storage-failed": "what was kept of it cannot be read",
};

export function upstreamLists(
  { name: upstream, client: options, lists: names, limits, removalsOnce }: UpstreamOptions,
  { window, aside, log, prepare }: UpstreamListsOptions,
): UpstreamLists {
  const { now = Date.now } = options;
  const joins = fairQueue(JOINS);
  const compared = new WeakMap<PrefixList, Compared>();
  const kept = [...names].map(
    ([list, name]): KeptList => ({
      ...{ list, name, row: upstreamRow(options.protocol, list, name) },
      history: listHistory(window, joins, aside),
      ...{ served: null, failure: null, checkedAt: 0, until: 0, sizes: [] },
    }),
  );
  const client = createClient({
    ...options,
    lists: [...names.keys()],
    // How much work this is becomes clear only when the update is decoded.
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
        `it has hash prefixes of ${prefixBytes} bytes, and only those of ${PREFIX_BYTES} can be served`,
      );
    }
    const entries = before.length + list.size;
    return { ...(await aside.run("compareList", entries, { list, before })), before };
  }

  /** Throws when a new version must not replace what is served. */
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

  /** Serves other contents of a list from now on. */
  async function adopt(each: KeptList, prefixes: PrefixList): Promise<void> {
    const before = each.served?.words ?? NO_WORDS;
    const known = compared.get(prefixes);
    const { words, change } = known?.before === before ? known : await compare(before, prefixes);
    const time = now();
    // A size no longer counts once it was replaced more than a day ago.
    const recent = each.sizes.filter((_, i, all) => (all[i + 1]?.time ?? time) > time - DAY);
    // What the operator has accepted is the new baseline.
    const counted = known?.isAccepted ? [] : recent;
    each.sizes = [...counted, { entries: prefixes.size, time }];
    const changesSince = each.history.add(words, prefixes.checksum, change);
    if (each.served !== null) {
      const { row, served } = each;
      await prepare({ row, changesSince }, { ...served, since: SINCE }, { words, prefixes });
    }
    each.served = { prefixes, words, since: time, change, changesSince };
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
        ? "what came from its server cannot be served"
        : (REASONS[error.code] ?? "the answer of its server cannot be used");
    const what =
      served === null
        ? `The list ${name} has not come from ${upstream} yet`
        : isExpired
          ? `The list ${name} of ${upstream} is too old`
          : `The list ${name} of ${upstream} is not updated`;
    return {
      problem: error === null && failure === null ? what : `${what}: ${reason}`,
      detail: error?.message ?? failure,
    };
  }

  function servedNow(each: KeptList, before: ServedList<UpstreamVersion> | undefined) {
    const { list, name, row, served, checkedAt, until } = each;
    const isExpired = served !== null && until <= now();
    // The client may have a newer version without a problem, which is not served here yet.
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
      return { name, row, loaded: null, outdated, ...found, changesSince: noChanges };
    }
    const { prefixes, words, since, change, changesSince } = current;
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
      ...{ words, prefixes, since, entry: { manifest } },
      ...searches.of(list, name, words),
    };
    return { name, row, loaded, ...found, changesSince };
  }

  /** Shows the lists as they are now. Returns whether anything has changed. */
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
        // What is served stays, until it is too old.
        const { message } = error as Error;
        if (message !== each.failure)
          log.error(`The list ${each.name} cannot be served: ${message}`);
        each.failure = message;
        continue;
      }
      const status = client.status().lists.find(({ name }) => name === each.list)!;
      // A newer one may have come in the meantime.
      if (client.list(each.list) !== list) continue;
      each.checkedAt = status.checkedAt!;
      each.until = status.until!;
    }
    logProblems();
    return show();
  }

  /** A failed update shows in the status of the client. */
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

/** A version number that grows with time, whichever server got the contents. */
const versionOf = (time: number) => Math.floor(time / 1000);
