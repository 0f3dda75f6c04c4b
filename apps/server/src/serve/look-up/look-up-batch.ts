import { hasMoreJsonValues } from "@x/wire";
import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { LARGE_REQUEST_BYTES } from "../http/read-body.ts";
import type { Steps } from "../steps.ts";
import { answerInput } from "./answer-input.ts";
import { lookUpAsked } from "./look-up-asked.ts";
import type { LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { checkAnswered } from "./look-up-urls.ts";
import { MAX_URLS } from "./operations.ts";

/** The object and the array around the URLs are values, too. */
const MAX_VALUES = MAX_URLS + 2;

/** The URLs of a request. */
function readUrls(body: Uint8Array): readonly string[] {
  const value = parse(body);
  const urls = isRecord(value) && Object.keys(value).length === 1 ? value["urls"] : undefined;
  if (!Array.isArray(urls) || !urls.every((url) => typeof url === "string")) {
    throw new HttpProblem(400, 'Expected {"urls": ["http://…", …]}.');
  }
  return urls;
}

/** Parses the JSON in a body, but not if it has more values than the largest request may have. */
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

/** The verdicts on up to 1000 URLs. */
export function* lookUpBatch(
  body: Uint8Array,
  parameters: LookUpParameters,
  answering: Answering,
  counts: LookUpCounts,
): Steps<string> {
  const lists = listsToSearch(answering, parameters);
  if (body.length > LARGE_REQUEST_BYTES) {
    yield answering.turns(parameters.network());
  }
  const urls = readUrls(body);
  const verdicts = yield* lookUpAsked(urls, lists, answering, parameters);
  // An answer without a single verdict is a failure, for clients that look only at the status.
  if (verdicts.every(({ missing, error }) => missing !== null || error !== null)) {
    checkAnswered(verdicts);
  }
  const texts = verdicts.map((verdict, i) => answerInput(urls[i]!, verdict, counts));
  return `{"verdicts":[${texts.join(",\n")}]}\n`;
}
