import { ownOptions } from "@x/canon/own-options";
import type { PrefixList } from "@x/prefix-list";
import { typeError } from "@x/sha256-prefix/type-error";
import { unlessAborted } from "./abort.ts";
import { type Checks, createChecks } from "./checks/checks.ts";
import { evaluateByPrefix } from "./checks/evaluate-by-prefix.ts";
import { createJudge } from "./checks/judge.ts";
import { createLocalKnowledge, type LocalChecks } from "./checks/local-checks.ts";
import { createSnapshot, type Snapshot } from "./checks/snapshot.ts";
import { ClientError } from "./error.ts";
import { type createDecoys, NO_DECOYS } from "./hashes/decoys.ts";
import type { createFullHashFinder, FullHashFinder } from "./hashes/full-hashes.ts";
import { createHashCache } from "./hashes/hash-cache.ts";
import { createSearcher } from "./hashes/searcher.ts";
import type { createFollower } from "./lists/follower.ts";
import { createListKeeper } from "./lists/list-keeper.ts";
import type { admitted } from "./lists/new-list.ts";
import { type ClientOptions, checkOptions } from "./options.ts";
import type { ApplyUpdate } from "./protocols/apply-update.ts";
import type { KeptList, ListOutcome, ProtocolContext, Protocols } from "./protocols/protocol.ts";
import { createRequester, type RequestCounts } from "./requests/requester.ts";
import { createSearchPause } from "./requests/search-pause.ts";
import {
  backOff,
  FIRST_DELAY,
  LEAST_WAIT,
  LONGEST_WAIT,
  serverWait,
  USUAL_WAIT,
} from "./schedule/back-off.ts";
import { createSchedule } from "./schedule/schedule.ts";
import { PLATFORM_TIMERS, pauseWith } from "./schedule/timers.ts";
import { type SharedTask, sharedTask } from "./shared-task.ts";

/** The effect of an update on one list. */
export interface UpdatedList {
  readonly name: string;
  /** Whether the list now has another version. */
  readonly changed: boolean;
  /** How many entries were added and removed, and how many there are now. */
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  /** The number of bytes of encoded entries that were received. */
  readonly bytes: number;
  /** Why the list was thrown away, or could not be updated; otherwise `null`. */
  readonly error: ClientError | null;
}

/** The result of an update. */
export interface UpdateResult {
  readonly lists: readonly UpdatedList[];
  /** The number of bytes in all answers. */
  readonly bytes: number;
  /** When the next update is due, in milliseconds since 1970. */
  readonly nextUpdate: number;
  /** Why something could not be stored; `null` when nothing failed. The client uses the new lists in either case. */
  readonly storageError: ClientError | null;
}

/** The result of reading the storage. */
export interface LoadResult {
  readonly lists: readonly {
    readonly name: string;
    /** The number of entries; `null` when there is no list. */
    readonly size: number | null;
    readonly error: ClientError | null;
  }[];
  readonly storageError: ClientError | null;
}

/** The state of one list. */
export interface ListStatus {
  readonly name: string;
  /** The checksum of the list: SHA-256 of all its entries, in hexadecimal. `null` when there is no list. */
  readonly version: string | null;
  readonly size: number;
  /**
   * When the server last said that this is the newest version, in milliseconds since 1970; `null` when there is no
   * list.
   */
  readonly checkedAt: number | null;
  /** How long ago `checkedAt` was, in milliseconds; `null` when there is no list. */
  readonly age: number | null;
  /**
   * When the list becomes outdated if no update succeeds, in milliseconds since 1970: `grace` after the next update is
   * due. `null` when there is no list.
   */
  readonly until: number | null;
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | null;
  readonly error: ClientError | null;
}

/** The state of a client. It contains neither the key nor any URL. */
export interface ClientStatus {
  readonly lists: readonly ListStatus[];
  /** Whether `start` was called, and `stop` was not called after it. */
  readonly isStarted: boolean;
  readonly isUpdating: boolean;
  /** When the next update is due, in milliseconds since 1970; `null` before the first one. */
  readonly nextUpdate: number | null;
  /** How many updates have failed since the last successful one. */
  readonly failures: number;
  /** The error of the last update; `null` when it succeeded. */
  readonly lastError: ClientError | null;
  /**
   * Why the storage may not have the current lists. While no update runs, `null` means that it has them, or that there
   * is no storage.
   */
  readonly storageError: ClientError | null;
  /** The state of the searches for full hashes. */
  readonly searches: {
    /** How many searches have failed since the last successful one. Failures at the same time count as one. */
    readonly failures: number;
    readonly lastError: ClientError | null;
    /** When the pause in searches ends, in milliseconds since 1970; `null` when there is none. */
    readonly pausedUntil: number | null;
  };
  /** What the client has sent and received since it was created. */
  readonly requests: RequestCounts;
  /** The number of prefixes whose answers are in the cache. */
  readonly cached: number;
}

/** A client without `findFullHashes` and `knownFullHashes`, which only some programs need, such as servers. */
export interface BasicClient extends Checks, LocalChecks {
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
   * From now on, updates the lists whenever the server says. The first update comes after a random delay of up to a
   * minute, or later if an earlier client stored that it is due later. With `updates: "follow"`, reads the storage now
   * and whenever it changes.
   */
  start(): void;
  /** Ends updates and searches, and waits until they have ended. Checks still work. */
  stop(): Promise<void>;
  status(): ClientStatus;
  /** The list that the client has now; `null` when it has none. */
  list(name: string): PrefixList | null;
}

/** Keeps lists current, and checks URLs against them. Its functions do not use `this`. */
export interface Client extends BasicClient, FullHashFinder {}

/** Parts that only some programs need, such as servers. Pages and extensions are smaller without them. */
export interface ClientParts {
  readonly admitted: typeof admitted;
  readonly createDecoys: typeof createDecoys;
  readonly createFollower: typeof createFollower;
  readonly createFullHashFinder: typeof createFullHashFinder;
}

/** The maximum length of an answer to a search. */
const SEARCH_BYTES = 4 * 2 ** 20;

function unknownError(cause: unknown): ClientError {
  const message = `The update failed: ${(cause as Error)?.message ?? cause}`;
  return new ClientError("answer-wrong", message, { cause });
}

/**
 * Makes a client that speaks these protocols, and applies updates with `apply` unless the options have another
 * function.
 */
export function createClientOf(
  protocols: Protocols,
  apply: ApplyUpdate,
  options: ClientOptions,
  parts: ClientParts | null,
): BasicClient & Partial<FullHashFinder> {
  const checked = checkOptions(protocols, options);
  const { protocol, server, key, procedure, now, random } = checked;
  const timers = checked.timers ?? PLATFORM_TIMERS;
  const isFollowing = checked.updates === "follow";
  if (parts === null && (isFollowing || checked.onNewList !== null || checked.decoys > 0)) {
    throw typeError("options", "ones that @x/client/v5 supports", options);
  }
  const requester = createRequester({
    server,
    key,
    fetch: checked.fetch,
    onRequest: checked.onRequest,
    maxBytes: {
      update: checked.maxResponseBytes,
      search: Math.min(SEARCH_BYTES, checked.maxResponseBytes),
    },
    timeout: checked.timeout,
  });
  const context: ProtocolContext = {
    server,
    key,
    publicKeys: checked.publicKeys,
    timeout: checked.timeout,
    random,
    pause: (milliseconds, signal) => pauseWith(timers, milliseconds, signal),
    sizeConstraints: checked.sizeConstraints,
    apply: checked.apply ?? apply,
    // If updates are applied on this thread, the file is made later, so that checks can use the new list sooner.
    withFile: checked.apply !== null && checked.storage !== null,
    now,
    send: requester.send,
    fetchFor: requester.fetchFor,
    countReceived: requester.countReceived,
  };
  const keeper = createListKeeper({
    protocol: checked.protocolName,
    server: server.href,
    names: checked.lists,
    storage: checked.storage,
    isFollowing,
    timeout: checked.timeout,
    apply: context.apply,
  });
  const cache = createHashCache(checked.maxCached);
  let due: number | null = null;
  let wait = USUAL_WAIT;
  let failures = 0;
  let lastError: ClientError | null = null;
  let running: SharedTask<UpdateResult> | null = null;
  let last: Promise<void> = Promise.resolve();
  let snapshot = makeSnapshot(null);
  const secret = Math.floor(random() * 2 ** 32);
  let decoys = NO_DECOYS;

  function makeSnapshot(before: Snapshot | null): Snapshot {
    return createSnapshot({
      states: keeper.states,
      protocol,
      registrableDomain: checked.registrableDomain,
      remembered: procedure === "local-list" ? cache.listed(now()) : [],
      before,
      wait,
      grace: checked.grace,
    });
  }

  /**
   * The last version of every list that the client had. A check may still use a list that has since been thrown away.
   * The search for that check must include this list.
   */
  const lastLists = new Map<string, KeptList>();

  /** Lets checks see the lists as they are now. */
  function show(): void {
    for (const state of keeper.states) if (state.list !== null) lastLists.set(state.name, state);
    const before = snapshot;
    snapshot = makeSnapshot(before);
    if (snapshot.checkers === before.checkers) return;
    decoys = parts?.createDecoys(snapshot.threats, checked.decoys, secret) ?? NO_DECOYS;
  }

  function searchedLists(): KeptList[] {
    return keeper.states.map((state) => lastLists.get(state.name) ?? state);
  }

  const pause = createSearchPause(random);
  const searcher = createSearcher({
    search: (prefixes, signal) => protocol.search(prefixes, searchedLists, context, signal),
    onPrefixes: requester.countPrefixes,
    cache,
    pause,
    decoys: () => decoys,
    maxPrefixes: checked.maxPrefixes,
    decoysPerPrefix: checked.decoys,
    now,
  });
  const threatTypeOf = (name: string) => protocol.describe(name).threatType;
  const judge = createJudge({ cache, onError: checked.onError, threatTypeOf });
  const local = createLocalKnowledge({
    snapshot: () => snapshot,
    judge,
    procedure,
    registrableDomain: checked.registrableDomain,
    now,
  });
  const checks = createChecks({
    settled: local.settled,
    evaluate: evaluateByPrefix(local.caseOf, judge, searcher, now),
  });

  function keep(outcome: ListOutcome, time: number): UpdatedList {
    const { name } = outcome;
    const base = { name, changed: false, added: 0, removed: 0, bytes: 0 };
    if (outcome.kind === "new") {
      const { token, list, file, added, removed, bytes } = outcome;
      keeper.replace(name, token, list, time, file);
      return { name, changed: true, added, removed, size: list.size, bytes, error: null };
    }
    if (outcome.kind === "damaged") keeper.discard(name, outcome.error);
    else if (outcome.kind === "failed") keeper.note(name, outcome.error);
    else keeper.confirm(name, outcome.token, time);
    const size = keeper.states.find((state) => state.name === name)?.list?.size ?? 0;
    return { ...base, size, error: "error" in outcome ? outcome.error : null };
  }

  function failed(error: ClientError): void {
    failures++;
    lastError = error;
    const isFirstDamage = error.code === "list-damaged" && failures === 1;
    const pause = isFirstDamage ? LEAST_WAIT : backOff(failures, random());
    due = now() + Math.max(pause, Math.min(error.retryAfter ?? 0, LONGEST_WAIT));
  }

  async function runUpdate(signal: AbortSignal): Promise<UpdateResult> {
    const before = requester.counts().bytesReceived;
    const from = now();
    try {
      const { states } = keeper;
      const { outcomes, wait: asked } = await protocol.update(states, context, signal);
      const seen: ListOutcome[] = [];
      for (const outcome of outcomes) {
        const { onNewList } = checked;
        seen.push((await parts?.admitted(outcome, states, onNewList, signal)) ?? outcome);
      }
      signal.throwIfAborted();
      // The age of the answer is counted from its request, because the machine may have slept in between.
      const time = Math.min(from, now());
      const lists = seen.map((outcome) => keep(outcome, time));
      const damage = lists.find(({ error }) => error !== null)?.error ?? null;
      wait = serverWait(asked);
      if (damage === null) {
        failures = 0;
        lastError = null;
        due = now() + (now() - time > wait ? LEAST_WAIT : wait);
      } else {
        failed(damage);
      }
      // Checks need not wait for the storage.
      show();
      await keeper.store({ due, wait, failures });
      const bytes = requester.counts().bytesReceived - before;
      return { lists, bytes, nextUpdate: due!, storageError: keeper.storageError };
    } catch (error) {
      // If the update was aborted, the server has not failed.
      signal.throwIfAborted();
      const known = error instanceof ClientError ? error : unknownError(error);
      failed(known);
      await keeper.store({ due, wait, failures });
      throw known;
    }
  }

  /** Calls `run` after earlier updates and storage reads have ended. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    last = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  function update(signal?: AbortSignal): Promise<UpdateResult> {
    // If the caller has already given up, no update is started.
    signal?.throwIfAborted();
    if (running === null || running.isAborted) {
      const task = sharedTask((inner) =>
        inTurn(async () => {
          inner.throwIfAborted();
          return runUpdate(inner);
        }),
      );
      running = task;
      void task.ended.then(() => {
        if (running === task) running = null;
      });
    }
    return running.join(signal);
  }

  /** When the next update is due. A time further away than the longest wait was set before the clock was set back. */
  const knownDue = () => (due !== null && due > now() + LONGEST_WAIT ? null : due);

  const schedule = createSchedule({
    due: () => knownDue() ?? now(),
    onSetBack(milliseconds) {
      if (due !== null) due -= milliseconds;
      keeper.shift(milliseconds);
      show();
    },
    // The error is ignored here, because `status` returns it.
    run: () =>
      update().then(
        () => {},
        () => {},
      ),
    now,
    timers,
  });

  /** When the first update after `start` is due. */
  function firstDue(): number {
    return Math.max(knownDue() ?? 0, now() + random() * FIRST_DELAY);
  }

  async function load(
    signal: AbortSignal | undefined,
    changed?: ReadonlySet<string>,
  ): Promise<LoadResult> {
    const times = await keeper.load(signal, changed).catch((error) => {
      // Some lists may have been read before the error.
      show();
      throw error;
    });
    wait = serverWait(times?.wait ?? null);
    failures = times?.failures ?? 0;
    const isMissing = keeper.states.some(({ list }) => list === null);
    // If a list is missing, the stored time does not count, unless the last update failed or another client makes the
    // updates.
    due = isMissing && failures === 0 && !isFollowing ? null : (times?.due ?? null);
    if (schedule.isRunning) due = firstDue();
    show();
    return {
      lists: keeper.states.map(({ name, list, error }) => ({
        name,
        size: list?.size ?? null,
        error,
      })),
      storageError: keeper.storageError,
    };
  }

  const follower = isFollowing
    ? parts!.createFollower({
        storage: checked.storage!,
        async reload(changed, signal) {
          const { lists, storageError } = await inTurn(() => load(signal, changed));
          return (
            storageError === null && lists.every(({ error }) => error?.code !== "apply-failed")
          );
        },
        timers,
      })
    : null;

  return {
    ...checks,
    checkLocally: local.checkLocally,
    ...parts?.createFullHashFinder({ cache, searcher, protocol, searchedLists, now }),
    list: (name) => keeper.states.find((state) => state.name === name)?.list ?? null,

    async load(given) {
      const { signal } = ownOptions(given ?? {});
      return unlessAborted(
        inTurn(() => load(signal)),
        signal,
      );
    },

    async update(given) {
      if (follower !== null) throw follower.updateError();
      return update(ownOptions(given ?? {}).signal);
    },

    start() {
      if (follower !== null) follower.start();
      if (isFollowing || schedule.isRunning || procedure === "no-storage") return;
      due = firstDue();
      schedule.start();
    },

    async stop() {
      schedule.stop();
      follower?.stop();
      const reason = new ClientError("stopped", "The client was stopped");
      running?.abort(reason);
      await Promise.all([last, searcher.stop(reason)]);
    },

    status() {
      const time = now();
      return {
        lists: keeper.states.map(({ name, list, checkedAt, problem, error }) => ({
          name,
          version: list?.checksum ?? null,
          size: list?.size ?? 0,
          checkedAt,
          age: checkedAt === null ? null : time - checkedAt,
          until: checkedAt === null ? null : checkedAt + wait + checked.grace,
          problem,
          error,
        })),
        isStarted: schedule.isRunning || follower?.isRunning === true,
        isUpdating: running !== null,
        nextUpdate: due,
        failures,
        lastError,
        storageError: keeper.storageError,
        searches: {
          failures: pause.failures,
          lastError: pause.lastError,
          pausedUntil: pause.until(time),
        },
        requests: requester.counts(),
        cached: cache.size,
      };
    },
  };
}
