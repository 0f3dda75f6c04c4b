import type { LogEntry } from "@x/list-store";
import { toHex } from "@x/sha256-prefix";
import { type ClientError, listUnknown, updateRefused } from "../error.ts";
import type { KeptList, ListOutcome, UpdateAnswer } from "../protocols/protocol.ts";

/* The state of a client is one record. The functions here return the next record, and do nothing else. */

/** Failures in a row. */
export interface Failures {
  /** The failures other than missing answers. The published back-off is for these failures. */
  readonly ofAnswers: number;
  /** The last requests in a row that no server answered. */
  readonly ofNetwork: number;
  readonly last: ClientError | null;
}

/** A list and its times. A problem with one list says nothing about the others, so each has its own. */
export interface ListState extends KeptList {
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | "list-unknown" | null;
  /** When the server last said that this is the newest version; `null` when there is no list. */
  readonly checkedAt: number | null;
  /** The last error with this list; `null` after an update without one. */
  readonly error: ClientError | null;
  /** The token that `seen` was read from. */
  readonly seenToken: Uint8Array | null;
  /** Whether the storage has the list as it is here. */
  readonly isStored: boolean;
  /** When the next update is due; `null` for now. */
  readonly due: number | null;
  readonly failures: Failures;
}

export interface ClientState {
  readonly lists: ReadonlyMap<string, ListState>;
  /** The updates that failed as a whole. */
  readonly failures: Failures;
  /** No list is due before these times: the end of a pause after a failure, and of the delay after a start. */
  readonly pausedUntil: number | null;
  readonly delayedUntil: number | null;
  /** How long the lists are current after an update, in milliseconds. */
  readonly wait: number;
}

/** What a storage says beside the lists: when the server last confirmed each list, and when updates are due. */
export interface StoredTimes {
  /**
   * How long the server asked the client to wait after the last successful update, in milliseconds; `null` when that is
   * not known.
   */
  readonly wait: number | null;
  /** No list is due before this time, because the server has failed; `null` when it has not. */
  readonly pausedUntil: number | null;
  /** How many times in a row the server has failed. */
  readonly failures: number;
  /** For each list, the checksum of the version, and when the server last said that this is the newest version. */
  readonly lists: ReadonlyMap<string, { readonly checksum: string; readonly checkedAt: number }>;
  /** For each list that is signed, the token of the newest version that was seen. */
  readonly seen: ReadonlyMap<string, Uint8Array>;
  readonly turns: ReadonlyMap<string, StoredTurn>;
}

interface StoredTurn {
  readonly due: number | null;
  /** The number of updates of this list that have failed in a row. */
  readonly failures: number;
  /** Whether the server said that it does not have the list. */
  readonly isUnknown: boolean;
  /** Whether the newest version was refused. */
  readonly isRefused: boolean;
}

const MINUTE = 60_000;
/**
 * The minimum time from an answer to the next update, whatever the server says. After the first damaged update of a
 * list, the whole list is fetched after this time.
 */
const LEAST_WAIT = MINUTE;
/** The wait when the server does not specify one. */
const USUAL_WAIT = 30 * MINUTE;
/** The longest wait. An update time that is further away was computed before the clock was set back. */
export const LONGEST_WAIT: number = 24 * 60 * MINUTE;
/** The maximum random delay before the first update of a client that starts. */
const FIRST_DELAY = MINUTE;
/** The first and the longest pause after a request that no server answered. */
const FIRST_NETWORK_PAUSE = 4000;
const LONGEST_NETWORK_PAUSE = MINUTE;

/** A server sends the whole list to a client without a token. */
const NO_TOKEN = new Uint8Array(0);

const NO_FAILURES: Failures = { ofAnswers: 0, ofNetwork: 0, last: null };

const NO_LIST = {
  token: null,
  list: null,
  checkedAt: null,
  entry: null,
  error: null,
  isStored: true,
} as const;

export function newState(names: readonly string[]): ClientState {
  const signed = { seen: null, seenToken: null };
  const list = {
    ...NO_LIST,
    ...signed,
    problem: "not-loaded",
    due: null,
    failures: NO_FAILURES,
  } as const;
  return {
    lists: new Map(names.map((name) => [name, { ...list, name }])),
    failures: NO_FAILURES,
    pausedUntil: null,
    delayedUntil: null,
    wait: USUAL_WAIT,
  };
}

/** A time; 0 for none, and for a time so far away that it must have been set before the clock was set back. */
const known = (time: number | null, now: number) =>
  time === null || time > now + LONGEST_WAIT ? 0 : time;

/** When the next update is due; `null` for now. */
export function due(state: ClientState, now: number): number | null {
  const dues = [...state.lists.values()].map((list) => known(list.due, now));
  const time = Math.max(
    Math.min(...dues),
    known(state.pausedUntil, now),
    known(state.delayedUntil, now),
  );
  return time === 0 ? null : time;
}

/** The names of the lists that are due, whether or not there is a pause. */
export function dueNames({ lists }: ClientState, now: number): ReadonlySet<string> {
  return new Set(
    [...lists.values()].flatMap((list) => (known(list.due, now) <= now ? [list.name] : [])),
  );
}

/** Whether a list is due, and there is no pause because the server has failed. */
export function isDue(state: ClientState, now: number): boolean {
  return dueNames(state, now).size > 0 && known(state.pausedUntil, now) <= now;
}

/**
 * The time in which lists are not outdated, and until when they are fresh, in milliseconds since 1970. If no update
 * succeeds, the lists become outdated `grace` after that time.
 *
 * @param checked when the server last said of each list that it is the newest version.
 * @param wait how long lists are current after an update, in milliseconds.
 */
export function usableTime(
  checked: readonly number[],
  wait: number,
  grace: number,
): { readonly from: number; readonly freshUntil: number; readonly until: number } {
  const freshUntil = Math.min(Infinity, ...checked) + wait;
  return {
    // If the clock has been set back by more than `grace`, the age of the lists is not known.
    from: Math.max(-Infinity, ...checked) - grace,
    freshUntil,
    until: freshUntil + grace,
  };
}

/** How many updates have failed in a row. */
export function failureCount({ lists, failures }: ClientState): number {
  const count = ({ ofAnswers, ofNetwork }: Failures) => ofAnswers + ofNetwork;
  return count(failures) || Math.max(0, ...[...lists.values()].map((list) => count(list.failures)));
}

/** The error of the last update; `null` when it succeeded. */
export function lastFailure({ lists, failures }: ClientState): ClientError | null {
  const errors = [...lists.values()].map((list) => list.failures.last);
  return failures.last ?? errors.find((error) => error !== null) ?? null;
}

/** Delays the first update, because many clients may start at the same time. `random` is from 0 to less than 1. */
export function afterStart(state: ClientState, now: number, random: number): ClientState {
  return { ...state, delayedUntil: now + Math.round(random * FIRST_DELAY) };
}

/**
 * How long to wait after an update, in milliseconds: as long as the server says, but at least a minute and at most a
 * day. If the server says nothing or 0, the wait is half an hour. So a wrong answer can neither stop updates nor
 * make them follow each other without a pause.
 */
function waitAfter(wait: number | null): number {
  if (wait === null || wait === 0) return USUAL_WAIT;
  return Math.min(Math.max(wait, LEAST_WAIT), LONGEST_WAIT);
}

/**
 * Counts a failure, and says how long to wait after it, in milliseconds.
 *
 * @see Safe Browsing v4, "Request Frequency", back-off mode
 */
function oneMore(
  { ofAnswers, ofNetwork }: Failures,
  error: ClientError,
  random: number,
): { readonly failures: Failures; readonly pause: number } {
  const asked = Math.min(error.retryAfter ?? 0, LONGEST_WAIT);
  if (error.code === "server-unreachable" && error.status === null) {
    // There is no network, or nothing listens. That says nothing about the server, so the pause is short: two to four
    // seconds, then twice as long each time, and at most a minute.
    const longest = FIRST_NETWORK_PAUSE * 2 ** Math.min(ofNetwork, 10);
    const pause = Math.round((Math.min(longest, LONGEST_NETWORK_PAUSE) * (1 + random)) / 2);
    return {
      failures: { ofAnswers, ofNetwork: ofNetwork + 1, last: error },
      pause: Math.max(pause, asked),
    };
  }
  const failures = { ofAnswers: ofAnswers + 1, ofNetwork: 0, last: error };
  // The whole list comes next, or the server says when it is back: a restart takes seconds, not minutes.
  const isShort = error.code === "list-damaged" || error.retryAfter !== null;
  if (isShort && ofAnswers === 0) return { failures, pause: Math.max(LEAST_WAIT, asked) };
  const backOff = Math.round(2 ** Math.min(ofAnswers, 10) * 15 * MINUTE * (1 + random));
  return { failures, pause: Math.max(Math.min(backOff, LONGEST_WAIT), asked) };
}

/** When the request of an answer was sent, when the answer was applied, and a random number from 0 to less than 1. */
export interface AnswerTimes {
  readonly sent: number;
  readonly now: number;
  readonly random: number;
}

/** The server has answered an update of some lists. The age of a list is counted from the request. */
export function afterAnswer(
  state: ClientState,
  { outcomes, wait: asked }: UpdateAnswer,
  times: AnswerTimes,
): ClientState {
  const wait = waitAfter(asked);
  const lists = new Map(state.lists);
  for (const outcome of outcomes) {
    lists.set(outcome.name, afterOutcome(lists.get(outcome.name)!, outcome, wait, times));
  }
  return { ...state, lists, wait, failures: NO_FAILURES, pausedUntil: null };
}

function afterOutcome(
  before: ListState,
  outcome: ListOutcome,
  wait: number,
  { sent, now, random }: AnswerTimes,
): ListState {
  if (outcome.kind === "failed" || outcome.kind === "damaged") {
    const { error } = outcome;
    const { failures, pause } = oneMore(before.failures, error, random);
    // A server that does not have a list has not failed.
    const isUnknown = error.code === "list-unknown";
    const next = { ...before, failures, due: now + (isUnknown ? wait : pause) };
    if (outcome.kind === "failed") return withError(next, error);
    // The verified list stays, but without its token, so that the server sends the whole list next time.
    if (before.list === null) return discarded(next, error);
    return { ...next, token: NO_TOKEN, error, isStored: false };
  }
  const { token } = outcome;
  const list = outcome.kind === "new" ? outcome.list : before.list;
  const next = {
    ...before,
    failures: NO_FAILURES,
    due: now + (now - sent > wait ? LEAST_WAIT : wait),
  };
  if (list === null) return next;
  const current = { ...next, list, checkedAt: sent, problem: null, error: null };
  // An unchanged list is stored again only if the server sent a new token for it.
  const isSame = outcome.kind === "unchanged" && toHex(before.token!) === toHex(token);
  if (isSame) return current;
  const { entry = null } = outcome;
  const changed = { ...current, token, entry, isStored: false };
  return entry === null ? changed : withSeen(changed, token, entry);
}

/** Notes why a list could not be updated or read. */
export function withError(list: ListState, error: ClientError): ListState {
  const isUnknown = list.list === null && error.code === "list-unknown";
  return { ...list, error, problem: isUnknown ? "list-unknown" : list.problem };
}

/** Notes a signed entry, unless a newer one was seen. */
export function withSeen(list: ListState, token: Uint8Array, entry: LogEntry): ListState {
  const isNewer = entry.manifest.version > (list.seen?.manifest.version ?? 0);
  return isNewer ? { ...list, seen: entry, seenToken: token } : list;
}

/** Throws a damaged list away. */
export function discarded(list: ListState, error: ClientError): ListState {
  return { ...list, ...NO_LIST, problem: "list-damaged", error, isStored: false };
}

/** Forgets a list that is no longer stored. */
export function forgotten(list: ListState): ListState {
  return { ...list, ...NO_LIST, problem: "not-loaded" };
}

/** An update has failed as a whole. */
export function afterFailure(
  state: ClientState,
  error: ClientError,
  now: number,
  random: number,
): ClientState {
  const { failures, pause } = oneMore(state.failures, error, random);
  return { ...state, failures, pausedUntil: now + pause };
}

/** The error of the last update of a list, if searches depend on it. */
function storedError(name: string, turn: StoredTurn | undefined, host: string): ClientError | null {
  if (turn?.isUnknown) return listUnknown(name, host);
  return turn?.isRefused ? updateRefused(name) : null;
}

/** Forgets such an error, because the updates of another client have succeeded since. */
function withoutStoredError(list: ListState): ListState {
  const { code } = list.error ?? {};
  if (code !== "list-unknown" && code !== "update-refused") return list;
  return { ...list, error: null, problem: list.list === null ? "not-loaded" : null };
}

/** Moves all times back by this many milliseconds, because the clock was set back. */
export function afterSetBack(state: ClientState, milliseconds: number): ClientState {
  const moved = (time: number | null) => (time === null ? null : time - milliseconds);
  const lists = [...state.lists].map(
    ([name, list]) =>
      [name, { ...list, due: moved(list.due), checkedAt: moved(list.checkedAt) }] as const,
  );
  return {
    ...state,
    lists: new Map(lists),
    pausedUntil: moved(state.pausedUntil),
    delayedUntil: moved(state.delayedUntil),
  };
}

/**
 * Continues with the times that an earlier client stored.
 *
 * @param host the host of the server, for errors.
 * @param isFollowing whether another client updates the lists.
 */
export function afterLoad(
  state: ClientState,
  stored: StoredTimes,
  host: string,
  isFollowing: boolean,
): ClientState {
  const lists = [...state.lists].map(([name, list]) => {
    const turn = stored.turns.get(name);
    const { due = null, failures: ofAnswers = 0 } = turn ?? {};
    // The stored time of a list that is missing now does not count, unless its updates failed or another client makes
    // them.
    const isMissing = list.list === null && ofAnswers === 0 && !isFollowing;
    const next = {
      ...list,
      due: isMissing ? null : due,
      failures: { ...NO_FAILURES, ofAnswers },
    };
    const error = storedError(name, turn, host);
    if (error !== null) return [name, withError(next, error)] as const;
    return [name, isFollowing ? withoutStoredError(next) : next] as const;
  });
  return {
    ...state,
    lists: new Map(lists),
    failures: { ...NO_FAILURES, ofAnswers: stored.failures },
    // A pause because there was no network says nothing about the network now.
    pausedUntil: stored.failures > 0 ? stored.pausedUntil : null,
    wait: waitAfter(stored.wait),
  };
}
