import { type Client, type ClientError, type ClientOptions, createClient } from "@x/client";
import type { DifferenceOptions } from "@x/list-store/serving";
import type { RemovalLimit } from "../../publish/removal-limits.ts";
import { joinQueue } from "../lists/join-queue.ts";
import { listHistory } from "../lists/list-history.ts";
import { listKeeper, type Prepare } from "../lists/refresh-lists.ts";
import {
  newList,
  type ServedList,
  type ServedLists,
  withoutVersion,
  withVersion,
} from "../lists/served-lists.ts";
import type { UpstreamVersion } from "../lists/served-version.ts";
import type { ServerLog } from "../log.ts";
import type { Aside } from "../worker-thread/run-job.ts";
import {
  acceptedContents,
  type Contents,
  type RemovalsOnce,
  SINCE,
  versionOf,
} from "./accepted-contents.ts";
import { type FollowedList, follow, problemOf } from "./followed-list.ts";
import { upstreamRow } from "./upstream-names.ts";
import { type UpstreamSearches, upstreamSearches } from "./upstream-searches.ts";

/** Another server whose lists this server fetches and serves. */
export interface UpstreamOptions {
  /** The name that the operator gave the other server. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "apply" | "lists" | "onNewList" | "procedure" | "updates">;
  /** The names of the lists on the other server, each with the name under which this server serves the list. */
  readonly lists: ReadonlyMap<string, string>;
  /** How much of a list an update may remove, by the name under which the list is served. */
  readonly limit: RemovalLimit;
  readonly removalsOnce: RemovalsOnce;
  /** All settings for the other server, as a string. If this string does not change on a reload, the lists are kept. */
  readonly settings: string;
}

export interface UpstreamListsOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  readonly aside: Aside;
  readonly log: ServerLog;
  readonly prepare: Prepare;
}

/** The lists of another server, kept current and served. */
export interface UpstreamLists extends ServedLists {
  readonly name: string;
  /** The numbers of requests to the other server. */
  requests(): ReturnType<Client["status"]>["requests"];
  /** Loads the lists that were saved earlier. */
  load(): Promise<void>;
  /** Starts to update the lists at regular intervals. */
  start(): void;
  /** Updates the lists now. */
  update(): Promise<void>;
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
  { client: { protocol, now = Date.now }, lists, limit, removalsOnce }: UpstreamOptions,
  { window, aside, log }: UpstreamListsOptions,
): ReadonlyMap<string, FollowedList> {
  const differences: DifferenceOptions = {
    queue: joinQueue(),
    makeDifference: (parts, entries) => aside.run("makeDifference", entries, parts),
  };
  const shared = { aside, log, limit, removalsOnce, now };
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
  const { name, client: clientOptions, lists: names } = upstreamOptions;
  const { aside, log, prepare } = options;
  const { now = Date.now } = clientOptions;
  const byName = followedLists(upstreamOptions, options);
  const client = createClient({
    ...clientOptions,
    lists: [...names.keys()],
    // The length of the list is known only after the update is decoded, so always use the other thread.
    apply: async (job) => aside.run("applyUpdate", Infinity, job),
    onNewList: async ({ name, list }) => byName.get(names.get(name)!)!.accepted.check(list),
  });
  const upstream: Upstream = { name, client, searches: upstreamSearches(client), log, now };
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
    stop: () => client.stop(),
  };
}
