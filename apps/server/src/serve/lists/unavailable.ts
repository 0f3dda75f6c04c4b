import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList } from "./served-lists.ts";
import type { ServedVersion } from "./served-version.ts";

export const NO_LISTS = "The store has no lists yet.";

/** The error for a list that cannot be searched or served now. */
export function unavailable({ name, problem }: Pick<ServedList, "name" | "problem">): HttpProblem {
  return new HttpProblem(503, `The list ${name} is not available: ${problem}`, {
    "Retry-After": "60",
  });
}

/** The error when the store has no lists. An empty answer would make clients drop the lists that they have. */
export function noLists(): HttpProblem {
  return new HttpProblem(503, NO_LISTS, { "Retry-After": "60" });
}

/** The version of a list that may be served. Throws if there is none: the list must never look empty. */
export function loadedOf(served: ServedList): ServedVersion {
  if (served.loaded === null) throw unavailable(served);
  return served.loaded;
}
