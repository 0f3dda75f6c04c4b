import { type Checker, checker } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { GuardedLists } from "./api-keys.ts";
import { type FairQueue, fairQueue, QUEUES, type Turns, turns } from "./fairness.ts";
import { NO_ORIGINS, type Origins } from "./http/reply.ts";
import type { FullHashFinder } from "./lists/search-lists.ts";
import type { ServedList } from "./lists/served-lists.ts";
import { type CodedUpdates, codedUpdates } from "./updates/coded-updates.ts";
import { AT_ONCE } from "./worker-thread/run-job.ts";

export interface Durations {
  /** How long clients should wait between updates, in milliseconds. */
  readonly wait: number;
  /** How long clients and caches may keep an answer, in milliseconds. */
  readonly cache: number;
}

/** The lists, functions and queues needed to answer requests. */
export interface Answering extends Durations, GuardedLists {
  readonly origins: Origins;
  readonly findFullHashes: FullHashFinder;
  readonly codedUpdates: CodedUpdates;
  /** The time, in milliseconds since 1970-01-01T00:00Z. */
  readonly now: () => number;
  readonly checkerOf: CheckerOf;
  /** Long computations are done in parts, and each part waits for its client's turn. */
  readonly turns: Turns;
  /** The queue for lookups of many URLs. Few of them run at the same time, because each takes several megabytes. */
  readonly lookUps: FairQueue;
}

/** Creates an {@link Answering} with new queues. */
export function createAnswering(
  options: Omit<Answering, "checkerOf" | "codedUpdates" | "turns" | "lookUps" | "origins"> &
    Partial<Pick<Answering, "codedUpdates" | "origins">>,
): Answering {
  return {
    codedUpdates: codedUpdates(AT_ONCE),
    origins: NO_ORIGINS,
    ...options,
    checkerOf: listCheckers(),
    turns: turns(QUEUES.parts),
    lookUps: fairQueue(QUEUES.lookUps),
  };
}

/** The sender of a request that asks about lists. */
export interface Caller {
  /** The API key; `null` when there is none. */
  readonly key: string | null;
  /** Returns the caller's network, to which limits apply. */
  readonly network: () => string;
}

/** The caller of a method of the API. */
export interface MethodCaller extends Caller {
  /** Whether the client seems to have failed to apply a difference from this token. */
  readonly hasFailed: (token: string) => boolean;
}

/**
 * How many checkers are kept. Each takes half a megabyte and, once its Bloom filter is made, about one more byte for
 * each prefix.
 */
const MAX_KEPT = 8;

/** Returns a checker for `lists`, except those without a version that may be served. `all` are all current lists. */
type CheckerOf = (lists: readonly ServedList[], all: readonly ServedList[]) => Checker;

/** The prefixes that a checker looks in, and those of them that are marked as containing only whole hosts. */
interface Checked {
  readonly prefixes: readonly PrefixList[];
  readonly onlyHosts: readonly PrefixList[];
}

interface KeptChecker extends Checked {
  readonly checker: Checker;
}

function checkedIn(lists: readonly ServedList[]): Checked {
  const versions = lists.flatMap(({ loaded }) => loaded ?? []);
  const marked = versions.filter(({ entry }) => entry.manifest.onlyHosts === true);
  return {
    prefixes: versions.map(({ prefixes }) => prefixes),
    onlyHosts: marked.map(({ prefixes }) => prefixes),
  };
}

const areSame = (some: readonly PrefixList[], others: readonly PrefixList[]) =>
  some.length === others.length && some.every((list, i) => list === others[i]);

/**
 * Keeps a checker for each set of lists that callers may see. The time that a check takes depends on all lists of the
 * checker, so a caller who may not see a private list gets a checker without it. There are few sets, because they
 * depend only on the API keys.
 */
function listCheckers(): CheckerOf {
  let kept: KeptChecker[] = [];
  return (lists, all) => {
    const { prefixes, onlyHosts } = checkedIn(lists);
    const known = kept.find(
      (each) => areSame(each.prefixes, prefixes) && areSame(each.onlyHosts, onlyHosts),
    );
    if (known !== undefined) {
      if (known !== kept[0]) kept = [known, ...kept.filter((each) => each !== known)];
      return known.checker;
    }
    const made = { prefixes, onlyHosts, checker: checker(prefixes, { onlyHosts }) };
    // Drop checkers of older versions, which would keep these versions in memory.
    const current = new Set(checkedIn(all).prefixes);
    const isCurrent = ({ prefixes }: KeptChecker) => prefixes.every((list) => current.has(list));
    kept = [made, ...kept].filter(isCurrent).slice(0, MAX_KEPT);
    return made.checker;
  };
}
