import { AT_ONCE } from "./aside/aside.ts";
import { type FairQueue, fairQueue } from "./fairness/fair-queue.ts";
import { type Turns, turns } from "./fairness/turns.ts";
import { HttpProblem } from "./http/http-problem.ts";
import type { GuardedLists } from "./lists/access.ts";
import type { FullHashFinder } from "./lists/find-full-hashes.ts";
import { type CheckerOf, listCheckers } from "./lists/list-checkers.ts";
import { type CodedUpdates, codedUpdates } from "./updates/coded-updates.ts";

export interface Durations {
  /** How long clients should wait between updates, in milliseconds. */
  readonly wait: number;
  /** How long clients and caches may keep an answer. */
  readonly cache: number;
}

/** Everything that is needed to answer requests. */
export interface Answering extends Durations, GuardedLists {
  readonly findFullHashes: FullHashFinder;
  readonly codedUpdates: CodedUpdates;
  /** The time, in milliseconds since 1970-01-01T00:00Z. */
  readonly now: () => number;
  readonly checkerOf: CheckerOf;
  /** Work that needs the processor for more than a moment is done in parts, each of which waits for its turn. */
  readonly turns: Turns;
  /** Look-ups of many URLs. Few are in progress at the same time, because each takes some megabytes. */
  readonly lookUps: FairQueue;
}

const refusal = () =>
  new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "1" });
const TURNS = { perClient: 1000, total: 10_000, refusal };
const LOOK_UPS = { atOnce: 8, perClient: 1000, total: 10_000, refusal };

/** Completes {@link Answering} with the parts that are empty at first. */
export function createAnswering(
  options: Omit<Answering, "checkerOf" | "codedUpdates" | "turns" | "lookUps"> &
    Partial<Pick<Answering, "codedUpdates">>,
): Answering {
  return {
    codedUpdates: codedUpdates(AT_ONCE),
    ...options,
    checkerOf: listCheckers(),
    turns: turns(TURNS),
    lookUps: fairQueue(LOOK_UPS),
  };
}

/** Who is asking. */
export interface Caller {
  /** The API key; `null` when there is none. */
  readonly key: string | null;
  /** The network that the caller is in, for limits. */
  readonly network: () => string;
}
