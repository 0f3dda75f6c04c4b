import type { UrlProblem } from "@x/canon/readings";
import { quote } from "@x/sha256-prefix/quote";
import type { Answering, Caller } from "../answering.ts";
import { HttpProblem } from "../http/reply.ts";
import type { ServedList } from "../lists/served-lists.ts";
import type { ConfirmedMatch } from "../lookup/lookup-urls.ts";
import { checkAnswered, lookUpUrls } from "../lookup/lookup-urls.ts";

const PROBLEMS: Readonly<Partial<Record<UrlProblem["code"], string>>> = {
  "host-undecided":
    "has a host with bytes that are not UTF-8, or characters that Unicode does not define yet, so there is no verdict (host-undecided)",
  "host-invalid": "has a host that no site can have, so there is no verdict (host-invalid)",
  "url-unclear": "is not clearly one URL, so there is no verdict (url-unclear)",
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
 * that is not in the answer as safe. The details of the error name all URLs without a verdict, so that a client can ask
 * about the others. `fieldOf` returns the path of a URL in the request's message.
 */
export async function matchesOfUrls(
  urls: readonly string[],
  lists: readonly ServedList[],
  answering: Answering,
  caller: Caller,
  fieldOf: (index: number) => string,
): Promise<Found<ConfirmedMatch>> {
  const verdicts = await lookUpUrls(urls, { lists, answering, caller });
  checkAnswered(verdicts);
  const wrong = verdicts.flatMap(({ error }, index) => {
    if (error === null) return [];
    return [{ index, problem: PROBLEMS[error.code] ?? "is not a readable URL" }];
  });
  const [first] = wrong;
  if (first !== undefined) {
    const subject = urls.length === 1 ? "The URL" : `URL ${first.index + 1} of ${urls.length}`;
    const fields = wrong.map(({ index, problem }) => ({
      field: fieldOf(index),
      description: `The URL ${quote(urls[index]!, 0)} ${problem}.`,
    }));
    throw new HttpProblem(400, `${subject} ${first.problem}.`, {}, fields);
  }
  return {
    found: verdicts.map(({ matches }) => matches),
    expires: Math.min(...verdicts.map(({ expires }) => expires)),
  };
}

/** The lists that contain each URL, in the order of `lists`; see {@link matchesOfUrls}. */
export async function listsWithUrls(
  urls: readonly string[],
  lists: readonly ServedList[],
  answering: Answering,
  caller: Caller,
  fieldOf: (index: number) => string,
): Promise<Found<ServedList>> {
  const { found, expires } = await matchesOfUrls(urls, lists, answering, caller, fieldOf);
  return {
    found: found.map((matches) =>
      lists.filter((each) => matches.some(({ list }) => list === each)),
    ),
    expires,
  };
}
