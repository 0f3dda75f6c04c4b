import { setTimeout as delay } from "node:timers/promises";
import { type Client, type ClientOptions, createClient } from "@x/client";
import type { About } from "@x/list-store";
import type { ServerLog } from "../serve/log.ts";

/** Lists that are kept by one client: those of a store, or those of another server. */
export interface ListsSource {
  /** The name for the log, such as the address of a store. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "lists">;
  /** The names of the lists; called again now and then if `hasNews` is given. */
  readonly lists: (signal: AbortSignal) => Promise<readonly string[]>;
  /**
   * Returns a text that changes when a list may have a new version. Without this function, the lists are updated when
   * their server says.
   */
  readonly hasNews?: (lists: readonly string[], signal: AbortSignal) => Promise<string>;
  /** How often `hasNews` is called, in milliseconds. */
  readonly poll: number;
}

/** The state of a list, for metrics and the log. */
export interface DnsListState {
  readonly name: string;
  readonly entries: number;
  /** When the list was last known to be the newest version, in milliseconds since 1970; `null` if there is no list. */
  readonly checkedAt: number | null;
  /** Why the list cannot be relied on; `null` if it can. */
  readonly problem: string | null;
  /** What the publisher of the list says about it. */
  readonly about?: About | undefined;
}

/** A store is asked for its newest versions after this time even if nothing seems to have changed, in milliseconds. */
const FULL_CHECK = 10 * 60_000;
/** The same for a store that could not be read the last time. */
const RETRY = 10_000;

/** How often to look whether searches fail, in milliseconds. The client makes longer pauses between searches. */
const SEARCH_AGAIN = 2000;
const SEARCHED_BYTES = 4;

/** The lists of one source. */
export interface FollowedLists {
  /** Settles when the lists have been looked for once. */
  readonly first: Promise<void>;
  /** The client of the lists; `null` while no list is known. */
  client(): Client | null;
  states(): readonly DnsListState[];
  stop(): Promise<void>;
}

/**
 * Keeps the lists of one source current until `signal` is aborted.
 *
 * @param updatesNow whether another server is asked at once, even if it said that the lists need no update yet.
 */
export function followLists(
  { name, client: options, lists, hasNews, poll }: ListsSource,
  log: Pick<ServerLog, "error">,
  signal: AbortSignal,
  updatesNow: boolean,
): FollowedLists {
  let client: Client | null = null;
  let names: readonly string[] = [];
  let problem: string | null = `${name} has no lists yet`;

  /** Makes the client for these lists, which keeps what the client before it has stored. */
  async function open(next: readonly string[]): Promise<void> {
    const opened = createClient({ ...options, lists: next });
    await opened.load();
    await client?.stop();
    names = next;
    client = opened;
  }

  async function update(): Promise<void> {
    // The states of the lists have the error.
    await client!.update({ signal }).catch(() => {});
  }

  /** Looks for new lists and new versions. */
  async function look(news: { last: string; at: number }): Promise<void> {
    const next = [...(await lists(signal))].sort();
    if (next.length > 0 && next.join() !== names.join()) {
      await open(next);
      news.last = "";
    }
    problem = client === null ? `${name} has no lists yet` : null;
    if (client === null || hasNews === undefined) return;
    const now = await hasNews(names, signal);
    const wait = client.status().lastError === null ? FULL_CHECK : RETRY;
    const age = Date.now() - news.at;
    // If the clock was set back, nobody knows when the store was last asked.
    if (now === news.last && age >= 0 && age < wait) return;
    await update();
    news.last = now;
    news.at = Date.now();
  }

  async function followStore(onFirst: () => void): Promise<void> {
    const news = { last: "", at: 0 };
    while (!signal.aborted) {
      try {
        await look(news);
      } catch (error) {
        problem = `${name} cannot be read: ${(error as Error).message}`;
      }
      onFirst();
      await delay(poll, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async function followServer(onFirst: () => void): Promise<void> {
    try {
      await open(await lists(signal));
      problem = null;
      const { nextUpdate } = client!.status();
      if (updatesNow || nextUpdate === null || nextUpdate <= Date.now()) await update();
      client!.start();
    } catch (error) {
      problem = `the lists of ${name} cannot be read: ${(error as Error).message}`;
      log.error(problem);
    }
    onFirst();
  }

  /**
   * Searches for a random prefix after a search has failed, until one succeeds. The next query that needs a search may
   * be hours away, and would be the first to show that names can be confirmed again.
   */
  async function retrySearches(): Promise<void> {
    while (!signal.aborted) {
      await delay(SEARCH_AGAIN, undefined, { signal, ref: false }).catch(() => {});
      const searches = client?.status().searches;
      if (signal.aborted || !searches?.lastError || searches.pausedUntil !== null) continue;
      const prefix = crypto.getRandomValues(new Uint8Array(SEARCHED_BYTES));
      // The client sends one search for all lists.
      await Promise.allSettled(
        names.map((list) => client!.findFullHashes(list, [prefix], { signal })),
      );
    }
  }

  const { promise: first, resolve } = withResolvers();
  const following = hasNews === undefined ? followServer(resolve) : followStore(resolve);
  const running = Promise.all([following, retrySearches()]);
  return {
    first,
    client: () => client,
    states() {
      const all = client === null ? [] : statesOf(client, Date.now());
      if (problem === null) return all;
      return [...all, { name, entries: 0, checkedAt: null, problem }];
    },
    async stop() {
      await running;
      await client?.stop();
    },
  };
}

/** A promise and the function that settles it. */
function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: settle };
}

const PROBLEMS = {
  "not-loaded": "has not been loaded yet",
  "list-damaged": "is damaged",
  "list-unknown": "is unknown to its server",
} as const;

function statesOf(client: Client, now: number): readonly DnsListState[] {
  const { lists, lastError, searches } = client.status();
  // The last error may be that of one list, which says nothing about the others.
  const ofAll = lists.some(({ error }) => error === lastError) ? null : lastError;
  return lists.map(({ name, size, checkedAt, until, problem, error, manifest }) => {
    const cause = error ?? ofAll;
    const why = cause === null ? "" : `: ${cause.message}`;
    let text: string | null = null;
    if (problem !== null) text = `The list ${name} ${PROBLEMS[problem]}${why}`;
    else if (until !== null && until <= now) text = `The list ${name} is too old${why}`;
    else if (cause !== null) text = `The list ${name} is not being updated${why}`;
    else if (searches.lastError !== null) {
      text = `Names on the list ${name} cannot be confirmed: ${searches.lastError.message}`;
    }
    return { name, entries: size, checkedAt, problem: text, about: manifest?.about };
  });
}
