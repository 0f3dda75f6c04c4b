import { type LineBlock, lineReader } from "@x/lookup/lines";
import type { Answering } from "../answering.ts";
import { HttpProblem } from "../http/http-problem.ts";
import { answerInput } from "./answer-input.ts";
import { lookUpAsked } from "./look-up-asked.ts";
import type { LookUpCounts } from "./look-up-counts.ts";
import { type LookUpParameters, listsToSearch } from "./look-up-parameters.ts";
import { MAX_URLS } from "./operations.ts";
import { type Row, type RowReader, readRows } from "./read-rows.ts";
import { failureJson, rowErrorJson } from "./verdict-json.ts";

function inputOf(row: Exclude<Row, { readonly error: unknown }>): string | Uint8Array {
  return "url" in row ? row.url : row.line;
}

const SERVER_FAILED = { status: 500, message: "The server failed." };

/**
 * Yields one row of JSON for each line of a body, in order. The body may have any length.
 *
 * Only the unfinished line and the rows of one piece of the body are in memory. The stream waits for its turn before
 * every thousand rows. If it cannot go on, its last row says why, and then it throws.
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
    for (let start = 0; start < rows.length; start += MAX_URLS) {
      await answering.turns(parameters.network());
      const texts = await answerRows(rows.slice(start, start + MAX_URLS));
      yield Buffer.from(`${texts.join("\n")}\n`);
    }
  }

  async function answerRows(rows: readonly Row[]): Promise<string[]> {
    const urls = rows.flatMap((row) => ("error" in row ? [] : [inputOf(row)]));
    // The lists are chosen again each time, because one may have changed or expired.
    const verdicts = await lookUpAsked(
      urls,
      listsToSearch(answering, parameters),
      answering,
      parameters,
    );
    let next = 0;
    return rows.map((row) => {
      if ("error" in row) {
        counts.asked++;
        counts.refused++;
        return rowErrorJson(row.error);
      }
      return answerInput(inputOf(row), verdicts[next++]!, counts);
    });
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
