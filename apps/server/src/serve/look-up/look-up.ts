import type { Answering } from "../answering.ts";
import { privateHeaders } from "../http/cache-headers.ts";
import { readableBy } from "../http/cross-origin.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { problemReply, type Reply } from "../http/reply.ts";
import type { PlainRequest } from "../http/request.ts";
import { checkEncoding, contentType } from "./content-type.ts";
import { lookUpBatch } from "./look-up-batch.ts";
import { type LookUpCounts, newCounts } from "./look-up-counts.ts";
import { readParameters } from "./look-up-parameters.ts";
import { lookUpStatus } from "./look-up-status.ts";
import { rowStreams } from "./row-streams.ts";

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
