import { ownOptions } from "@x/canon/own-options";
import type { PrefixList } from "@x/prefix-list";
import { type Checks, createChecks } from "./checks/checks.ts";
import { createLocalKnowledge, evaluateByPrefix, type LocalChecks } from "./checks/evaluate.ts";
import { createJudge } from "./checks/judge.ts";
import { createShownLists } from "./checks/snapshot.ts";
import { ClientError, updatesElsewhere } from "./error.ts";
import type { ApplyListJob } from "./lists/list-job.ts";
import { createKeeper } from "./lists/load-and-store.ts";
import type { LoadResult, UpdateResult } from "./lists/results.ts";
import { createUpdater, followStorage, updateWhenDue } from "./lists/updates.ts";
import { type ClientOptions, checkOptions } from "./options.ts";
import type { ProtocolContext, Protocols } from "./protocols/protocol.ts";
import { createSearchPause } from "./requests/asker.ts";
import {
  createFullHashFinder,
  createHashCache,
  createSearcher,
  type FullHashFinder,
} from "./requests/full-hashes.ts";
import { createRequester } from "./requests/requester.ts";
import { type ClientStatus, statusOf } from "./status.ts";

/** Keeps lists current, and checks URLs against them. The functions of a client do not use `this`. */
export interface Client extends Checks, LocalChecks, FullHashFinder {
  /** Reads the stored lists. Does not use the network. */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<LoadResult>;
  /**
   * Brings the lists up to date now. A call during an update waits for that update.
   *
   * @throws {ClientError} when the server gives no usable answer; all lists then stay as they are. With
   * `updates: "follow"`, it always throws, with the code `follows-storage`.
   */
  update(options?: { readonly signal?: AbortSignal | undefined }): Promise<UpdateResult>;
  /**
   * Reads the storage if a list is not loaded, and then updates at once if a list is missing or an update is due. This
   * function is for programs in which a person waits for the first verdict. With `updates: "follow"`, only reads the
   * storage.
   *
   * @throws {ClientError} when a list is still missing.
   */
  ready(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * From now on, updates the lists whenever the server says. The first update comes after a random delay of up to a
   * minute, or later if the next update time that an earlier client stored is later. With `updates: "follow"`, reads
   * the storage now and whenever it changes. Waiting for the next update does not keep a process of Node.js running.
   */
  start(): void;
  /** Ends updates and searches, and waits until they have ended. Checks still work. */
  stop(): Promise<void>;
  status(): ClientStatus;
  /** The list that the client has now; `null` when it has none. */
  list(name: string): PrefixList | null;
}

function connectParts(protocols: Protocols, apply: ApplyListJob, options: ClientOptions) {
  const checked = checkOptions(protocols, apply, options);
  const { protocol, isFollowing, grace, now } = checked;
  const requester = createRequester(checked);
  const context: ProtocolContext = { ...checked, requester };
  const keeper = createKeeper(checked);
  const cache = createHashCache();
  const shown = createShownLists({ ...checked, keeper, cache });
  const onChange = shown.refresh;
  const updater = createUpdater({
    ...checked,
    keeper,
    onChange,
    context,
    isStarted: () => !isFollowing && upkeep.isRunning,
  });
  const upkeep = isFollowing
    ? followStorage(updater, checked.storage!)
    : updateWhenDue(updater, { ...checked, keeper, onChange });
  const pause = createSearchPause(checked.random);
  const searcher = createSearcher({
    ...checked,
    search: (prefixes, signal) => protocol.search(prefixes, shown.searched, context, signal),
    counts: requester.counts,
    cache,
    pause,
    maxPrefixes: protocol.maxPrefixes,
  });
  const threatTypeOf = (name: string) => protocol.describe(name).threatType;
  const judge = createJudge({ ...checked, cache, threatTypeOf, distrusted: shown.distrusted });
  const local = createLocalKnowledge({ ...checked, snapshot: () => shown.snapshot, judge });
  const evaluate = evaluateByPrefix(local.caseOf, judge, searcher, now);
  return {
    checked,
    updater,
    searcher,
    upkeep,
    keeper,
    local,
    checks: createChecks({ ...local, evaluate }),
    finder: createFullHashFinder({
      ...checked,
      cache,
      searcher,
      searchedLists: shown.searched,
      distrusted: shown.distrusted,
    }),
    status: () => statusOf({ keeper, updater, upkeep, pause, requester, cache, grace }, now()),
  };
}

/**
 * Makes a client that speaks these protocols, and applies updates with `apply` unless the options have another
 * function.
 */
export function createClientOf(
  protocols: Protocols,
  apply: ApplyListJob,
  options: ClientOptions,
): Client {
  const { checked, updater, searcher, upkeep, keeper, local, checks, finder, status } =
    connectParts(protocols, apply, options);
  const { isFollowing } = checked;

  return {
    ...checks,
    ...finder,
    checkLocally: local.checkLocally,
    checkHostLocally: local.checkHostLocally,
    list: (name) => keeper.state.lists.get(name)?.list ?? null,
    status,

    async load(given) {
      return updater.load(ownOptions(given ?? {}).signal);
    },

    async update(given) {
      if (isFollowing) throw updatesElsewhere();
      return updater.update("all", ownOptions(given ?? {}).signal);
    },

    async ready(given) {
      return updater.ready(ownOptions(given ?? {}).signal);
    },

    start() {
      upkeep.start();
    },

    async stop() {
      upkeep.stop();
      const reason = new ClientError("stopped", "The client was stopped");
      await Promise.all([updater.stop(reason), searcher.stop(reason)]);
    },
  };
}
