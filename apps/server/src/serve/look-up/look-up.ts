import { hasMoreJsonValues } from "@x/wire";
import type { Answering } from "../answering.ts";
import { LARGE_REQUEST_BYTES } from "../http/answer-request.ts";
import {
  HttpProblem,
  privateHeaders,
  problemReply,
  type Reply,
  readableBy,
} from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import { lookUpAsked } from "./look-up-inside.ts";
import {
  checkEncoding,
  contentType,
  type LookUpParameters,
  listsToSearch,
  readParameters,
} from "./look-up-parameters.ts";
import { rowStreams } from "./look-up-stream.ts";
import { checkAnswered, MAX_URLS } from "./look-up-urls.ts";
import {
  answerInput,
  countVerdict,
  type LookUpCounts,
  newCounts,
  verdictJson,
} from "./verdict-json.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Answers requests that look up URLs. */
export interface LookUp {
  /** Looks up all URLs of a JSON request. */
  batch(request: PlainRequest): Reply | Promise<Reply>;
  /** Looks up one URL; the HTTP status is the answer. */
  status(request: PlainRequest): Reply | Promise<Reply>;
  /** Looks up rows of URLs while they arrive; `null` for a request whose body must be read first. */
  readonly stream: ReturnType<typeof rowStreams>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The API key of the request. An answer to a request with a key may be about a private list. */
  readonly key: string | null;
}

function checkMethod({ method }: PlainRequest, expected: string): void {
  if (method !== expected) {
    throw new HttpProblem(405, `Use ${expected}.`, { Allow: expected });
  }
}

/** Creates the look-ups. `onAnswered` is called when the URLs of a request have been answered. */
export function createLookUp(
  answering: Answering,
  onAnswered: (counts: LookUpCounts) => void,
): LookUp {
  async function replyTo(
    request: PlainRequest,
    route: string,
    answer: (request: PlainRequest, counts: LookUpCounts) => Promise<Answer>,
  ): Promise<Reply> {
    const counts = newCounts();
    try {
      const { status, text, key } = await answer(request, counts);
      onAnswered(counts);
      const body = Buffer.from(text);
      const readable = readableBy(key !== null, answering.origins, request.headers);
      return { route, status, headers: privateHeaders(JSON_TYPE, readable), body, facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }

  async function answerBatch(request: PlainRequest, counts: LookUpCounts): Promise<Answer> {
    checkMethod(request, "POST");
    if (contentType(request) !== "application/json") {
      throw new HttpProblem(
        415,
        "Send application/json, or one URL per line as application/x-ndjson or text/plain.",
      );
    }
    checkEncoding(request);
    const parameters = readParameters(request, false);
    const text = await lookUpBatch(request.body, parameters, answering, counts);
    return { status: 200, text, key: parameters.key };
  }

  async function answerStatus(request: PlainRequest, counts: LookUpCounts): Promise<Answer> {
    checkMethod(request, "GET");
    const urls = request.headers.getAll("x-original-url");
    const parameters = readParameters(request, true);
    const answered = await lookUpStatus(urls, parameters, answering, counts);
    return { ...answered, key: parameters.key };
  }

  return {
    batch: (request) => replyTo(request, "lookup", answerBatch),
    status: (request) => replyTo(request, "lookup.status", answerStatus),
    stream: rowStreams(answering, onAnswered),
  };
}

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
async function lookUpBatch(
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
async function lookUpStatus(
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
