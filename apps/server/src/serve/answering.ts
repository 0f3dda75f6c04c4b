import type { LoadedList } from "../store/list-reader.ts";
import type { ApiKeys } from "./api-keys.ts";
import { type Aside, AT_ONCE } from "./aside/aside.ts";
import { type FairQueue, fairQueue } from "./fairness/fair-queue.ts";
import { HttpProblem } from "./http/http-problem.ts";
import type { FullHashFinder } from "./lists/find-full-hashes.ts";
import { type CheckerOf, listCheckers } from "./lists/list-checkers.ts";
import type { ServedList, ServedLists } from "./lists/served-lists.ts";
import { type CodedUpdates, codedUpdates } from "./updates/coded-updates.ts";
import { decideUpdate, type Update } from "./updates/decide-update.ts";
import type { UpdateLimits } from "./updates/limits.ts";

export interface Durations {
  /** How long clients should wait between updates, in milliseconds. */
  readonly wait: number;
  /** How long clients and caches may keep an answer. */
  readonly cache: number;
}

/** What the methods of all protocols need to answer requests. */
export interface Answering extends Durations {
  readonly lists: ServedLists;
  readonly keys: ApiKeys;
  readonly findFullHashes: FullHashFinder;
  readonly codedUpdates: CodedUpdates;
  /** The time, in milliseconds since 1970-01-01T00:00Z. */
  readonly now: () => number;
  readonly checkerOf: CheckerOf;
  /**
   * Whoever needs the processor for more than a moment waits for a turn before each part of the work. Between two turns,
   * all other requests that have arrived are answered.
   */
  readonly turns: FairQueue;
}

const TURNS = {
  ...{ atOnce: 1, perClient: 1000, total: 10_000 },
  refusal: () => new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "1" }),
};

/** What all methods need, with the parts that begin empty. */
export function createAnswering({
  aside = AT_ONCE,
  ...options
}: Omit<Answering, "checkerOf" | "codedUpdates" | "turns"> & {
  /** Does the work on long lists; without it, that is done at once. */
  readonly aside?: Aside;
}): Answering {
  return {
    ...options,
    codedUpdates: codedUpdates(aside),
    checkerOf: listCheckers(),
    turns: fairQueue(TURNS),
  };
}

/** Who asks. */
export interface Caller {
  /** The API key; `null` when there is none. */
  readonly key: string | null;
  /** The network that the caller is in, for limits. */
  readonly network: () => string;
}

/** One request that is being answered. It collects facts for the reply's headers, the log and the metrics. */
export interface Exchange extends Caller {
  readonly answering: Answering;
  /** Whether a difference from this token was sent to the client before. */
  readonly hasFailed: (token: string) => boolean;
  /** Set when the answer is for this client's key only. */
  isPrivate: boolean;
  /** Until when the answer may be kept; `null` when only its duration is limited. Set when the answer says a time. */
  expires: number | null;
  readonly updates: UpdateFacts[];
  search: SearchFacts | null;
}

/** What the log and the metrics may say about an update. */
export interface UpdateFacts {
  readonly list: string;
  readonly kind: Update["kind"];
  /** Why it is full; `null` otherwise. */
  readonly reason: Extract<Update, { kind: "full" }>["reason"] | null;
  /** The token from which it is a difference; `null` otherwise. */
  readonly from: string | null;
}

/** What the log and the metrics may say about a search. */
export interface SearchFacts {
  /** How many hashes or URLs were asked for. */
  readonly asked: number;
  readonly found: number;
}

/** The error for a list that cannot be searched or served now. */
export function unavailable({ name, problem }: Pick<ServedList, "name" | "problem">): HttpProblem {
  return new HttpProblem(503, `The list ${name} is not available: ${problem}`, {
    "Retry-After": "60",
  });
}

/** The error while the store has no lists. An empty answer would make clients drop the lists that they have. */
export function noLists(): HttpProblem {
  return new HttpProblem(503, "The store has no lists yet.", { "Retry-After": "60" });
}

/** The version of a list that may be served; a list that may not be served is an error, and never an empty list. */
export function loadedOf(served: ServedList): LoadedList {
  if (served.loaded === null) throw unavailable(served);
  return served.loaded;
}

/** Throws when a list is private and the key of the request does not open it. */
function checkOpen(exchange: Exchange, { name }: ServedList): void {
  const { key } = exchange;
  const { keys } = exchange.answering;
  if (!keys.isPrivate(name)) return;
  exchange.isPrivate = true;
  if (keys.opens(key, name)) return;
  throw new HttpProblem(403, "One of the lists is private, and the request has no API key for it.");
}

/** The lists that a request asks about. None is left out: entries of a private list are never reported as safe. */
export function listsAskedFor(
  exchange: Exchange,
  isAskedFor: (list: ServedList) => boolean,
): ServedList[] {
  const lists = exchange.answering.lists.all().filter(isAskedFor);
  for (const list of lists) checkOpen(exchange, list);
  return lists;
}

/** The update of one list for a client with this token. */
export async function updateOf(
  exchange: Exchange,
  served: ServedList,
  token: Uint8Array,
  limits: UpdateLimits,
): Promise<Update> {
  checkOpen(exchange, served);
  const update = await decideUpdate(
    served,
    loadedOf(served),
    token,
    limits,
    exchange.answering.codedUpdates,
    exchange.hasFailed,
    exchange.network,
  );
  exchange.updates.push({
    list: served.name,
    kind: update.kind,
    reason: update.kind === "full" ? update.reason : null,
    from: update.kind === "partial" ? update.from : null,
  });
  return update;
}

/** The lists that a search may look into: the public ones, and those that the key opens. */
export function searchableLists(
  exchange: Pick<Exchange, "key" | "isPrivate"> & {
    readonly answering: Pick<Answering, "lists" | "keys">;
  },
): readonly ServedList[] {
  const { key } = exchange;
  const { lists, keys } = exchange.answering;
  if (keys.lists.size === 0) return lists.all();
  return lists.all().filter(({ name }) => {
    if (!keys.isPrivate(name)) return true;
    const isOpen = keys.opens(key, name);
    if (isOpen) exchange.isPrivate = true;
    return isOpen;
  });
}
