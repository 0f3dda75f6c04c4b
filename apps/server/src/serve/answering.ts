import { type FairQueue, type FairQueueOptions, fairQueue } from "./fairness/fair-queue.ts";
import { type Turns, type TurnsOptions, turns } from "./fairness/turns.ts";
import { NO_ORIGINS, type Origins } from "./http/cross-origin.ts";
import { HttpProblem } from "./http/http-problem.ts";
import type { FullHashFinder } from "./lists/find-full-hashes.ts";
import { type CheckerOf, listCheckers } from "./lists/list-checkers.ts";
import type { GuardedLists } from "./lists/private-lists.ts";
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
  /** The queue for look-ups of many URLs. Few of them run at the same time, because each takes several megabytes. */
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
    turns: turns(TURNS),
    lookUps: fairQueue(LOOK_UPS),
  };
}

export interface Caller {
  /** The API key; `null` when there is none. */
  readonly key: string | null;
  /** Returns the caller's network, to which limits apply. */
  readonly network: () => string;
}

const refusal = () =>
  new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "1" });
/** How many parts of long computations may wait for their turn. */
const TURNS: TurnsOptions = { perClient: 1000, total: 10_000, refusal };
/** How many look-ups of many URLs run at the same time, and how many may wait. */
const LOOK_UPS: FairQueueOptions = { atOnce: 8, perClient: 1000, total: 10_000, refusal };
