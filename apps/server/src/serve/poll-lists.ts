import { setTimeout as delay } from "node:timers/promises";
import { NO_LISTS, type ServedLists } from "./lists/served-lists.ts";
import type { ServerLog } from "./log.ts";

/** The longest time between two checks for expired lists, in milliseconds. */
const EXPIRY_CHECK = 1000;
/**
 * The minimum time between two checks for new versions, in milliseconds for each list. As a result, idle lists take
 * less than one percent of a processor, no matter how many there are.
 */
const PER_LIST = 50;
/** The longest time that a Node timer can wait, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

interface PollOptions {
  /** The time between two checks for new versions, in milliseconds. */
  readonly poll: () => number;
  readonly log: ServerLog;
  /** Called when a list has changed. */
  readonly onChange: () => void;
}

/** The time until the next list expires and must no longer be served, in milliseconds. */
function timeLeft(lists: ServedLists): number {
  const expiries = lists.all().map(({ loaded }) => loaded?.entry.manifest.expires ?? Infinity);
  return Math.max(0, Math.min(...expiries) - Date.now());
}

/** Looks for new versions at regular intervals, until the returned function is called. */
export function pollLists(
  lists: ServedLists,
  { poll, log, onChange }: PollOptions,
): () => Promise<unknown> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) =>
    delay(Math.min(milliseconds, MAX_TIMER), undefined, { signal }).catch(() => {});

  async function lookForVersions(): Promise<void> {
    let problems = problemsForLog(lists);
    let isReadable = true;
    for (;;) {
      await pause(Math.min(Math.max(poll(), PER_LIST * lists.all().length), timeLeft(lists)));
      if (signal.aborted) return;
      try {
        if (await lists.refresh()) onChange();
        if (!isReadable) log.info("The store can be read again.");
        isReadable = true;
      } catch (error) {
        if (signal.aborted) return;
        isReadable = false;
        log.error(`The store cannot be read: ${(error as Error).message}`);
      }
      if (signal.aborted) return;
      const now = problemsForLog(lists);
      if (JSON.stringify(now) !== JSON.stringify(problems)) {
        for (const { message, facts } of now) log.error(message, facts);
        for (const list of recoveredLists(problems, now)) {
          if (list !== undefined) log.info(`The list ${list} no longer has a problem.`, { list });
        }
      }
      problems = now;
    }
  }

  /** Expiry has its own timer, because a list may expire while the store is slow to answer. */
  async function watchExpiry(): Promise<void> {
    while (!signal.aborted) {
      if (lists.expire()) onChange();
      // In the meantime, a list that expires sooner may be loaded.
      await pause(Math.min(timeLeft(lists) + 1, EXPIRY_CHECK));
    }
  }

  const stopped = Promise.all([lookForVersions(), watchExpiry()]);
  return () => {
    stopping.abort();
    return stopped;
  };
}

interface LoggedProblem {
  readonly message: string;
  /** The list that has the problem, and the version that is served in the meantime. */
  readonly facts: { readonly list?: string; readonly version?: number };
}

/**
 * The lists that have problems in `before`, but none in `now`; `undefined` stands for problems that are not about one
 * list.
 */
export function recoveredLists(
  before: readonly Pick<LoggedProblem, "facts">[],
  now: readonly Pick<LoggedProblem, "facts">[],
): readonly (string | undefined)[] {
  const failing = new Set(now.map(({ facts }) => facts.list));
  return [...new Set(before.map(({ facts }) => facts.list))].filter((list) => !failing.has(list));
}

/** The problems of all lists, for the log. A store without lists is a problem, too. */
export function problemsForLog(lists: ServedLists): LoggedProblem[] {
  const all = lists.all();
  if (all.length === 0) return [{ message: NO_LISTS, facts: {} }];
  return all.flatMap(({ name, loaded, problem, detail }) => {
    if (problem === null) return [];
    const message = detail === null ? `${problem}.` : `${problem} (list ${name}: ${detail}).`;
    const version = loaded?.entry.manifest.version;
    return [{ message, facts: { list: name, ...(version !== undefined && { version }) } }];
  });
}
