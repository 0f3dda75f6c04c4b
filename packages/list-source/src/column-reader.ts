import { typeError } from "@x/sha256-prefix/type-error";
import type { Output } from "./formats/format.ts";
import { type Refusal, refusal } from "./problems.ts";
import { isColumn } from "./reader.ts";
import { csvParser } from "./records/csv.ts";

/** Options and callbacks for reading a column of a table. */
export interface ColumnReaderOptions {
  /** The column, by name or by number from 1. If it is a number, the table has no header. */
  readonly column: string | number;
  /**
   * Returns whether `text` could be a value of the column. The reader uses this function to find rows that an unclosed
   * quotation mark hides.
   */
  readonly accepts: (text: string) => boolean;
  /** Called with each non-empty value, without surrounding spaces, and the line on which its row begins. */
  readonly onValue: (text: string, line: number) => void;
  /** Called for each row without a usable value. The code is `field-empty` when the value is empty. */
  readonly onRefusal: (refusal: Refusal) => void;
}

/** Reads a table line by line. */
export interface ColumnReader {
  /**
   * Reads a line without its line ending. An empty line is skipped, unless it is part of a row.
   *
   * @param number the number of the line, for the callbacks.
   * @throws {ListSourceError} `column-missing`, or `column-ambiguous` when several columns have the name.
   */
  line(text: string, number: number): void;
  /** Whether the last row continues on the next line. */
  isOpen(): boolean;
  /** Ends an open row. Call it after the last line, and before a line that cannot be read. */
  end(): void;
}

/**
 * Returns a reader for one column of a table with any contents, such as URNs. The reader reads rows as
 * `listSourceReader` does in the format `csv`, except that a `#` starts a comment only before the header.
 *
 * @throws TypeError when `column` is neither a name nor a number from 1.
 * @example
 * ```ts
 * import { columnReader } from "@x/list-source";
 *
 * const found: string[] = [];
 * const reader = columnReader({
 *   column: "id",
 *   accepts: (text) => text.startsWith("urn:"),
 *   onValue: (text, line) => found.push(`${line}: ${text}`),
 *   onRefusal: ({ line, code }) => found.push(`${line}: ${code}`),
 * });
 * ["id,title", "urn:a:1,One", "urn:a:2"].forEach((line, i) => reader.line(line, i + 1));
 * reader.end();
 * found; // → ["2: urn:a:1", "3: column-count"]
 * ```
 */
export function columnReader(options: ColumnReaderOptions): ColumnReader {
  const { column, accepts, onValue, onRefusal } = options;
  if (!isColumn(column)) throw typeError("column", "a name or a number from 1", column);
  /** The line on which the current row begins. */
  let first = 1;
  const output: Output = {
    entry: (text) => onValue(text, first),
    refuse: (code, text, lines = 1) => onRefusal(refusal(first, lines, code, text.trim())),
    accepts,
    line: () => first,
    at(line) {
      first = line;
    },
    header: ignore,
    leaveOut: ignore,
    exception: undefined,
    hash: ignore,
    notApplicable: ignore,
  };
  const parser = csvParser(
    output,
    { column, dateColumn: undefined, where: undefined, isRecognized: false, maxCharacters: 0 },
    false,
  );
  return {
    line(text, number) {
      if (!parser.isOpen()) {
        if (text === "") return;
        first = number;
      }
      parser.line(text.trim(), text);
    },
    isOpen: () => parser.isOpen(),
    end: () => parser.end(),
  };
}

function ignore(): void {}
