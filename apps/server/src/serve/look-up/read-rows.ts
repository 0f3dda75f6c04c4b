import { type LineBlock, linesIn } from "@x/lookup/lines";
import { MAX_URL_BYTES } from "./limits.ts";
import { urlBytes } from "./look-up-urls.ts";
import type { RowErrorCode } from "./verdict-json.ts";

/** One row of a stream: its input, or the error if it has no input. */
export type Row =
  | { readonly url: string }
  /** A line of plain text, which should be a URL but may be something else. */
  | { readonly line: Uint8Array }
  | { readonly error: RowErrorCode };

export type RowReader = (line: Uint8Array) => Row;

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
