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
import { lookUpAsked } from "./lookup-inside.ts";
import {
  checkEncoding,
  contentType,
  type LookupParameters,
  listsToSearch,
  readParameters,
} from "./lookup-parameters.ts";
import { rowStreams } from "./lookup-stream.ts";
import { checkAnswered, MAX_URLS } from "./lookup-urls.ts";
import {
  answerInput,
  countVerdict,
  type LookupCounts,
  newCounts,
  verdictJson,
} from "./verdict-json.ts";

/** Answers requests that look up URLs. */
export interface Lookup {
  /** Looks up all URLs of a JSON request. */
  batch(request: PlainRequest): Promise<Reply>;
  /** Looks up one URL; the HTTP status is the answer. */
  status(request: PlainRequest): Promise<Reply>;
  /** Looks up rows of URLs while they arrive; `null` for a request whose body must be read first. */
  readonly stream: ReturnType<typeof rowStreams>;
}

/** Creates the lookups. `onAnswered` is called when the URLs of a request have been answered. */
export function createLookup(
  answering: Answering,
  onAnswered: (counts: LookupCounts) => void,
): Lookup {
  /** The verdicts on at most 1000 URLs in a JSON body, as JSON. */
  async function batch(
    { body }: PlainRequest,
    parameters: LookupParameters,
    counts: LookupCounts,
  ): Promise<Answer> {
    const lists = listsToSearch(answering, parameters);
    if (body.length > LARGE_REQUEST_BYTES) await answering.turns(parameters.network());
    const urls = readUrls(body);
    const verdicts = await lookUpAsked(urls, lists, answering, parameters);
    // If no URL has a verdict and a list gave no answer, the request fails, because some clients check only the status.
    if (verdicts.every(({ missing, error }) => missing !== null || error !== null)) {
      checkAnswered(verdicts);
    }
    const texts = verdicts.map((verdict, i) => answerInput(urls[i]!, verdict, counts));
    return { status: 200, text: `{"verdicts":[${texts.join(",\n")}]}\n` };
  }

  /**
   * The verdict on one URL as an HTTP status: 200 if it is not listed, 403 if it is listed, and 400 if it has no
   * verdict.
   */
  async function status(
    { headers }: PlainRequest,
    parameters: LookupParameters,
    counts: LookupCounts,
  ): Promise<Answer> {
    const url = oneUrl(headers.getAll("x-original-url"), parameters.urls);
    const lists = listsToSearch(answering, parameters);
    const verdicts = await lookUpAsked([url], lists, answering, parameters);
    checkAnswered(verdicts);
    const verdict = verdicts[0]!;
    countVerdict(counts, verdict);
    const { error, matches } = verdict;
    const status = error !== null ? 400 : matches.length > 0 ? 403 : 200;
    return { status, text: `${verdictJson(url, verdict)}\n` };
  }

  async function replyTo(
    request: PlainRequest,
    route: string,
    method: "GET" | "POST",
    answer: typeof batch,
  ): Promise<Reply> {
    const counts = newCounts();
    try {
      if (request.method !== method)
        throw new HttpProblem(405, `Use ${method}.`, { Allow: method });
      if (method === "POST") checkJson(request);
      const parameters = readParameters(request, method === "GET");
      const { status, text } = await answer(request, parameters, counts);
      onAnswered(counts);
      // An answer to a request with a key may be about a private list.
      const readable = readableBy(parameters.key !== null, answering.origins, request.headers);
      const headers = privateHeaders("application/json; charset=utf-8", readable);
      return { route, status, headers, body: Buffer.from(text), facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }

  return {
    batch: (request) => replyTo(request, "lookup", "POST", batch),
    status: (request) => replyTo(request, "lookup.status", "GET", status),
    stream: rowStreams(answering, onAnswered),
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function checkJson(request: PlainRequest): void {
  if (contentType(request) !== "application/json") {
    throw new HttpProblem(
      415,
      "Send application/json, or one URL per line as application/x-ndjson or text/plain.",
    );
  }
  checkEncoding(request);
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

/**
 * The URL of a request, from the header or the query, as the bytes that were sent. Two different URLs are refused,
 * because an attacker may have added one of them to get around the lookup.
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
