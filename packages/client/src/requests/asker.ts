import { ClientError } from "../error.ts";
import { LONGEST_WAIT } from "../lists/state.ts";
import { type SharedTask, sharedTask } from "../tasks.ts";

/** The maximum number of requests at the same time. */
const MAX_CONCURRENT = 6;

/** The answer about each key, or the reason why there is none. */
export type Answered<Key, Answer> = ReadonlyMap<Key, Answer | ClientError>;

/** Asks the server about keys, such as hash prefixes. */
export interface Asker<Key, Answer> {
  /**
   * Asks the server. If a running request already asks about a key, waits for that request instead.
   *
   * @throws the signal's reason when the signal is aborted. A `ClientError` is not thrown: it is the answer for its
   * keys.
   */
  find(keys: ReadonlySet<Key>, signal?: AbortSignal): Promise<Answered<Key, Answer>>;
  /** Ends all requests, and waits until they have ended. */
  stop(reason: ClientError): Promise<void>;
}

export interface AskerOptions<Key, Answer> {
  /** Sends one request, and returns an answer for each of its keys. */
  readonly ask: (
    keys: readonly Key[],
    signal: AbortSignal,
  ) => Promise<{ readonly found: Answered<Key, Answer>; readonly wait: number | null }>;
  /** Divides keys among requests. */
  readonly divide: (keys: readonly Key[]) => Iterable<readonly Key[]>;
  readonly pause: SearchPause;
  readonly now: () => number;
}

export function createAsker<Key, Answer>(options: AskerOptions<Key, Answer>): Asker<Key, Answer> {
  type Found = Answered<Key, Answer>;
  const asked = new Map<Key, SharedTask<Found>>();
  const whenFree = atMost(MAX_CONCURRENT);

  function start(keys: readonly Key[]): SharedTask<Found> {
    const task = sharedTask((signal) => whenFree(() => askUnlessPaused(options, keys, signal)));
    for (const key of keys) asked.set(key, task);
    void task.ended.then(() => {
      for (const key of keys) if (asked.get(key) === task) asked.delete(key);
    });
    return task;
  }

  return {
    async find(keys, signal) {
      signal?.throwIfAborted();
      const answers = new Map<Key, Answer | ClientError>();
      const tasks = new Map<SharedTask<Found>, readonly Key[]>();
      const fresh: Key[] = [];
      for (const key of keys) {
        const task = asked.get(key);
        if (task === undefined || task.isAborted) fresh.push(key);
        else tasks.set(task, [...(tasks.get(task) ?? []), key]);
      }
      for (const part of options.divide(fresh)) tasks.set(start(part), part);
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

/** Returns a function that runs work when fewer than `most` others run. Work that has to wait runs in order. */
function atMost(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Divides keys into parts of at most `most` keys, of at most `mostLength` in total unless one key alone is longer. */
export function* partsOf<Key>(
  keys: readonly Key[],
  most: number,
  mostLength: number = Infinity,
  lengthOf: (key: Key) => number = () => 0,
): Generator<readonly Key[], void, undefined> {
  let part: Key[] = [];
  let length = 0;
  for (const key of keys) {
    const own = lengthOf(key);
    if (part.length === most || (part.length > 0 && length + own > mostLength)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(key);
    length += own;
  }
  if (part.length > 0) yield part;
}

/** Sends one request, unless there is a pause. */
async function askUnlessPaused<Key, Answer>(
  { ask, pause, now }: AskerOptions<Key, Answer>,
  keys: readonly Key[],
  signal: AbortSignal,
): Promise<Answered<Key, Answer>> {
  signal.throwIfAborted();
  const attempt = pause.begin(now());
  if (attempt === null) {
    const message = "Searches are paused, because the server asked for it or has failed";
    throw new ClientError("server-unreachable", message, { cause: pause.lastError });
  }
  try {
    const answer = await ask(keys, signal);
    attempt.succeeded(now(), answer.wait);
    return answer.found;
  } catch (error) {
    const isFailure = error instanceof ClientError && error.code !== "request-refused";
    if (isFailure && !signal.aborted) attempt.failed(now(), error);
    else attempt.dropped();
    throw error;
  }
}

/**
 * The pause after the second failure in a row, and the longest pause, in milliseconds. To each pause, a random
 * time of up to its own length is added.
 */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/** Decides when the client may send a search. */
export interface SearchPause {
  /** How many searches have failed in a row. Failures of searches that ran at the same time count as one. */
  readonly failures: number;
  readonly lastError: ClientError | null;
  /** When the pause ends, in milliseconds since 1970; `null` when there is none. */
  until(time: number): number | null;
  /**
   * Begins a search, unless there is a pause. After two or more failures in a row, only one search at a time may check
   * whether the server is back. Returns `null` when this search may not be sent.
   */
  begin(time: number): SearchAttempt | null;
}

export interface SearchAttempt {
  /** The server has answered, and asked the client to wait `wait` milliseconds. */
  succeeded(time: number, wait: number | null): void;
  failed(time: number, error: ClientError): void;
  /** The search was given up, which says nothing about the server. */
  dropped(): void;
}

export function createSearchPause(random: () => number): SearchPause {
  let failures = 0;
  let lastError: ClientError | null = null;
  let from = 0;
  let length = 0;
  let round = 0;
  let isTrying = false;

  function pause(time: number, milliseconds: number): void {
    from = time;
    length = Math.min(Math.max(milliseconds, 0), LONGEST_WAIT);
  }

  // If the clock was set back, the pause is over.
  const until = (time: number) => (time >= from && time < from + length ? from + length : null);

  return {
    get failures() {
      return failures;
    },
    get lastError() {
      return lastError;
    },
    until,

    begin(time) {
      if (until(time) !== null) return null;
      const isTrial = failures > 1;
      if (isTrial && isTrying) return null;
      if (isTrial) isTrying = true;
      const mine = round;
      const end = () => {
        if (isTrial) isTrying = false;
      };
      return {
        succeeded(time, wait) {
          end();
          round++;
          failures = 0;
          lastError = null;
          pause(time, wait ?? 0);
        },
        failed(time, error) {
          end();
          lastError = error;
          if (mine === round) {
            round++;
            failures++;
          }
          const doubled = Math.min(FIRST_PAUSE * 2 ** (failures - 2), LONGEST_PAUSE);
          const usual = failures > 1 ? doubled * (1 + random()) : 0;
          const left = (until(time) ?? time) - time;
          if (mine === round - 1) pause(time, Math.max(usual, error.retryAfter ?? 0, left));
        },
        dropped: end,
      };
    },
  };
}
