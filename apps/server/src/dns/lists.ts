import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Client, type ClientOptions, type ClientVerdict, createClient } from "@x/client";
import { chanceOfFalseMatch } from "@x/lookup";
import type { ServerLog } from "../serve/log.ts";

/** Lists that are kept by one client: those of a store, or those of another server. */
export interface ListsSource {
  /** The name for the log, such as the address of a store. */
  readonly name: string;
  readonly client: Omit<ClientOptions, "lists" | "onUpdate">;
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

export interface DnsListsOptions {
  readonly sources: readonly ListsSource[];
  /**
   * Whether a host is blocked because a prefix of four bytes is on a list, without a question whether the entry is
   * really there.
   */
  readonly blocksOnPrefix: boolean;
  /** How long to wait for lists that have not been looked for yet, in milliseconds; without it, as long as it takes. */
  readonly patience?: number;
  readonly log: Pick<ServerLog, "info" | "warn" | "error">;
}

/** The state of a list, for metrics and the log. */
export interface DnsListState {
  readonly name: string;
  readonly entries: number;
  /** When the list was last known to be the newest version, in milliseconds since 1970; `null` if there is no list. */
  readonly checkedAt: number | null;
  /** Why the list cannot be relied on; `null` if it can. */
  readonly problem: string | null;
}

/** What happens to a query about a host. */
export type Decision =
  | { readonly kind: "forward"; readonly isAllowed?: boolean }
  /** `entry` is the entry for the host or for a host above it. */
  | { readonly kind: "block"; readonly list: string; readonly entry: string }
  /** The lists cannot say whether the host is listed. */
  | { readonly kind: "unsure"; readonly reason: string };

/** The lists with which names are blocked, kept current. */
export interface DnsLists {
  decide(host: string): Decision | Promise<Decision>;
  states(): readonly DnsListState[];
  stop(): Promise<void>;
}

const SAFE: Decision = Object.freeze({ kind: "forward" });

/** A store is asked for its newest versions after this time even if nothing seems to have changed, in milliseconds. */
const FULL_CHECK = 10 * 60_000;
/** How often problems are looked for and logged, in milliseconds. */
const WATCH = 2000;

/** Reads the lists, and keeps them current. Waits until each list has been looked for once, or patience ends. */
export async function openDnsLists(options: DnsListsOptions): Promise<DnsLists> {
  const { sources, blocksOnPrefix, patience, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const followed = sources.map((source) => followLists(source, log, signal));
  const all = Promise.all(followed.map(({ first }) => first));
  await (patience === undefined ? all : Promise.race([all, delay(patience, null, { ref: false })]));
  const states = () => followed.flatMap((each) => each.states());
  const running = logChanges({ states, followed, blocksOnPrefix, log, signal });
  const clients = () => followed.flatMap(({ client }) => client() ?? []);

  /** The decision of one client, or `null` if its lists do not have the host. */
  function decisionOf({ verdict: result, matches, reason }: ClientVerdict): Decision | null {
    const isBlocked = result === "unsafe" || (blocksOnPrefix && matches.length > 0);
    if (isBlocked) {
      const [{ list, threatTypes, expression }] = matches as [(typeof matches)[0]];
      return { kind: "block", list: list ?? threatTypes[0] ?? "?", entry: expression };
    }
    // No URL can have the name, so no list has it.
    if (result === "safe" || reason === "url-invalid" || reason === "url-undecided") return null;
    return { kind: "unsure", reason: reason! };
  }

  async function ask(url: string, open: readonly Client[], before: Decision): Promise<Decision> {
    let decision = before;
    for (const client of open) {
      const found = decisionOf(await client.check(url));
      if (found?.kind === "block") return found;
      decision = found ?? decision;
    }
    return decision;
  }

  return {
    decide(host) {
      const url = `http://${host}/`;
      let decision = followed.every(({ client }) => client() !== null) ? SAFE : NO_LISTS;
      const open: Client[] = [];
      for (const client of clients()) {
        const verdict = client.checkHostLocally(host);
        if (verdict.reason === "unconfirmed" && !blocksOnPrefix) open.push(client);
        else {
          const found = decisionOf(verdict);
          if (found?.kind === "block") return found;
          decision = found ?? decision;
        }
      }
      return open.length === 0 ? decision : ask(url, open, decision);
    },
    states,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(followed.map(({ stop }) => stop()));
    },
  };
}

const NO_LISTS: Decision = { kind: "unsure", reason: "there are no lists" };

/** The lists of one source. */
interface FollowedLists {
  /** Settles when the lists have been looked for once. */
  readonly first: Promise<void>;
  /** The client of the lists; `null` while no list is known. */
  client(): Client | null;
  states(): readonly DnsListState[];
  stop(): Promise<void>;
}

/** Keeps the lists of one source current until `signal` is aborted. */
function followLists(
  { name, client: options, lists, hasNews, poll }: ListsSource,
  log: DnsListsOptions["log"],
  signal: AbortSignal,
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
    if (now === news.last && Date.now() - news.at < FULL_CHECK) return;
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
      if (nextUpdate === null || nextUpdate <= Date.now()) await update();
      client!.start();
    } catch (error) {
      problem = `the lists of ${name} cannot be read: ${(error as Error).message}`;
      log.error(problem);
    }
    onFirst();
  }

  const { promise: first, resolve } = withResolvers();
  const running = hasNews === undefined ? followServer(resolve) : followStore(resolve);
  return {
    first,
    client: () => client,
    states() {
      const all = client === null ? [] : statesOf(client, Date.now());
      return problem === null ? all : [...all, { name, entries: 0, checkedAt: null, problem }];
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
  const { lists, lastError } = client.status();
  return lists.map(({ name, size, checkedAt, until, problem, error }) => {
    const cause = error ?? lastError;
    const why = cause === null ? "" : `: ${cause.message}`;
    let text: string | null = null;
    if (problem !== null) text = `The list ${name} ${PROBLEMS[problem]}${why}`;
    else if (until !== null && until <= now) text = `The list ${name} is too old${why}`;
    else if (cause !== null) text = `The list ${name} is not being updated${why}`;
    return { name, entries: size, checkedAt, problem: text };
  });
}

interface LogOptions extends Pick<DnsListsOptions, "blocksOnPrefix" | "log"> {
  states(): readonly DnsListState[];
  readonly followed: readonly FollowedLists[];
  readonly signal: AbortSignal;
}

/** Logs new versions and new problems until `signal` is aborted. */
async function logChanges(options: LogOptions): Promise<void> {
  const { states, followed, blocksOnPrefix, log, signal } = options;
  let versions = new Map<string, unknown>();
  let problems = new Set<string>();
  while (!signal.aborted) {
    const all = states();
    const next = new Map<string, unknown>();
    for (const { name, entries } of all) {
      const list = followed.map(({ client }) => client()?.list(name) ?? null).find((each) => each);
      if (!list) continue;
      next.set(name, list.checksum);
      if (versions.get(name) === list.checksum) continue;
      log.info("list loaded", { list: name, entries, prefixBytes: list.lengths[0]?.prefixBytes });
      const chance = chanceOfFalseMatch(list, 3);
      if (blocksOnPrefix && chance > 1e-9) {
        const innocent = Math.round(1 / chance).toLocaleString("en");
        log.warn(`One in ${innocent} names that are not on the list ${name} is blocked by chance`);
      }
    }
    if (next.size > 0 && [...next].some(([name, version]) => versions.get(name) !== version)) {
      freeMemory();
    }
    versions = next;
    const found = new Set(all.flatMap(({ problem }) => problem ?? []));
    for (const problem of found) if (!problems.has(problem)) log.error(problem);
    problems = found;
    await delay(WATCH, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Frees memory that is no longer used. Reading a list takes several times the memory of the list, and a process that then
 * does little would keep it for hours.
 */
function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
