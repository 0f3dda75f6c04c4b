import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { ClientError } from "../error.ts";
import type { SearchAnswer } from "../protocols/protocol.ts";
import { type SharedTask, sharedTask } from "../shared-task.ts";
import type { Decoys } from "./decoys.ts";
import { groupHashes, type HashCache, type PrefixAnswer } from "./hash-cache.ts";
import { prefixKey, prefixOf } from "./prefix-key.ts";
import type { SearchPause } from "./search-pause.ts";

/** How many searches may run at the same time. */
const MAX_CONCURRENT = 6;

/** The server's answer about each prefix, or the reason why there is none. */
export type Answers = ReadonlyMap<number, PrefixAnswer | ClientError>;

/** Asks the server for full hashes. */
export interface Searcher {
  /**
   * Asks the server about prefixes. If a running search already asks about a prefix, waits for that search instead.
   *
   * @throws the signal's reason when the signal is aborted. A `ClientError` is not thrown: it is the answer for its
   * prefixes.
   */
  find(keys: ReadonlySet<number>, signal?: AbortSignal): Promise<Answers>;
  /** Ends all searches, and waits until they have ended. */
  stop(reason: ClientError): Promise<void>;
}

export interface SearcherOptions {
  readonly search: (prefixes: readonly Uint8Array[], signal: AbortSignal) => Promise<SearchAnswer>;
  readonly onPrefixes: (prefixes: number, decoys: number) => void;
  readonly cache: HashCache;
  readonly pause: SearchPause;
  readonly decoys: () => Decoys;
  /** How many prefixes a request has room for, including decoys. */
  readonly maxPrefixes: number;
  /** The maximum number of decoys for a prefix. */
  readonly decoysPerPrefix: number;
  readonly now: () => number;
}

type Found = ReadonlyMap<number, PrefixAnswer>;

export function createSearcher(options: SearcherOptions): Searcher {
  const { search, onPrefixes, cache, pause, decoys, maxPrefixes, decoysPerPrefix, now } = options;
  const asked = new Map<number, SharedTask<Found>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Runs at most {@link MAX_CONCURRENT} searches at a time. */
  async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  async function ask(keys: readonly number[], signal: AbortSignal): Promise<Found> {
    signal.throwIfAborted();
    const attempt = pause.begin(now());
    if (attempt === null) {
      const message = "Searches are paused, because the server asked for it or has failed";
      throw new ClientError("server-unreachable", message, { cause: pause.lastError });
    }
    try {
      const answer = await searchNow(keys, signal);
      attempt.succeeded(now(), answer.wait);
      return answer.found;
    } catch (error) {
      const isFailure = error instanceof ClientError && error.code !== "request-refused";
      if (isFailure && !signal.aborted) attempt.failed(now(), error);
      else attempt.dropped();
      throw error;
    }
  }

  async function searchNow(
    keys: readonly number[],
    signal: AbortSignal,
  ): Promise<{ readonly found: Found; readonly wait: number | null }> {
    const added = decoys().choose(keys);
    // The prefixes are sorted, so that the position of a prefix does not show whether it is a decoy.
    const all = [...keys, ...added].sort((a, b) => a - b);
    const asked = now();
    onPrefixes(all.length, added.length);
    const { hashes, duration, wait } = await search(all.map(prefixOf), signal);
    const known = new Set(all);
    if (hashes.some(({ hash }) => hash.length !== FULL_HASH_BYTES || !known.has(prefixKey(hash)))) {
      const message = "The server's answer has a full hash for no requested prefix";
      throw new ClientError("answer-wrong", message);
    }
    // The age of the answer is counted from its request, because the machine may have slept in between.
    const from = Math.min(asked, now());
    const groups = groupHashes(hashes);
    const found = new Map<number, PrefixAnswer>();
    for (const key of keys) {
      const answer = { hashes: groups.get(key) ?? new Map(), from, duration };
      found.set(key, answer);
      cache.set(key, answer);
    }
    return { found, wait };
  }

  function start(keys: readonly number[]): SharedTask<Found> {
    const task = sharedTask((signal) => inTurn(() => ask(keys, signal)));
    for (const key of keys) asked.set(key, task);
    void task.ended.then(() => {
      for (const key of keys) if (asked.get(key) === task) asked.delete(key);
    });
    return task;
  }

  return {
    async find(keys, signal) {
      signal?.throwIfAborted();
      const answers = new Map<number, PrefixAnswer | ClientError>();
      const tasks = new Map<SharedTask<Found>, number[]>();
      const fresh: number[] = [];
      for (const key of keys) {
        const task = asked.get(key);
        if (task === undefined || task.isAborted) fresh.push(key);
        else tasks.set(task, [...(tasks.get(task) ?? []), key]);
      }
      const room = Math.max(1, Math.floor(maxPrefixes / (1 + decoysPerPrefix)));
      for (let i = 0; i < fresh.length; i += room) {
        const part = fresh.slice(i, i + room);
        tasks.set(start(part), part);
      }
      await Promise.all(
        [...tasks].map(async ([task, mine]) => {
          try {
            const found = await task.join(signal);
            for (const key of mine) answers.set(key, found.get(key)!);
          } catch (error) {
            if (!(error instanceof ClientError)) throw error;
            for (const key of mine) answers.set(key, error);
          }
        }),
      );
      return answers;
    },

    async stop(reason) {
      const tasks = [...new Set(asked.values())];
      for (const task of tasks) task.abort(reason);
      await Promise.all(tasks.map(({ ended }) => ended));
    },
  };
}
