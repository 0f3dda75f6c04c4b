import { type Client, type ClientError, type ClientOptions, createClient } from "@x/client";
import type { DifferenceOptions } from "@x/list-store/serving";
import type { RemovalLimits } from "../../publish/removal-limits.ts";
import type { Aside } from "../aside/aside.ts";
import { joinQueue } from "../lists/join-queue.ts";
import { listHistory } from "../lists/list-history.ts";
import { listKeeper, type Prepare } from "../lists/list-keeper.ts";
import {
  NO_PROBLEM,
  newList,
  type Problem,
  type ServedList,
  type ServedLists,
  withoutVersion,
  withVersion,
} from "../lists/served-lists.ts";
import type { UpstreamVersion } from "../lists/served-version.ts";
import type { ServerLog } from "../log.ts";
import {
  type AcceptedContents,
  acceptedContents,
  type Contents,
  type RemovalsOnce,
  SINCE,
  versionOf,
} from "./accepted-contents.ts";
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
  /** Everything that the operator set for it, as a text. It is taken over when settings change and this one does not. */
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

/** What is kept of a list of another server. */
interface Kept {
  /** Its name on the other server. */
  readonly list: string;
  readonly name: string;
  readonly row: ServedList["row"];
  readonly accepted: AcceptedContents;
  /** When the other server last confirmed that these contents are the newest. They are served until `until`. */
  checkedAt: number;
  until: number;
  /** Why the version that the client has cannot be served; `null` if it can. */
  failure: string | null;
}

const REASONS: Partial<Record<ClientError["code"], string>> = {
  "server-unreachable": "its server does not answer",
  "server-refused": "its server refuses the request",
  "update-refused": "its new version is not accepted; see the log",
  "list-unknown": "its server has no such list",
  "list-damaged": "an update did not match its checksum",
  "storage-failed": "its stored copy cannot be read",
};

export function upstreamLists(
  { name: upstream, client: options, lists: names, limits, removalsOnce }: UpstreamOptions,
  { window, aside, log, prepare }: UpstreamListsOptions,
): UpstreamLists {
  const { now = Date.now } = options;
  const differences: DifferenceOptions = {
    queue: joinQueue(),
    makeDifference: (parts, entries) => aside.run("makeDifference", entries, parts),
  };
  const shared = { aside, log, limits, removalsOnce, now };
  const byName = new Map(
    [...names].map(([list, name]): [string, Kept] => [
      name,
      {
        ...{ list, name, row: upstreamRow(options.protocol, list, name) },
        accepted: acceptedContents(name, listHistory(window, differences), shared),
        ...{ failure: null, checkedAt: 0, until: 0 },
      },
    ]),
  );
  const client = createClient({
    ...options,
    lists: [...names.keys()],
    // The length of the list is known only after the update is decoded, so always use the other thread.
    apply: async (job) => aside.run("applyUpdate", Infinity, job),
    onNewList: async ({ name, list }) => byName.get(names.get(name)!)!.accepted.check(list),
  });
  const searches = upstreamSearches(client);
  let storageProblem: string | null = null;
  let searchProblem: string | null = null;

  /** Takes over what the client has of a list, and until when that may be served. */
  async function follow(kept: Kept): Promise<void> {
    const newest = client.list(kept.list);
    if (newest === null) return;
    try {
      if (newest !== kept.accepted.newest()?.prefixes) await kept.accepted.adopt(newest);
      kept.failure = null;
    } catch (error) {
      // The contents that are served stay until they are too old.
      const { message } = error as Error;
      if (message !== kept.failure) log.error(`The list ${kept.name} cannot be served: ${message}`);
      kept.failure = message;
      return;
    }
    // If the client has a newer version by now, its status is about that version.
    if (client.list(kept.list) !== newest) return;
    const status = client.status().lists.find(({ name }) => name === kept.list)!;
    kept.checkedAt = status.checkedAt!;
    kept.until = status.until!;
  }

  /** Why a list is not as current as it should be. */
  function problemOf({ list, name, accepted, failure }: Kept, isExpired: boolean): Problem {
    const { lists, lastError } = client.status();
    const own = lists.find((each) => each.name === list)!;
    const isAboutAll = lastError !== null && (lastError.list === null || lastError.list === list);
    const error = own.error ?? (isAboutAll ? lastError : null);
    const hasArrived = accepted.newest() !== null;
    if (error === null && failure === null && !isExpired && hasArrived) return NO_PROBLEM;
    const reason =
      error === null
        ? "what its server sent cannot be served"
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

  function served({ list, name, checkedAt, until }: Kept, contents: Contents): UpstreamVersion {
    const { prefixes, words, since, change, differenceSince } = contents;
    const entries = prefixes.size;
    const manifest = {
      ...{ list: name, version: versionOf(contents), issued: checkedAt, expires: until },
      contents: {
        ...{ since: SINCE, checksum: prefixes.checksum, prefixes: entries, fullHashes: entries },
      },
      change: { addedEntries: change.added.length, removedEntries: change.removed.length },
      withdrawn: false,
    };
    return {
      ...{ words, prefixes, since, differenceSince, entry: { manifest } },
      ...searches.of(list, name, words),
    };
  }

  async function load(
    name: string,
    before: ServedList<UpstreamVersion> = newList(name, byName.get(name)!.row),
  ): Promise<ServedList<UpstreamVersion>> {
    const kept = byName.get(name)!;
    await follow(kept);
    const { accepted, until, failure } = kept;
    const contents = accepted.newest();
    const isExpired = until <= now();
    if (contents === null || isExpired) {
      return withoutVersion(before, contents?.words, problemOf(kept, isExpired));
    }
    const isSame =
      before.loaded?.prefixes === contents.prefixes &&
      before.loaded.entry.manifest.expires === until;
    const loaded = isSame ? before.loaded : served(kept, contents);
    // If the client has a newer version by now, its errors are about that version.
    const newest = client.list(kept.list);
    const isComing = newest !== null && newest !== contents.prefixes && failure === null;
    return withVersion(before, loaded, isComing ? before : problemOf(kept, false));
  }

  const keeper = listKeeper(
    {
      names: async () => [...byName.keys()],
      load,
      tooOld: ({ name }) => problemOf(byName.get(name)!, true),
    },
    { prepare, now },
  );

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
    const isChanged = await keeper.refresh();
    logProblems();
    return isChanged;
  }

  /** Ignores errors, because the status of the client shows them. */
  const update = () =>
    client.update().then(
      () => {},
      () => {},
    );

  return {
    name: upstream,
    all: keeper.all,
    expire: keeper.expire,
    refresh,
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
