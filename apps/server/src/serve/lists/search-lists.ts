import type { StoreError } from "@x/list-store";
import { hasPrefix } from "@x/list-store/serving";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Turns } from "../fairness.ts";
import { HttpProblem } from "../http/reply.ts";
import type { LocalHashes } from "./local-hashes.ts";
import {
  type FoundHashes,
  retryAfter,
  type ServedList,
  type ServedVersion,
  unavailable,
} from "./served-lists.ts";

/**
 * The expiry time of an answer that may lack entries of some list. Such an answer expires at once, so that no cache
 * keeps it.
 */
export const NOT_KEPT = 0;

/**
 * The full hashes of a list that begin with a prefix, or the problem if the list gives no answer. Other errors are
 * thrown.
 */
export function findOnList(
  list: ServedList,
  prefix: Uint8Array,
  find: FullHashFinder,
  network: () => string,
): FoundHashes | HttpProblem | Promise<FoundHashes | HttpProblem> {
  if (list.loaded === null) return unavailable(list);
  try {
    const found = find(list.loaded, prefix, network);
    return found instanceof Promise ? found.catch((error) => noAnswer(list, error)) : found;
  } catch (error) {
    return noAnswer(list, error);
  }
}

function noAnswer({ name, since }: ServedList, error: unknown): HttpProblem {
  if (error instanceof HttpProblem) {
    const { status, message, headers } = error;
    return new HttpProblem(status, message, { ...retryAfter(since), ...headers });
  }
  if (hasName<StoreError>(error, "StoreError")) {
    return unavailable({ name, problem: error.message, since });
  }
  throw error;
}

/** Whether a list that gives no answer may have a prefix. If the list is too old, its last known prefixes decide. */
function mayHave({ loaded, outdated }: ServedList, prefix: Uint8Array): boolean {
  return loaded !== null || outdated === undefined || hasPrefix(outdated, prefix);
}

/** How many searches, each of one list for one prefix, run before the client has to wait for its next turn. */
const SEARCHES_AT_ONCE = 2 ** 13;
/** A search that finds something counts as this many more searches, because it may read from a disk. */
const FOUND = 2 ** 5;

export interface Searching {
  readonly findFullHashes: FullHashFinder;
  readonly turns: Turns;
}

/**
 * Searches all of these lists for full hashes that begin with the prefixes, and calls `onFound` with the results.
 * Returns the time at which the results expire, in milliseconds since 1970.
 *
 * A list may give no answer, because it is too old, or because its full hashes cannot be read or confirmed. Hashes on
 * the other lists are still reported. But a client with a different full hash would read an incomplete answer as "not
 * listed". Therefore, the search fails if
 *
 * - the list that gives no answer may have one of the prefixes, or
 * - nothing is found for one of the prefixes: the list may have gained entries in the meantime.
 *
 * @throws {HttpProblem}
 */
export async function searchLists(
  prefixes: readonly Uint8Array[],
  lists: readonly ServedList[],
  { findFullHashes: find, turns }: Searching,
  network: () => string,
  onFound: (found: FoundHashes, list: ServedList, prefix: Uint8Array) => void,
): Promise<number> {
  let until = Infinity;
  let left = SEARCHES_AT_ONCE;
  if (prefixes.length > 1) await askAhead(lists, prefixes, network);
  for (const prefix of prefixes) {
    left -= lists.length;
    if (left < 0) {
      left = SEARCHES_AT_ONCE - lists.length;
      await turns(network());
    }
    let noAnswer: HttpProblem | null = null;
    let isFound = false;
    for (const list of lists) {
      const given = findOnList(list, prefix, find, network);
      const found = given instanceof Promise ? await given : given;
      if (found instanceof HttpProblem) {
        if (mayHave(list, prefix)) throw found;
        noAnswer = found;
        continue;
      }
      until = Math.min(until, found.expires);
      if (found !== NOTHING_FOUND) left -= FOUND;
      // Hashes that count only in frames say nothing about other pages.
      if (found.hashes.length > 0) isFound = true;
      onFound(found, list, prefix);
    }
    if (noAnswer === null) continue;
    if (!isFound) throw noAnswer;
    until = NOT_KEPT;
  }
  return until;
}

/** The result if no full hash of the list begins with the prefix. */
export const NOTHING_FOUND: FoundHashes = { hashes: [], forFrames: [], expires: Infinity };

/**
 * Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. `network` returns the client's network.
 */
export type FullHashFinder = (
  list: ServedVersion,
  prefix: Uint8Array,
  network: () => string,
) => FoundHashes | Promise<FoundHashes>;

/** Asks other servers about all prefixes at once, rather than about one prefix after another. */
export async function askAhead(
  lists: readonly Pick<ServedList, "loaded">[],
  prefixes: readonly Uint8Array[],
  network: () => string,
): Promise<void> {
  for (const { loaded } of lists) {
    if (loaded === null || loaded.hashBlocks !== undefined) continue;
    try {
      await loaded.ask(prefixes, network);
    } catch {
      // The error occurs again when each prefix is searched for.
    }
  }
}

/** Sorts prefixes, so that prefixes in the same part of a list are searched for one after the other. */
export function inHashOrder(prefixes: readonly Uint8Array[]): Uint8Array[] {
  return [...prefixes].sort(Buffer.compare);
}

/**
 * Creates a finder for lists of the store, whose full hashes are on this machine, and for lists of other servers, which
 * the finder asks.
 */
export function fullHashFinder(local: Pick<LocalHashes, "find">): FullHashFinder {
  return (list, prefix, network) => {
    if (list.hashBlocks === undefined) return list.find(prefix, network);
    const hashes = local.find(list, prefix);
    return hashes.length === 0 ? NOTHING_FOUND : { ...NOTHING_FOUND, hashes };
  };
}
