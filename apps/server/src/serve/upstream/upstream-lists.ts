import {
  type Client,
  type ClientError,
  type ClientOptions,
  type ClientStatus,
  createClient,
  type UpdateOptions,
} from "@x/client";
import type { DifferenceOptions } from "@x/list-store/serving";
import type { RemovalLimit } from "../../publish/removal-limits.ts";
import { fairQueue, QUEUES } from "../fairness.ts";
import { listHistory } from "../lists/list-history.ts";
import { listKeeper, type Prepare } from "../lists/refresh-lists.ts";
import {
  NO_PROBLEM,
  newList,
  type Problem,
  type ServedList,
  type ServedLists,
  type UpstreamVersion,
  withoutVersion,
  withVersion,
} from "../lists/served-lists.ts";
import { upstreamRow } from "../lists/threat-rows.ts";
import type { ServerLog } from "../log.ts";
import type { Aside } from "../worker-thread/run-job.ts";
import {
  type AcceptedContents,
  acceptedContents,
  type Contents,
  SINCE,
  versionOf,
} from "./accepted-contents.ts";
import {
  answerSearch,
  type SearchThrough,
  sharedSearches,
  type UpstreamSearch,
  type UpstreamSearches,
  upstreamSearches,
} from "./upstream-searches.ts";

/** Another server whose lists this server fetches and serves. */
export interface UpstreamOptions {
  /** The name that the operator gave the other server. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "lists" | "procedure" | "updates">;
  /** The names of the lists on the other server, each with the name under which this server serves the list. */
  readonly lists: ReadonlyMap<string, string>;
  /** How much of a list an update may remove, by the name under which the list is served. */
  readonly limit: RemovalLimit;
  /** All settings for the other server, as a string. If this string does not change on a reload, the lists are kept. */
  readonly settings: string;
}

interface UpstreamListsOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  readonly aside: Aside;
  readonly log: ServerLog;
  readonly prepare: Prepare;
  /** Only if another process updates and searches the lists. */
  readonly through?: SearchThrough | undefined;
}

/** The lists of another server, kept current and served. */
export interface UpstreamLists extends ServedLists {
  readonly name: string;
  readonly settings: UpstreamOptions["settings"];
  /** The numbers of requests to the other server. */
  requests(): ReturnType<Client["status"]>["requests"];
  /** Loads the lists that were saved earlier. */
  load(): Promise<void>;
  /** Starts to update the lists at regular intervals. */
  start(): void;
  /** Updates the lists now, unless another process does. */
  update(): Promise<void>;
  /** Searches for another process. */
  search(search: UpstreamSearch): ReturnType<typeof answerSearch>;
  stop(): Promise<void>;
}

/** Another server whose lists are kept. */
interface Upstream {
  readonly name: string;
  readonly client: Client;
  readonly searches: UpstreamSearches;
  readonly log: ServerLog;
  readonly now: () => number;
}

type List = ServedList<UpstreamVersion>;

function servedVersion(
  { searches }: Upstream,
  { list, name, checkedAt, until }: FollowedList,
  contents: Contents,
): UpstreamVersion {
  const { prefixes, words, since, change, differenceSince } = contents;
  const entries = prefixes.size;
  const manifest = {
    list: name,
    version: versionOf(contents),
    issued: checkedAt,
    expires: until,
    contents: {
      since: SINCE,
      checksum: prefixes.checksum,
      prefixes: entries,
      fullHashes: entries,
    },
    change: { addedEntries: change.added.length, removedEntries: change.removed.length },
    withdrawn: false,
  };
  return {
    words,
    prefixes,
    since,
    differenceSince,
    entry: { manifest },
    ...searches.of(list, name, words),
  };
}

/** Loads the newest state of a list. */
async function load(upstream: Upstream, followed: FollowedList, before: List): Promise<List> {
  const { name, client, log, now } = upstream;
  await follow(client, followed, log);
  const { accepted, until, failure } = followed;
  const contents = accepted.newest();
  const isExpired = until <= now();
  if (contents === null || isExpired) {
    const problem = problemOf(client.status(), followed, name, isExpired);
    return withoutVersion(before, contents?.words, problem);
  }
  const isSame =
    before.loaded?.prefixes === contents.prefixes && before.loaded.entry.manifest.expires === until;
  const loaded = isSame ? before.loaded : servedVersion(upstream, followed, contents);
  // If the client has a newer version by now, its errors are about that version.
  const newest = client.list(followed.list);
  const isComing = newest !== null && newest !== contents.prefixes && failure === null;
  const problem = isComing ? before : problemOf(client.status(), followed, name, false);
  return withVersion(before, loaded, problem);
}

/** Returns a function that logs a problem unless it is the same as the last one. */
function whenNew(log: (problem: string) => void): (error: ClientError | null) => void {
  let last: string | null = null;
  return (error) => {
    const problem = error?.message ?? null;
    if (problem !== null && problem !== last) log(problem);
    last = problem;
  };
}

/** Returns a function that logs the problems that do not concern a single list. */
function problemLog({ name, client, log }: Upstream): () => void {
  const logStorageError = whenNew((problem) =>
    log.warn(`The lists of ${name} cannot be kept on disk: ${problem}`),
  );
  const logSearchError = whenNew((problem) =>
    log.error(`The full hashes of ${name} cannot be searched: ${problem}`),
  );
  return () => {
    const { storageError, searches } = client.status();
    logStorageError(storageError);
    logSearchError(searches.lastError);
  };
}

/** Creates the lists, by the names under which they are served. The lists have no contents yet. */
function followedLists(
  { name: upstream, client: { protocol, now = Date.now }, lists, limit }: UpstreamOptions,
  { window, aside, log }: UpstreamListsOptions,
): ReadonlyMap<string, FollowedList> {
  const differences: DifferenceOptions = {
    queue: fairQueue(QUEUES.joins),
    makeDifference: (parts, entries) => aside.run("makeDifference", entries, parts),
  };
  const shared = { aside, log, upstream, limit, now };
  return new Map(
    [...lists].map(([list, name]): [string, FollowedList] => [
      name,
      {
        list,
        name,
        row: upstreamRow(protocol, list, name),
        accepted: acceptedContents(name, listHistory(window, differences), shared),
        failure: null,
        checkedAt: 0,
        until: 0,
      },
    ]),
  );
}

export function upstreamLists(
  upstreamOptions: UpstreamOptions,
  options: UpstreamListsOptions,
): UpstreamLists {
  const { name, client: clientOptions, lists: names, settings } = upstreamOptions;
  const { aside, log, prepare, through } = options;
  const { now = Date.now } = clientOptions;
  const byName = followedLists(upstreamOptions, options);
  const own: UpdateOptions = {
    // The length of the list is known only after the update is decoded, so always use the other thread.
    apply: async (job) => aside.run("applyUpdate", Infinity, job),
    onNewList: async ({ name, list }) => byName.get(names.get(name)!)!.accepted.check(list),
  };
  const client = createClient({
    ...clientOptions,
    lists: [...names.keys()],
    updates: through === undefined ? own : "follow",
  });
  const finder = through === undefined ? client : sharedSearches(settings, through, client, now);
  const upstream: Upstream = { name, client, searches: upstreamSearches(finder), log, now };
  const keeper = listKeeper<UpstreamVersion>(
    {
      names: async () => [...byName.keys()],
      load(list, before) {
        const followed = byName.get(list)!;
        return load(upstream, followed, before ?? newList(list, followed.row));
      },
      tooOld: (list) => problemOf(client.status(), byName.get(list.name)!, name, true),
    },
    { prepare, now },
  );
  const logProblems = problemLog(upstream);

  async function refresh(): Promise<boolean> {
    const isChanged = await keeper.refresh();
    logProblems();
    return isChanged;
  }

  async function update(): Promise<void> {
    // The status of the client shows the error.
    await client.update().catch(() => {});
  }

  return {
    name,
    settings,
    all: keeper.all,
    expire: keeper.expire,
    refresh,
    update,
    requests: () => client.status().requests,
    async load() {
      await client.load();
      await refresh();
    },
    start() {
      const { nextUpdate } = client.status();
      if (nextUpdate === null || nextUpdate <= now()) void update();
      client.start();
    },
    search: (search) => answerSearch(client, search),
    stop: () => client.stop(),
  };
}

/** A list from another server, with the times that tell how current it is. */
interface FollowedList {
  /** The list's name on the other server. */
  readonly list: string;
  readonly name: string;
  readonly row: ServedList["row"];
  readonly accepted: AcceptedContents;
  /**
   * When the other server last confirmed that these contents are the newest, in milliseconds since 1970. The contents
   * are served until `until`.
   */
  checkedAt: number;
  until: number;
  /** The reason why the client's version cannot be served; `null` if it can be served. */
  failure: string | null;
}

const REASONS: Partial<Record<ClientError["code"], string>> = {
  "server-unreachable": "its server does not answer",
  "server-refused": "its server refuses the request",
  "update-refused": "its new version is not accepted; see the log",
  "list-unknown": "its server has no such list",
  "list-damaged": "an update or its stored copy was damaged",
  "storage-failed": "its stored copy cannot be read",
};

/** Takes over the client's newest contents of a list, and the time until which they may be served. */
async function follow(client: Client, followed: FollowedList, log: ServerLog): Promise<void> {
  const newest = client.list(followed.list);
  if (newest === null) return;
  try {
    if (newest !== followed.accepted.newest()?.prefixes) await followed.accepted.adopt(newest);
    followed.failure = null;
  } catch (error) {
    // The served contents stay until they are too old.
    const { message } = error as Error;
    if (message !== followed.failure)
      log.error(`The list ${followed.name} cannot be served: ${message}`);
    followed.failure = message;
    return;
  }
  // If the client has a newer version by now, its status is about that version.
  if (client.list(followed.list) !== newest) return;
  const status = client.status().lists.find(({ name }) => name === followed.list)!;
  followed.checkedAt = status.checkedAt!;
  followed.until = status.until!;
}

/** The problem of a list that is not as current as it should be. `upstream` is the name of its server. */
function problemOf(
  { lists, lastError }: ClientStatus,
  { list, name, accepted, failure }: FollowedList,
  upstream: string,
  isExpired: boolean,
): Problem {
  const own = lists.find((each) => each.name === list)!;
  const isAboutAll = lastError !== null && (lastError.list === null || lastError.list === list);
  const error = own.error ?? (isAboutAll ? lastError : null);
  const hasArrived = accepted.newest() !== null;
  if (error === null && failure === null && !isExpired && hasArrived) return NO_PROBLEM;
  const reason =
    error === null
      ? "the data from its server cannot be served"
      : (REASONS[error.code] ?? "its server's answer cannot be used");
  const what = !hasArrived
    ? `The list ${name} has not arrived from ${upstream} yet`
    : isExpired
      ? `The list ${name} of ${upstream} is too old`
      : `The list ${name} of ${upstream} is not being updated`;
  return {
    problem: error === null && failure === null ? what : `${what}: ${reason}`,
    detail: error?.message ?? failure,
  };
}
