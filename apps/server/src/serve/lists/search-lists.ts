import type { StoreError } from "@x/list-store";
import { hasPrefix } from "@x/list-store/serving";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Turns } from "../fairness/turns.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { askAhead, type FullHashFinder, NOTHING_FOUND } from "./find-full-hashes.ts";
import type { ServedList } from "./served-lists.ts";
import type { FoundHashes } from "./served-version.ts";
import { retryAfter, unavailable } from "./unavailable.ts";

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
