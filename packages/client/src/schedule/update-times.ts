import type { ClientError } from "../error.ts";
import type { ListState } from "../lists/list-keeper.ts";
import type { StoredTimes } from "../lists/stored-state.ts";
import { createFailures, type Failures } from "./pause-after-failed-update.ts";
import {
  FIRST_DELAY,
  LEAST_WAIT,
  LONGEST_WAIT,
  serverWait,
  USUAL_WAIT,
} from "./wait-between-updates.ts";

/** When a list is due, and how often its own updates have failed. */
interface Turn {
  due: number | null;
  readonly failures: Failures;
}

/** The times of updates, which the functions in this file read and change. */
export interface UpdateTimes {
  /** A problem with one list says nothing about the others, so each has its own turn. */
  readonly turns: ReadonlyMap<string, Turn>;
  /** The updates that failed as a whole. */
  readonly failures: Failures;
  /** No list is due before these times: the end of a pause after a failure, and of the delay after a start. */
  pausedUntil: number | null;
  delayedUntil: number | null;
  /** How long the lists are current after an update, in milliseconds. */
  wait: number;
}

export function createUpdateTimes(names: readonly string[], random: () => number): UpdateTimes {
  return {
    turns: new Map(names.map((name) => [name, { due: null, failures: createFailures(random) }])),
    failures: createFailures(random),
    pausedUntil: null,
    delayedUntil: null,
    wait: USUAL_WAIT,
  };
}

/** A time; 0 for none, and for a time so far away that it must have been set before the clock was set back. */
const known = (time: number | null, now: number) =>
  time === null || time > now + LONGEST_WAIT ? 0 : time;

export function dueNames({ turns }: UpdateTimes, now: number): ReadonlySet<string> {
  return new Set([...turns].flatMap(([name, { due }]) => (known(due, now) <= now ? [name] : [])));
}

/** Whether a list is due, and there is no pause because the server has failed. */
export function isUpdateDue(times: UpdateTimes, now: number): boolean {
  return dueNames(times, now).size > 0 && known(times.pausedUntil, now) <= now;
}

/** When the next update is due; `null` for now. */
export function nextDue(times: UpdateTimes, now: number): number | null {
  const dues = [...times.turns.values()].map(({ due }) => known(due, now));
  const first = dues.length === 0 ? 0 : Math.min(...dues);
  const due = Math.max(first, known(times.pausedUntil, now), known(times.delayedUntil, now));
  return due === 0 ? null : due;
}

/** Delays the first update, because many clients may start at the same time. */
export function delayFirst(times: UpdateTimes, now: number, random: number): void {
  times.delayedUntil = now + Math.round(random * FIRST_DELAY);
}

/** The server has answered an update, and asked the client to wait. */
export function noteAnswer(times: UpdateTimes, wait: number | null): void {
  times.wait = serverWait(wait);
  times.failures.clear();
  times.pausedUntil = null;
}

/** An update has failed as a whole. */
export function noteFailure(times: UpdateTimes, error: ClientError, now: number): void {
  times.pausedUntil = now + times.failures.add(error);
}

/** An answer to a request that was sent at `sent` has ended the turn of a list, perhaps with an error. */
export function endTurn(
  { turns, wait }: UpdateTimes,
  { name, error }: { readonly name: string; readonly error: ClientError | null },
  sent: number,
  now: number,
): void {
  const turn = turns.get(name)!;
  if (error === null) {
    turn.failures.clear();
    turn.due = now + (now - sent > wait ? LEAST_WAIT : wait);
  } else {
    const pause = turn.failures.add(error);
    // A server that does not have a list has not failed.
    turn.due = now + (error.code === "list-unknown" ? wait : pause);
  }
}

/** Moves all times back by this many milliseconds, because the clock was set back. */
export function setTimesBack(times: UpdateTimes, milliseconds: number): void {
  for (const turn of times.turns.values()) if (turn.due !== null) turn.due -= milliseconds;
  if (times.pausedUntil !== null) times.pausedUntil -= milliseconds;
  if (times.delayedUntil !== null) times.delayedUntil -= milliseconds;
}

/** The times that are stored for the next client. */
export function storedTimes(times: UpdateTimes, lists: readonly ListState[]): StoredTimes {
  return {
    wait: times.wait,
    pausedUntil: times.pausedUntil,
    failures: times.failures.ofAnswers,
    turns: new Map(
      lists.map(({ name, problem }) => {
        const { due, failures } = times.turns.get(name)!;
        const isUnknown = problem === "list-unknown";
        return [name, { due, failures: failures.ofAnswers, isUnknown }];
      }),
    ),
  };
}

/** Continues with the times that an earlier client stored. */
export function restoreTimes(
  times: UpdateTimes,
  stored: StoredTimes,
  lists: readonly ListState[],
  isFollowing: boolean,
): void {
  times.wait = serverWait(stored.wait);
  times.failures.restore(stored.failures);
  // A pause because there was no network says nothing about the network now.
  times.pausedUntil = stored.failures > 0 ? stored.pausedUntil : null;
  for (const { name, list } of lists) {
    const turn = times.turns.get(name)!;
    const { due = null, failures = 0 } = stored.turns.get(name) ?? {};
    turn.failures.restore(failures);
    // The stored time of a list that is missing now does not count, unless its updates failed or another client makes
    // them.
    turn.due = list === null && failures === 0 && !isFollowing ? null : due;
  }
}

/** How many updates have failed in a row. */
export function failureCount({ turns, failures }: UpdateTimes): number {
  return failures.count || Math.max(0, ...[...turns.values()].map((turn) => turn.failures.count));
}

/** The error of the last update; `null` when it succeeded. */
export function lastFailure({ turns, failures }: UpdateTimes): ClientError | null {
  const errors = [...turns.values()].map((turn) => turn.failures.last);
  return failures.last ?? errors.find((error) => error !== null) ?? null;
}
