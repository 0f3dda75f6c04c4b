import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList } from "../lists/served-lists.ts";
import { lookUpUrls } from "./look-up-urls.ts";

/** Which lists contain some URLs. */
interface ListsWithUrls {
  /** The lists that contain each URL. */
  readonly found: readonly (readonly ServedList[])[];
  /** When this result expires, in milliseconds since 1970; `Infinity` if only the server's own settings limit it. */
  readonly expires: number;
}

/**
 * The lists that contain each URL. A list that may not be served is an error, and so is text that neither the
 * specification nor browsers read as a URL: it must not count as safe.
 */
export async function listsWithUrls(
  urls: readonly string[],
  lists: readonly ServedList[],
  answering: Answering,
  caller: Caller,
): Promise<ListsWithUrls> {
  const verdicts = await lookUpUrls(urls, lists, answering, caller);
  const found = verdicts.map(({ error, matches }) => {
    if (error !== null) {
      throw new HttpProblem(
        400,
        error.code === "host-undecided"
          ? "The host of a URL has characters that are not in UTF-8, or that Unicode does not define yet, so there is no verdict (host-undecided)."
          : "The request has an entry without a readable URL.",
      );
    }
    const matched = new Set(matches.map(({ list }) => list));
    return lists.filter((list) => matched.has(list));
  });
  return { found, expires: Math.min(...verdicts.map(({ expires }) => expires)) };
}
