import { type LineBlock, lineReader, linesIn } from "@x/lookup/lines";
import type { Answering } from "../answering.ts";
import { SHARES, shares } from "../fairness.ts";
import type { AnswerOptions } from "../http/answer-request.ts";
import {
  HttpProblem,
  privateHeaders,
  problemReply,
  type Reply,
  readableBy,
  type StreamReply,
} from "../http/reply.ts";
import type { RequestHead } from "../http/request.ts";
import { unavailable } from "../lists/served-lists.ts";
import { lookUpAsked } from "./lookup-inside.ts";
import {
  checkEncoding,
  contentType,
  type LookupParameters,
  listsToSearch,
  readParameters,
} from "./lookup-parameters.ts";
import { MAX_URL_BYTES, urlBytes } from "./lookup-urls.ts";
import {
  answerInput,
  failureJson,
  type LookupCounts,
  newCounts,
  type RowErrorCode,
  rowErrorJson,
} from "./verdict-json.ts";

const tooManyStreams = () =>
  new HttpProblem(503, "Too many streams are open.", { "Retry-After": "10" });

/** Looks up rows of URLs while they arrive, in a limited number of streams. */
export function rowStreams(
  answering: Answering,
  onAnswered: (counts: LookupCounts) => void,
): Required<AnswerOptions>["answerStream"] {
  const streams = shares(SHARES.streams);

  async function* counted(
    rows: AsyncIterable<Uint8Array>,
    counts: LookupCounts,
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

  return (head, body) => {
    const readRow = ROW_READERS.get(contentType(head));
    return readRow === undefined ? null : openStream(head, readRow, body);
  };

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
      const readable = readableBy(parameters.key !== null, answering.origins, head.headers);
      const headers = privateHeaders("application/x-ndjson; charset=utf-8", readable);
      return { route, status: 200, headers, stream: counted(rows, counts, network), facts: counts };
    } catch (error) {
      return problemReply(route, error);
    }
  }
}

function inputOf(row: Exclude<Row, { readonly error: unknown }>): string | Uint8Array {
  return "url" in row ? row.url : row.line;
}

/** How many rows are looked up together. */
const ROWS_AT_ONCE = 256;
/** A piece of the answer is sent once it has this many characters. Verdicts on many lists are long. */
export const PIECE: number = 2 ** 16;

const SERVER_FAILED = { status: 500, message: "The server failed." };

/**
 * Yields one row of JSON for each line of a body, in order. The body may have any length.
 *
 * Only the unfinished line, the rows of one piece of the body, and about {@link PIECE} characters of the answer are in
 * memory. The stream waits for its turn before every {@link ROWS_AT_ONCE} rows. If the stream cannot go on, its last
 * row has the error, and then the stream throws.
 */
export async function* lookUpStream(
  body: AsyncIterable<Uint8Array>,
  readRow: RowReader,
  parameters: LookupParameters,
  answering: Answering,
  counts: LookupCounts,
): AsyncGenerator<Uint8Array, void, undefined> {
  async function* answerBlock(block: LineBlock): AsyncGenerator<Uint8Array, void, undefined> {
    const rows = readRows(block, readRow);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      await answering.turns(parameters.network());
      yield* answerRows(rows.slice(start, start + ROWS_AT_ONCE));
    }
  }

  async function* answerRows(rows: readonly Row[]): AsyncGenerator<Uint8Array, void, undefined> {
    const urls = rows.flatMap((row) => ("error" in row ? [] : [inputOf(row)]));
    // The lists are chosen again each time, because a list may have changed or expired.
    const lists = listsToSearch(answering, parameters);
    const verdicts = await lookUpAsked(urls, lists, answering, parameters);
    let next = 0;
    function answerRow(row: Row): string {
      if (!("error" in row)) return answerInput(inputOf(row), verdicts[next++]!, counts);
      counts.asked++;
      counts.refused++;
      return rowErrorJson(row.error);
    }
    let text = "";
    for (const row of rows) {
      text += `${answerRow(row)}\n`;
      if (text.length < PIECE) continue;
      yield Buffer.from(text);
      text = "";
    }
    if (text !== "") yield Buffer.from(text);
  }

  try {
    const reader = lineReader();
    for await (const piece of body) yield* answerBlock(reader.push(piece));
    yield* answerBlock(reader.end());
  } catch (error) {
    const problem = error instanceof HttpProblem ? error : SERVER_FAILED;
    counts.failed = true;
    yield Buffer.from(`${failureJson(problem)}\n`);
    throw error;
  }
}

/** One row of a stream: its input, or the error if it has no input. */
type Row =
  | { readonly url: string }
  /** A line of plain text, which should be a URL but may be something else. */
  | { readonly line: Uint8Array }
  | { readonly error: RowErrorCode };

type RowReader = (line: Uint8Array) => Row;

/**
 * The answer does not repeat a URL that is too long. Otherwise, the answer could be several times as long as the
 * request.
 */
const TOO_LONG: Row & { readonly error: RowErrorCode } = { error: "line-too-long" };
const BLANK: Row = { error: "line-blank" };

/** Reads a row of plain text, which has one URL on each line. */
export const readTextRow = (line: Uint8Array): Row =>
  line.length > MAX_URL_BYTES ? TOO_LONG : { line };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads a row of NDJSON, which has `{"url": "http://…"}` on each line. */
export const readJsonRow = (line: Uint8Array): Exclude<Row, { readonly line: unknown }> => {
  try {
    const { url, ...others } = JSON.parse(decoder.decode(line));
    if (typeof url === "string" && Object.keys(others).length === 0) {
      return urlBytes(url) > MAX_URL_BYTES ? TOO_LONG : { url };
    }
  } catch {
    // The line is not UTF-8, not JSON, or null.
  }
  return { error: "row-malformed" };
};

const ROW_READERS: ReadonlyMap<string, RowReader> = new Map([
  ["application/x-ndjson", readJsonRow],
  ["text/plain", readTextRow],
]);

/** The rows of a block: one for each line, even a blank one, so that rows have the same numbers as lines. */
export function readRows(block: LineBlock, readRow: RowReader): Row[] {
  const rows: Row[] = [];
  const { bytes, firstLine, lines } = block;
  for (const { line, start, end, isTooLong } of linesIn(block)) {
    while (rows.length < line - firstLine) rows.push(BLANK);
    rows.push(isTooLong ? TOO_LONG : readRow(bytes.subarray(start, end)));
  }
  while (rows.length < lines) rows.push(BLANK);
  return rows;
}
