import { type Checks, createChecks } from "./checks/checks.ts";
import { createJudge } from "./checks/judge.ts";
import { createSnapshot, type Snapshot } from "./checks/snapshot.ts";
import { ClientError } from "./error.ts";
import { createDecoys, NO_DECOYS } from "./hashes/decoys.ts";
import { createHashCache } from "./hashes/hash-cache.ts";
import { createSearcher } from "./hashes/searcher.ts";
import { createListKeeper } from "./lists/list-keeper.ts";
import { type ClientOptions, checkOptions } from "./options.ts";
import type { ApplyUpdate } from "./protocols/apply-update.ts";
import type { KeptList, ListOutcome, ProtocolContext, Protocols } from "./protocols/protocol.ts";
import { createRequester, type RequestCounts } from "./requests/requester.ts";
import {
  backOff,
  FIRST_DELAY,
  LONGEST_WAIT,
  serverWait,
  USUAL_WAIT,
  WAIT_AFTER_DAMAGE,
} from "./schedule/back-off.ts";
import { createSchedule } from "./schedule/schedule.ts";
import { PLATFORM_TIMERS, pauseWith } from "./schedule/timers.ts";
import { type SharedTask, sharedTask } from "./shared-task.ts";

/** What an update did to one list. */
export interface UpdatedList {
  readonly name: string;
  /** Whether the list has another version now. */
  readonly changed: boolean;
  /** How many entries were added and removed, and how many there are now. */
  readonly added: number;
  readonly removed: number;
  readonly size: number;
  /** The bytes of the coded entries that were received. */
  readonly bytes: number;
  /** Why the list was thrown away, or could not be updated; otherwise `null`. */
  readonly error: ClientError | null;
}

/** What an update did. */
export interface UpdateResult {
  readonly lists: readonly UpdatedList[];
  /** The bytes of all answers. */
  readonly bytes: number;
  /** When the next update is due, in milliseconds since 1970. */
  readonly nextUpdate: number;
  /** Why the storage does not have the lists; `null` when it has. The client uses them all the same. */
  readonly storageError: ClientError | null;
}

/** What a client read from its storage. */
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
  /** When the server last said that this is the newest version, in milliseconds since 1970; `null` when there is no list. */
  readonly checkedAt: number | null;
  /** How long ago that was, in milliseconds. */
  readonly age: number | null;
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | null;
  readonly error: ClientError | null;
}

/** The state of a client. It contains neither the key nor any URL. */
export interface ClientStatus {
  readonly lists: readonly ListStatus[];
  /** Whether `start` was called, and `stop` was not. */
  readonly isStarted: boolean;
  readonly isUpdating: boolean;
  /** When the next update is due, in milliseconds since 1970; `null` before the first one. */
  readonly nextUpdate: number | null;
  /** How many updates have failed since the last one that did not. */
  readonly failures: number;
  /** The error of the last update; `null` when it worked. */
  readonly lastError: ClientError | null;
  readonly storageError: ClientError | null;
  /** What has left the client since it was created. */
  readonly requests: RequestCounts;
  /** The number of prefixes whose answers are in the cache. */
  readonly cached: number;
}

/** Keeps lists current, and checks URLs against them. Its functions do not use `this`. */
export interface Client extends Checks {
  /** Reads the stored lists. Does not use the network. */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<LoadResult>;
  /**
   * Brings the lists up to date now. While an update runs, further calls wait for it.
   *
   * @throws {ClientError} when the server cannot be asked, or its answer is not one of the protocol. All lists stay as they are.
   */
  update(options?: { readonly signal?: AbortSignal | undefined }): Promise<UpdateResult>;
  /** Updates the lists from now on, when the server says; the first time after a random delay of up to a minute. */
  start(): void;
  /** Ends updates and searches, and waits until they have ended. Checks still work. */
  stop(): Promise<void>;
  status(): ClientStatus;
}

/** The longest answer to a search. */
const SEARCH_BYTES = 4 * 2 ** 20;

function unknownError(cause: unknown): ClientError {
  const message = `The update failed: ${(cause as Error)?.message ?? cause}`;
  return new ClientError("answer-wrong", message, { cause });
}

/** Makes a client that speaks these protocols, and applies updates with `apply` unless the options have another way. */
export function createClientOf(
  protocols: Protocols,
  apply: ApplyUpdate,
  options: ClientOptions,
): Client {
  const checked = checkOptions(protocols, options);
  const { protocol, server, key, procedure, now, random } = checked;
  const timers = checked.timers ?? PLATFORM_TIMERS;
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
  });
  const cache = createHashCache(checked.maxCached);
  let due: number | null = null;
  let wait = USUAL_WAIT;
  let failures = 0;
  let lastError: ClientError | null = null;
  let running: SharedTask<UpdateResult> | null = null;
  let snapshot = makeSnapshot();
  let decoys = NO_DECOYS;

  function makeSnapshot(): Snapshot {
    return createSnapshot({
      states: keeper.states,
      protocol,
      registrableDomain: checked.registrableDomain,
      remembered: procedure === "local-list" ? cache.listed(now()) : [],
      wait,
      grace: checked.grace,
    });
  }

  /**
   * Every list as the client had it last. A check may still use a list that has been thrown away since, and its search must not
   * leave that list out.
   */
  const lastLists = new Map<string, KeptList>();

  /** Lets checks see the lists as they are now. */
  function show(): void {
    for (const state of keeper.states) if (state.list !== null) lastLists.set(state.name, state);
    snapshot = makeSnapshot();
    decoys = createDecoys(snapshot.threats, checked.decoys, random);
  }

  const searcher = createSearcher({
    search: (prefixes, signal) =>
      protocol.search(prefixes, [...lastLists.values()], context, signal),
    onPrefixes: requester.countPrefixes,
    cache,
    decoys: () => decoys,
    maxPrefixes: checked.maxPrefixes,
    decoysPerRequest: checked.decoys,
    now,
  });
  const judge = createJudge({
    cache,
    onError: checked.onError,
    threatTypeOf: (name) => protocol.describe(name).threatType,
  });
  const checks = createChecks({
    snapshot: () => snapshot,
    judge,
    searcher,
    procedure,
    registrableDomain: checked.registrableDomain,
    now,
  });

  async function keep(outcome: ListOutcome): Promise<UpdatedList> {
    const { name } = outcome;
    const base = { name, added: 0, removed: 0, bytes: 0 };
    if (outcome.kind === "new") {
      const { token, list, added, removed, bytes } = outcome;
      await keeper.replace(name, token, list, now());
      return { name, changed: true, added, removed, size: list.size, bytes, error: null };
    }
    if (outcome.kind === "damaged") {
      await keeper.discard(name, outcome.error);
      return { ...base, changed: false, size: 0, error: outcome.error };
    }
    if (outcome.kind === "failed") {
      keeper.note(name, outcome.error);
      const size = keeper.states.find((state) => state.name === name)?.list?.size ?? 0;
      return { ...base, changed: false, size, error: outcome.error };
    }
    await keeper.confirm(name, outcome.token, now());
    const size = keeper.states.find((state) => state.name === name)?.list?.size ?? 0;
    return { ...base, changed: false, size, error: null };
  }

  function failed(error: ClientError): void {
    failures++;
    lastError = error;
    const isFirstDamage = error.code === "list-damaged" && failures === 1;
    const pause = isFirstDamage ? WAIT_AFTER_DAMAGE : backOff(failures, random());
    due = now() + Math.max(pause, Math.min(error.retryAfter ?? 0, LONGEST_WAIT));
  }

  async function runUpdate(signal: AbortSignal): Promise<UpdateResult> {
    keeper.forgetError();
    const before = requester.counts().bytesReceived;
    try {
      const { outcomes, wait: asked } = await protocol.update(keeper.states, context, signal);
      signal.throwIfAborted();
      const lists: UpdatedList[] = [];
      // A list that was decoded is kept even if the caller gives up now.
      for (const outcome of outcomes) lists.push(await keep(outcome));
      const damage = lists.find(({ error }) => error !== null)?.error ?? null;
      wait = serverWait(asked);
      if (damage === null) {
        failures = 0;
        lastError = null;
        due = now() + wait;
      } else {
        failed(damage);
      }
      const bytes = requester.counts().bytesReceived - before;
      return { lists, bytes, nextUpdate: due!, storageError: keeper.storageError };
    } catch (error) {
      // Giving up is not a failure of the server.
      if (!signal.aborted) failed(error instanceof ClientError ? error : unknownError(error));
      throw error;
    } finally {
      show();
      await keeper.storeTimes({ due, wait, failures });
    }
  }

  function update(signal?: AbortSignal): Promise<UpdateResult> {
    if (running === null || running.isAborted) {
      const previous = running?.ended ?? Promise.resolve();
      const task = sharedTask(async (inner) => {
        await previous;
        inner.throwIfAborted();
        return runUpdate(inner);
      });
      running = task;
      void task.ended.then(() => {
        if (running === task) running = null;
      });
    }
    return running.join(signal);
  }

  const schedule = createSchedule({
    due: () => due ?? now(),
    onSetBack(milliseconds) {
      if (due !== null) due -= milliseconds;
      keeper.shift(milliseconds);
      show();
    },
    // The error is in the status.
    run: () =>
      update().then(
        () => {},
        () => {},
      ),
    now,
    timers,
  });

  return {
    ...checks,

    async load({ signal } = {}) {
      await running?.ended;
      keeper.forgetError();
      const times = await keeper.load(signal).finally(show);
      due = times?.due ?? null;
      wait = serverWait(times?.wait ?? null);
      failures = times?.failures ?? 0;
      show();
      return {
        lists: keeper.states.map(({ name, list, error }) => ({
          name,
          size: list?.size ?? null,
          error,
        })),
        storageError: keeper.storageError,
      };
    },

    update: async ({ signal } = {}) => update(signal),

    start() {
      if (schedule.isRunning || procedure === "no-storage") return;
      const first = now() + random() * FIRST_DELAY;
      // A time beyond the longest wait was stored under another clock.
      const latest = now() + LONGEST_WAIT;
      due = due === null || due > latest ? first : Math.max(due, first);
      schedule.start();
    },

    async stop() {
      schedule.stop();
      const reason = new ClientError("stopped", "The client was stopped");
      running?.abort(reason);
      await Promise.all([running?.ended, searcher.stop(reason)]);
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
          problem,
          error,
        })),
        isStarted: schedule.isRunning,
        isUpdating: running !== null,
        nextUpdate: due,
        failures,
        lastError,
        storageError: keeper.storageError,
        requests: requester.counts(),
        cached: cache.size,
      };
    },
  };
}
