import type { Answering } from "../answering.ts";
import { shares } from "../fairness/shares.ts";
import { privateHeaders } from "../http/cache-headers.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { problemReply, type Reply, type StreamReply } from "../http/reply.ts";
import type { PlainRequest, RequestHead } from "../http/request.ts";
import { unavailable } from "../lists/access.ts";
import { type MaybePromise, perform, type Steps } from "../steps.ts";
import { lookUpBatch } from "./look-up-batch.ts";
import { type LookUpCounts, newCounts } from "./look-up-counts.ts";
import { listsToSearch, readParameters } from "./look-up-parameters.ts";
import { lookUpStatus } from "./look-up-status.ts";
import { lookUpStream } from "./look-up-stream.ts";
import { LOOK_UP, LOOK_UP_STATUS } from "./operations.ts";
import { type RowReader, readJsonRow, readTextRow } from "./read-rows.ts";

/** How many streams may be open at once. Each takes a megabyte at most. */
const STREAMS = { total: 64, perClient: 16 };

const JSON_TYPE = "application/json; charset=utf-8";
const ROWS_TYPE = "application/x-ndjson; charset=utf-8";

const ROW_READERS: ReadonlyMap<string, RowReader> = new Map([
  ["application/x-ndjson", readJsonRow],
  ["text/plain", readTextRow],
]);

/** Look-ups of URLs. */
export interface LookUp {
  /** Looks up all URLs of a request in JSON. */
  batch(request: PlainRequest): MaybePromise<Reply>;
  /** Looks up one URL; the HTTP status is the answer. */
  status(request: PlainRequest): MaybePromise<Reply>;
  /** Looks up rows of URLs while they arrive; `null` for a request whose body must be read first. */
  stream(head: RequestHead, body: AsyncIterable<Uint8Array>): Promise<Reply | StreamReply> | null;
}

function contentType({ headers }: RequestHead): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Throws unless the body is unencoded UTF-8. Anything else would be read as different URLs. */
function checkEncoding({ headers }: RequestHead): void {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") {
    throw new HttpProblem(415, "Send the body without a Content-Encoding.");
  }
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers.get("content-type") ?? "") ?? [];
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new HttpProblem(415, "Send the body in UTF-8.");
}

function checkMethod({ method }: PlainRequest, expected: string): void {
  if (method !== expected) {
    throw new HttpProblem(405, `Use ${expected}.`, { Allow: expected });
  }
}

const tooManyStreams = () =>
  new HttpProblem(503, "Too many streams are open.", { "Retry-After": "10" });

/** `onAnswered` is called when the URLs of a request have been answered. */
export function createLookUp(
  answering: Answering,
  onAnswered: (counts: LookUpCounts) => void,
): LookUp {
  const streams = shares(STREAMS);

  function* replyTo(
    request: PlainRequest,
    route: string,
    answer: (
      request: PlainRequest,
      counts: LookUpCounts,
    ) => Steps<{ status: number; text: string }>,
  ): Steps<Reply> {
    const counts = newCounts();
    try {
      const { status, text } = yield* answer(request, counts);
      onAnswered(counts);
      const body = Buffer.from(text);
      return { route, status, headers: privateHeaders(JSON_TYPE), body, facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }

  async function* counted(
    rows: AsyncIterable<Uint8Array>,
    counts: LookUpCounts,
    network: string,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    // Take a place only now: a stream whose client has left is never read, and would never give its place back.
    // Another stream may have taken the last place in the meantime.
    if (!streams.take(network)) throw tooManyStreams();
    try {
      yield* rows;
    } finally {
      streams.giveBack(network);
      onAnswered(counts);
    }
  }

  async function openStream(
    head: RequestHead,
    readRow: RowReader,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Reply | StreamReply> {
    const route = "lookup.stream";
    try {
      checkEncoding(head);
      const parameters = readParameters(head, false);
      const network = head.network();
      if (!streams.canTake(network)) throw tooManyStreams();
      // If no list can be searched now, say so with the HTTP status, before the stream begins.
      const lists = listsToSearch(answering, parameters);
      if (lists.every(({ loaded }) => loaded === null)) throw unavailable(lists[0]!);
      const counts = newCounts();
      const rows = lookUpStream(body, readRow, parameters, answering, counts);
      const headers = privateHeaders(ROWS_TYPE);
      return { route, status: 200, headers, stream: counted(rows, counts, network), facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }

  function* answerBatch(
    request: PlainRequest,
    counts: LookUpCounts,
  ): Steps<{ status: number; text: string }> {
    checkMethod(request, "POST");
    if (contentType(request) !== "application/json") {
      throw new HttpProblem(
        415,
        "Send application/json, or one URL per line as application/x-ndjson or text/plain.",
      );
    }
    checkEncoding(request);
    const parameters = readParameters(request, false);
    const text = yield* lookUpBatch(request.body, parameters, answering, counts);
    return { status: 200, text };
  }

  function answerStatus(
    request: PlainRequest,
    counts: LookUpCounts,
  ): Steps<{ status: number; text: string }> {
    checkMethod(request, "GET");
    const urls = request.headers.getAll("x-original-url");
    return lookUpStatus(urls, readParameters(request, true), answering, counts);
  }

  return {
    batch: (request) => perform(replyTo(request, LOOK_UP.id, answerBatch)),
    status: (request) => perform(replyTo(request, LOOK_UP_STATUS.id, answerStatus)),
    stream(head, body) {
      const readRow = ROW_READERS.get(contentType(head));
      return readRow === undefined ? null : openStream(head, readRow, body);
    },
  };
}
