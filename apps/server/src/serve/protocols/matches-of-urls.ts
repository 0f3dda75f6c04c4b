import type { UrlProblem } from "@x/canon/readings";
import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedList } from "../lists/served-lists.ts";
import type { ConfirmedMatch } from "../look-up/confirm-matches.ts";
import { checkAnswered, lookUpUrls } from "../look-up/look-up-urls.ts";
import type { Steps } from "../steps.ts";

const PROBLEMS: Readonly<Partial<Record<UrlProblem["code"], string>>> = {
  "host-undecided":
    "has a host with bytes that are not UTF-8, or characters that Unicode does not define yet, so there is no verdict (host-undecided)",
  "host-invalid": "has a host that no site can have, so there is no verdict (host-invalid)",
};

/** The results of looking up several URLs. */
interface Found<Each> {
  /** The results for each URL, in order. */
  readonly found: readonly (readonly Each[])[];
  /** When this result expires, in milliseconds since 1970; `Infinity` if only the server's own settings limit it. */
  readonly expires: number;
}

/**
 * The listed expressions of each URL. Throws if a URL has no verdict, because a list gives no answer or the input is
 * not a readable URL. The protocols' answers have no place for an error about a single URL, and clients treat a URL
 * that is not in the answer as safe.
 */
export function* matchesOfUrls(
  urls: readonly string[],
  lists: readonly ServedList[],
  answering: Answering,
  caller: Caller,
): Steps<Found<ConfirmedMatch>> {
  const verdicts = yield* lookUpUrls(urls, { lists, answering, caller });
  checkAnswered(verdicts);
  const index = verdicts.findIndex(({ error }) => error !== null);
  if (index >= 0) {
    const subject = urls.length === 1 ? "The URL" : `URL ${index + 1} of ${urls.length}`;
    const problem = PROBLEMS[verdicts[index]!.error!.code] ?? "is not a readable URL";
    throw new HttpProblem(400, `${subject} ${problem}.`);
  }
  return {
    found: verdicts.map(({ matches }) => matches),
    expires: Math.min(...verdicts.map(({ expires }) => expires)),
  };
}

/** The lists that contain each URL, in the order of `lists`; see {@link matchesOfUrls}. */
export function* listsWithUrls(
  urls: readonly string[],
  lists: readonly ServedList[],
  answering: Answering,
  caller: Caller,
): Steps<Found<ServedList>> {
  const { found, expires } = yield* matchesOfUrls(urls, lists, answering, caller);
  return {
    found: found.map((matches) =>
      lists.filter((each) => matches.some(({ list }) => list === each)),
    ),
    expires,
  };
}
