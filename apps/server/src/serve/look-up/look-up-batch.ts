import { hasMoreJsonValues } from "@x/wire";
import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { LARGE_REQUEST_BYTES } from "../http/read-body.ts";
import { answerInput } from "./answer-input.ts";
import { MAX_URLS } from "./limits.ts";
import { lookUpAsked } from "./look-up-asked.ts";
import type { LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { checkAnswered } from "./look-up-urls.ts";

/** The object and the array around the URLs are values, too. */
const MAX_VALUES = MAX_URLS + 2;

/** Reads the URLs from the JSON body of a request. */
function readUrls(body: Uint8Array): readonly string[] {
  const value = parse(body);
  const urls = isRecord(value) && Object.keys(value).length === 1 ? value["urls"] : undefined;
  if (!Array.isArray(urls) || !urls.every((url) => typeof url === "string")) {
    throw new HttpProblem(400, 'Expected {"urls": ["http://…", …]}.');
  }
  return urls;
}

/** Parses a JSON body, but throws first if it has more values than a request may have. */
function parse(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (!hasMoreJsonValues(text, MAX_VALUES)) return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, "The body is not JSON.");
  }
  throw new HttpProblem(
    400,
    `Expected {"urls": ["http://…", …]} with at most ${MAX_URLS} URLs: send the others in another request, or all as application/x-ndjson.`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Looks up at most 1000 URLs in a JSON body, and returns the verdicts as JSON. */
export async function lookUpBatch(
  body: Uint8Array,
  parameters: LookUpParameters,
  answering: Answering,
  counts: LookUpCounts,
): Promise<string> {
  const lists = listsToSearch(answering, parameters);
  if (body.length > LARGE_REQUEST_BYTES) {
    await answering.turns(parameters.network());
  }
  const urls = readUrls(body);
  const verdicts = await lookUpAsked(urls, lists, answering, parameters);
  // If no URL has a verdict and a list gave no answer, the request fails, because some clients check only the status.
  if (verdicts.every(({ missing, error }) => missing !== null || error !== null)) {
    checkAnswered(verdicts);
  }
  const texts = verdicts.map((verdict, i) => answerInput(urls[i]!, verdict, counts));
  return `{"verdicts":[${texts.join(",\n")}]}\n`;
}
