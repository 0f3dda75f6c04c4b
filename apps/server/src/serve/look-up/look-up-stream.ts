import { type LineBlock, lineReader } from "@x/lookup/lines";
import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { answerInput } from "./answer-input.ts";
import { lookUpAsked } from "./look-up-asked.ts";
import type { LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { type Row, type RowReader, readRows } from "./read-rows.ts";
import { failureJson, rowErrorJson } from "./verdict-json.ts";

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
  parameters: LookUpParameters,
  answering: Answering,
  counts: LookUpCounts,
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
