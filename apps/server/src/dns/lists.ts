import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CanonError } from "@x/canon";
import type { Client, ClientVerdict } from "@x/client";
import type { About } from "@x/list-store";
import { type Checker, chanceOfFalseMatch, checker, type Match } from "@x/lookup";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import type { ServerLog } from "../serve/log.ts";
import {
  type DnsListState,
  type FollowedLists,
  followLists,
  type ListsSource,
} from "./followed-lists.ts";

export interface DnsListsOptions {
  readonly sources: readonly ListsSource[];
  /**
   * Whether a host is blocked because a prefix of four bytes is on a list, without a question whether the entry is
   * really there.
   */
  readonly blocksOnPrefix: boolean;
  /** How long to wait for lists that have not been looked for yet, in milliseconds; without it, as long as it takes. */
  readonly patience?: number;
  /**
   * Lists that were used until now, and have been stopped. They decide what the new lists cannot, until all of these
   * can be relied on.
   */
  readonly before?: DnsLists | undefined;
  readonly log: Pick<ServerLog, "info" | "warn" | "error">;
}

/** What happens to a query about a host. */
export type Decision =
  | { readonly kind: "forward"; readonly isAllowed?: boolean }
  /** `entry` is the entry for the host or for a host above it. */
  | {
      readonly kind: "block";
      readonly list: string;
      readonly entry: string;
      /** What the publisher of the list says about it. */
      readonly about?: About | undefined;
    }
  /** The lists cannot say whether the host is listed. */
  | { readonly kind: "unsure"; readonly reason: string };

/** The lists with which names are blocked, kept current. */
export interface DnsLists {
  decide(host: string): Decision | Promise<Decision>;
  states(): readonly DnsListState[];
  /** These lists; or those before them, if these could not be relied on yet. */
  lastGood(): DnsLists;
  stop(): Promise<void>;
}

export const FORWARD: Decision = Object.freeze({ kind: "forward" });

/** How often problems are looked for and logged, in milliseconds. */
const WATCH = 2000;

/** Reads the lists, and keeps them current. Waits until each list has been looked for once, or patience ends. */
export async function openDnsLists(options: DnsListsOptions): Promise<DnsLists> {
  const { sources, blocksOnPrefix, patience, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Other settings may allow an update that those before did not.
  const updatesNow = options.before !== undefined;
  const followed = sources.map((source) => followLists(source, log, signal, updatesNow));
  const all = Promise.all(followed.map(({ first }) => first));
  await (patience === undefined ? all : Promise.race([all, delay(patience, null, { ref: false })]));
  const states = () => followed.flatMap((each) => each.states());
  let before = options.before?.lastGood() ?? null;
  /** Drops the lists before these, once these can be relied on. */
  function succeed(): void {
    if (before === null || states().some(({ problem }) => problem !== null)) return;
    before = null;
    log.info("the new lists are used");
  }
  if (before !== null && states().some(({ problem }) => problem !== null)) {
    log.warn("the previous lists stay in use until the new ones can be relied on");
  } else {
    before = null;
  }
  let abouts: ReadonlyMap<string, About | undefined> = new Map();
  const onLook = () => {
    abouts = new Map(states().map(({ name, about }) => [name, about]));
    succeed();
  };
  const running = logChanges({ states, followed, blocksOnPrefix, log, signal, onLook });

  /** The decision of one client, or `null` if its lists do not have the host. */
  function decisionOf({ verdict: result, matches, reason }: ClientVerdict): Decision | null {
    const isBlocked = result === "unsafe" || (blocksOnPrefix && matches.length > 0);
    if (isBlocked) {
      const [{ list, threatTypes, expression }] = matches as [(typeof matches)[0]];
      const name = list ?? threatTypes[0] ?? "?";
      return { kind: "block", list: name, entry: expression, about: abouts.get(name) };
    }
    if (result === "safe") return null;
    // No URL can have the name, so no list has it, unless a host above it may be listed.
    const isNoHost = reason === "url-invalid" || reason === "url-undecided";
    if (isNoHost && matches.length === 0) return null;
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

  function decideAlone(host: string): Decision | Promise<Decision> {
    let decision = FORWARD;
    const open: Client[] = [];
    for (const each of followed) {
      const client = each.client();
      if (client === null) {
        decision = NO_LISTS;
        continue;
      }
      const verdict = client.checkHostLocally(host);
      const isUnconfirmed = verdict.verdict === "unsure" && verdict.matches.length > 0;
      if (isUnconfirmed && !blocksOnPrefix) open.push(client);
      else {
        const found = decisionOf(verdict);
        if (found?.kind === "block") return found;
        decision = found ?? decision;
      }
    }
    return open.length === 0 ? decision : ask(`http://${host}/`, open, decision);
  }

  const lists: DnsLists = {
    decide(host) {
      const decision = decideAlone(host);
      if (before === null) return decision;
      const old = before;
      const orBefore = (decided: Decision) =>
        decided.kind === "unsure" ? old.decide(host) : decided;
      return decision instanceof Promise ? decision.then(orBefore) : orBefore(decision);
    },
    states,
    lastGood: () => before ?? lists,
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(followed.map(({ stop }) => stop()));
    },
  };
  return lists;
}

const NO_LISTS: Decision = { kind: "unsure", reason: "there are no lists" };

interface LogOptions extends Pick<DnsListsOptions, "blocksOnPrefix" | "log"> {
  states(): readonly DnsListState[];
  readonly followed: readonly FollowedLists[];
  readonly signal: AbortSignal;
  /** Called each time after the lists were looked at. */
  readonly onLook: () => void;
}

/** Logs new versions and new problems until `signal` is aborted. */
async function logChanges(options: LogOptions): Promise<void> {
  const { states, followed, blocksOnPrefix, log, signal, onLook } = options;
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
    onLook();
    await delay(WATCH, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Frees memory that is no longer used. Reading a list takes several times the memory of the list, and a process that
 * then does little would keep it for hours.
 */
function freeMemory(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

export interface PolicyOptions {
  /** The full hashes of entries for hosts that are never blocked. */
  readonly allow: readonly Uint8Array[];
  /** The full hashes of entries for hosts that are blocked in addition to those on the lists. */
  readonly block: readonly Uint8Array[];
  readonly lists: DnsLists;
}

/** Decides which hosts are blocked. */
export interface Policy {
  /** Decides at once, unless a server has to be asked. `null` is the name of no host, and is forwarded. */
  decide(host: string | null): Decision | Promise<Decision>;
}

/** The name under which hosts in the operator's own files are counted and shown. */
export const OWN_LIST = "block";

const ALLOWED: Decision = Object.freeze({ kind: "forward", isAllowed: true });

export function createPolicy({ allow, block, lists }: PolicyOptions): Policy {
  const allowed = hostMatcher(allow);
  const blocked = hostMatcher(block);
  return {
    decide(host) {
      if (host === null) return FORWARD;
      if (allowed(host) !== null) return ALLOWED;
      const match = blocked(host);
      if (match !== null) return { kind: "block", list: OWN_LIST, entry: match.expression };
      return lists.decide(host);
    },
  };
}

/** Returns a function that finds the first entry for a host or for a host above it. */
function hostMatcher(hashes: readonly Uint8Array[]): (host: string) => Match | null {
  if (hashes.length === 0) return () => null;
  const { checkHost }: Checker = checker(listOf(hashes));
  return (host) => {
    try {
      return checkHost(host)[0] ?? null;
    } catch (error) {
      // A name that no URL can have is on no list.
      if (hasName<CanonError>(error, "CanonError")) return null;
      throw error;
    }
  };
}

const listOf = (hashes: readonly Uint8Array[]): PrefixList =>
  prefixList(hashes, { name: OWN_LIST, created: 0 });
