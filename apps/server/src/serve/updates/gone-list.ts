import { PREFIX_BYTES } from "@x/list-store/serving";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedLists } from "../lists/served-lists.ts";
import { parseToken } from "./update-token.ts";

/**
 * Throws if a client asks for a list that is not in the store, or for longer prefixes that are no longer served,
 * although its token says that it got them from this server. An empty answer would make the client drop the list.
 */
export function checkNotGone(lists: ServedLists, token: Uint8Array): void {
  const parsed = parseToken(token);
  if (parsed === null) return;
  const { list, prefixBytes } = parsed;
  const served = lists.all().find(({ name }) => name === list);
  if (served !== undefined) {
    if (prefixBytes === PREFIX_BYTES) return;
    if (served.longer?.some((each) => each.prefixBytes === prefixBytes)) return;
    throw new HttpProblem(
      503,
      `This version has hash prefixes of ${prefixBytes} bytes, which this server no longer serves.`,
      { "Retry-After": "60" },
    );
  }
  throw new HttpProblem(503, "This version belongs to a list that is not in the store.", {
    "Retry-After": "60",
  });
}
