import type { Answering } from "../answering.ts";
import { shares } from "../fairness/shares.ts";
import type { AnswerOptions } from "../http/answer-request.ts";
import { privateHeaders } from "../http/cache-headers.ts";
import { readableBy } from "../http/cross-origin.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { problemReply, type Reply, type StreamReply } from "../http/reply.ts";
import type { RequestHead } from "../http/request.ts";
import { unavailable } from "../lists/unavailable.ts";
import { checkEncoding, contentType } from "./content-type.ts";
import { type LookUpCounts, newCounts } from "./look-up-counts.ts";
import { listsToSearch, readParameters } from "./look-up-parameters.ts";
import { lookUpStream } from "./look-up-stream.ts";
import { type RowReader, readJsonRow, readTextRow } from "./read-rows.ts";

/** How many streams may be open at once. Each takes at most a megabyte of memory. */
const STREAMS = { total: 64, perClient: 16 };

const ROWS_TYPE = "application/x-ndjson; charset=utf-8";

const ROW_READERS: ReadonlyMap<string, RowReader> = new Map([
  ["application/x-ndjson", readJsonRow],
  ["text/plain", readTextRow],
]);

const tooManyStreams = () =>
  new HttpProblem(503, "Too many streams are open.", { "Retry-After": "10" });

/** Looks up rows of URLs while they arrive, in a limited number of streams. */
export function rowStreams(
  answering: Answering,
  onAnswered: (counts: LookUpCounts) => void,
): Required<AnswerOptions>["answerStream"] {
  const streams = shares(STREAMS);

  async function* counted(
    rows: AsyncIterable<Uint8Array>,
    counts: LookUpCounts,
    network: string,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    // Take a place only now: a stream that is never read, because its client has left, would never give its place back.
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
      // If no list can be searched now, report that with the HTTP status, before the stream begins.
      const lists = listsToSearch(answering, parameters);
      if (lists.every(({ loaded }) => loaded === null)) throw unavailable(lists[0]!);
      const counts = newCounts();
      const rows = lookUpStream(body, readRow, parameters, answering, counts);
      const headers = privateHeaders(
        ROWS_TYPE,
        readableBy(parameters.key !== null, answering.origins, head.headers),
      );
      return { route, status: 200, headers, stream: counted(rows, counts, network), facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }

  return (head, body) => {
    const readRow = ROW_READERS.get(contentType(head));
    return readRow === undefined ? null : openStream(head, readRow, body);
  };
}
