import type { Manifest } from "@x/list-store";
import type { ClientError } from "./error.ts";
import type { Keeper } from "./lists/load-and-store.ts";
import { due, failureCount, lastFailure, usableTime } from "./lists/state.ts";
import type { Updater, Upkeep } from "./lists/updates.ts";
import type { SearchPause } from "./requests/asker.ts";
import type { RequestCounts, Requester } from "./requests/requester.ts";

/** The state of one list. */
export interface ListStatus {
  readonly name: string;
  /** The checksum of the list: SHA-256 of all its entries, in hexadecimal. `null` when there is no list. */
  readonly version: string | null;
  readonly size: number;
  /**
   * When the server last said that this is the newest version, in milliseconds since 1970; `null` when there is no
   * list.
   */
  readonly checkedAt: number | null;
  /** How long ago `checkedAt` was, in milliseconds; `null` when there is no list. */
  readonly age: number | null;
  /**
   * When the list becomes outdated if no update succeeds, in milliseconds since 1970: `grace` after the next update is
   * due. `null` when there is no list.
   */
  readonly until: number | null;
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | "list-unknown" | null;
  readonly error: ClientError | null;
  /**
   * In a store, the signed manifest of this version or, if there is no list, of the newest version that was seen;
   * otherwise `null`.
   */
  readonly manifest: Manifest | null;
}

/** The state of a client, without the key and without any URL. */
export interface ClientStatus {
  readonly lists: readonly ListStatus[];
  /** Whether the client keeps its lists current by itself: from `start` to `stop`. */
  readonly isStarted: boolean;
  readonly isUpdating: boolean;
  /**
   * Whether an update is due now: a list has no update time, or its time has come, and there is no pause because the
   * server has failed. Always `false` with `updates: "follow"`.
   */
  readonly isDue: boolean;
  /**
   * When the next update is due, in milliseconds since 1970; `null` when a list has no update time, and no pause or
   * delay holds the update back.
   */
  readonly nextUpdate: number | null;
  /** How many updates have failed since the last successful one. */
  readonly failures: number;
  /** The error of the last update; `null` when it succeeded. */
  readonly lastError: ClientError | null;
  /**
   * Why the storage may not have the current lists. While no update runs, `null` means that it has them, or that there
   * is no storage.
   */
  readonly storageError: ClientError | null;
  /** The state of the searches for full hashes. */
  readonly searches: {
    /** How many searches have failed since the last successful one. Failures at the same time count as one. */
    readonly failures: number;
    readonly lastError: ClientError | null;
    /** When the pause in searches ends, in milliseconds since 1970; `null` when there is none. */
    readonly pausedUntil: number | null;
  };
  /** The numbers of requests, prefixes and bytes since the client was created. */
  readonly requests: Readonly<RequestCounts>;
  /** The number of prefixes whose answers are in the cache, including answers that have expired. */
  readonly cached: number;
}

/** The parts of a client whose state is shown. */
interface Shown {
  readonly keeper: Keeper;
  readonly updater: Updater;
  readonly upkeep: Upkeep;
  readonly pause: SearchPause;
  readonly requester: Requester;
  readonly cache: { readonly size: number };
  readonly grace: number;
}

export function statusOf(
  { keeper, updater, upkeep, pause, requester, cache, grace }: Shown,
  time: number,
): ClientStatus {
  const { state } = keeper;
  return {
    lists: [...state.lists.values()].map(
      ({ name, list, checkedAt, problem, error, entry, seen }) => ({
        name,
        version: list?.checksum ?? null,
        size: list?.size ?? 0,
        checkedAt,
        age: checkedAt === null ? null : time - checkedAt,
        until: checkedAt === null ? null : usableTime([checkedAt], state.wait, grace).until,
        problem,
        error,
        manifest: (entry ?? seen)?.manifest ?? null,
      }),
    ),
    isStarted: upkeep.isRunning,
    isUpdating: updater.isUpdating,
    isDue: updater.isDue,
    nextUpdate: due(state, time),
    failures: failureCount(state),
    lastError: lastFailure(state),
    storageError: keeper.storageError,
    searches: {
      failures: pause.failures,
      lastError: pause.lastError,
      pausedUntil: pause.until(time),
    },
    requests: { ...requester.counts },
    cached: cache.size,
  };
}
