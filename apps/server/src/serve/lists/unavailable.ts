import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList } from "./served-lists.ts";
import type { ServedVersion } from "./served-version.ts";

/** The longest time that a client is asked to wait, in seconds. */
const LONGEST_WAIT = 60;

/**
 * The header that tells clients when to ask again: after half of the time that the fault has lasted, and at most after a
 * minute. So clients miss little of a server that is soon back, and rarely ask one that is not. `since` is when the fault
 * began, in milliseconds since 1970; without it, the fault has just begun.
 */
export function retryAfter(since: number = Infinity): { readonly "Retry-After": string } {
  const seconds = Math.ceil((Date.now() - since) / 2000);
  return { "Retry-After": String(Math.max(1, Math.min(seconds, LONGEST_WAIT))) };
}

export const NO_LISTS = "The store has no lists yet.";

/** The error for a list that cannot be searched or served now. */
export function unavailable({
  name,
  problem,
  since,
}: Pick<ServedList, "name" | "problem" | "since">): HttpProblem {
  const message = `The list ${name} is not available: ${problem}`;
  return new HttpProblem(503, message, retryAfter(since));
}

/** The error when the store has no lists. An empty answer would make clients drop the lists that they have. */
export function noLists(): HttpProblem {
  return new HttpProblem(503, NO_LISTS, retryAfter(performance.timeOrigin));
}

/** The version of a list that may be served. Throws if there is none: the list must never look empty. */
export function loadedOf(served: ServedList): ServedVersion {
  if (served.loaded === null) throw unavailable(served);
  return served.loaded;
}
