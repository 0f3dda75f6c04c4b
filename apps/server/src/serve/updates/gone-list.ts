import { HttpProblem } from "../http/http-problem.ts";
import type { ServedLists } from "../lists/served-lists.ts";
import { parseToken } from "./update-token.ts";

/**
 * Throws if a client asks for a list that is not in the store, although its token says that it got the list from this
 * server. An empty answer would make the client drop the list.
 */
export function checkNotGone(lists: ServedLists, token: Uint8Array): void {
  const list = parseToken(token)?.list;
  if (list === undefined || lists.all().some(({ name }) => name === list)) return;
  throw new HttpProblem(503, "This version belongs to a list that is not in the store.", {
    "Retry-After": "60",
  });
}
