import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { lookUpAsked } from "./look-up-asked.ts";
import { countVerdict, type LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { checkAnswered } from "./look-up-urls.ts";
import { verdictJson } from "./verdict-json.ts";

/**
 * The URL of a request, from the header or the query, as the bytes that were sent. Two different URLs are refused,
 * because an attacker may have added one of them to get around the look-up.
 */
function oneUrl(inHeaders: readonly string[], inQuery: readonly string[]): Uint8Array {
  const inBytes = [...inHeaders, ...inQuery].map((value) => Buffer.from(value, "latin1"));
  const [first, ...others] = inBytes;
  if (first === undefined) {
    throw new HttpProblem(400, "Expected a URL in the header X-Original-URL or the parameter url.");
  }
  if (others.every((other) => other.equals(first))) return first;
  throw new HttpProblem(400, "The request has two URLs that differ.");
}

/**
 * The verdict on one URL as an HTTP status: 200 if it is not listed, 403 if it is listed, and 400 if it is not a URL or
 * exceeds a limit.
 */
export async function lookUpStatus(
  headers: readonly string[],
  parameters: LookUpParameters,
  answering: Answering,
  counts: LookUpCounts,
): Promise<{ status: number; text: string }> {
  const url = oneUrl(headers, parameters.urls);
  const lists = listsToSearch(answering, parameters);
  const verdicts = await lookUpAsked([url], lists, answering, parameters);
  checkAnswered(verdicts);
  const [verdict] = verdicts;
  countVerdict(counts, verdict!);
  const { error, matches } = verdict!;
  const status = error !== null ? 400 : matches.length > 0 ? 403 : 200;
  return { status, text: `${verdictJson(url, verdict!)}\n` };
}
