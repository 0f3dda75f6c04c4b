import { setImmediate as nextTurn } from "node:timers/promises";
import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { countVerdict, type LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { lookUpUrls } from "./look-up-urls.ts";
import { MAX_URLS } from "./operations.ts";
import { verdictJson } from "./verdict-json.ts";

/** Reading a longer body takes more than a moment. */
const LARGE_BODY_BYTES = 2 ** 14;

/** The URLs of a request. */
function readUrls(body: Uint8Array): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HttpProblem(400, "The body is not JSON.");
  }
  const urls = isRecord(value) && Object.keys(value).length === 1 ? value["urls"] : undefined;
  if (!Array.isArray(urls) || !urls.every((url) => typeof url === "string")) {
    throw new HttpProblem(400, 'Expected {"urls": ["http://…", …]}.');
  }
  if (urls.length > MAX_URLS) {
    throw new HttpProblem(
      400,
      `The request has more than ${MAX_URLS} URLs: send the others in another request, or all as application/x-ndjson.`,
    );
  }
  return urls;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The verdicts on up to 1000 URLs. */
export async function lookUpBatch(
  body: Uint8Array,
  parameters: LookUpParameters,
  answering: Answering,
  counts: LookUpCounts,
): Promise<string> {
  const lists = listsToSearch(answering, parameters);
  if (body.length > LARGE_BODY_BYTES) {
    await answering.turns.run(parameters.network(), () => nextTurn());
  }
  const urls = readUrls(body);
  const verdicts = await lookUpUrls(urls, lists, answering, parameters);
  const texts = verdicts.map((verdict, i) => {
    countVerdict(counts, verdict);
    return verdictJson(urls[i]!, verdict);
  });
  return `{"verdicts":[${texts.join(",\n")}]}\n`;
}
