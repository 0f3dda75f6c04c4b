import { collecting, expecting, Failure } from "@x/command-line";
import { foreignRefusal, type Refusal, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  type ColumnReader,
  type ColumnReaderOptions,
  columnReader,
  isWhere,
  type ListSourceError,
  type Refusal as RowRefusal,
} from "@x/list-source";
import { type LineBlock, linesIn } from "@x/lookup/lines";
import { hasName } from "@x/sha256-prefix/has-name";
import type { RowBlock } from "../output/results.ts";
import { sourceProblem } from "./foreign-input.ts";
import { nameOf } from "./read-file.ts";

/** Parses the value of `--column`: the name or the number of a column. */
export const columnOf: (text: string) => string | number = expecting(
  "the name or number of a column",
  (text) => {
    if (text === "") return null;
    return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : text;
  },
);

/** Collects the values of `--where`. */
export const collectWhere: (text: string, previous?: readonly string[]) => readonly string[] =
  collecting('a condition such as "verdict=malicious", or "all"', isWhere);

/**
 * Makes a reader for one column of the table in `file`. Its method `line` throws a {@link Failure} when the table does
 * not have the column, or has several of that name.
 *
 * @param shown escapes text of the table for messages.
 */
export function tableReader(
  file: string,
  shown: (text: string) => string,
  options: ColumnReaderOptions,
): ColumnReader {
  const reader = columnReader(options);
  return {
    ...reader,
    line(text, number) {
      try {
        reader.line(text, number);
      } catch (error) {
        if (!hasName<ListSourceError>(error, "ListSourceError")) throw error;
        const { found, expected } = error;
        throw new Failure(
          `${nameOf(file)} looks like ${shown(found)}: expected ${shown(expected)}`,
        );
      }
    },
  };
}

/** The column of a table that contains the URLs. */
interface TableColumn {
  /** The number of the column, from 1, or its name in the header. */
  readonly column: string | number;
  readonly file: string;
}

const HIGH_BYTES = /[\x80-\xff]/g;
/**
 * Added to bytes above ASCII. The resulting code units are neither spaces nor letters, so the table reader keeps them.
 */
const PRIVATE = 0xf700;
const MAX_SHOWN = 256;

function rowText(bytes: Uint8Array): string {
  return byteString(bytes).replace(HIGH_BYTES, (byte) =>
    String.fromCharCode(PRIVATE + byte.charCodeAt(0)),
  );
}

/** Converts the result of {@link rowText} back to bytes and decodes the bytes as UTF-8. */
const textOf = (row: string): string => Buffer.from(row, "latin1").toString();

/** @throws {Failure} when a file that begins with these bytes cannot be a table. */
export function refuseNoTable(start: Uint8Array, file: string): void {
  const problem = sourceProblem(start, { column: 1 });
  if (problem === null) return;
  throw new Failure(`${nameOf(file)} looks like ${problem.found}: expected a table`);
}

/** Whether a field inside quotation marks may be a URL or a host. */
const mayBeUrl = (field: string): boolean => /^\S*[./]\S*$/.test(field);

/** Reads one column of a table. Rows are counted from the first line, so the header and earlier comments count, too. */
function urlColumn({ column, file }: TableColumn) {
  const rows = rowCollector();
  /** The first line of a row that has not been added or refused yet. */
  let first: string | null = null;
  let number = 0;

  function add(text: string): void {
    rows.add(text);
    first = null;
  }

  function refuse({ lines, code, expected }: RowRefusal): void {
    const found = lines > 1 ? `${lines} lines that do not form one row` : "a malformed row";
    const shown = Buffer.from(first!.slice(0, MAX_SHOWN), "latin1");
    rows.refuse(first!, foreignRefusal(shown, { code, found }, expected));
    first = null;
  }

  const shown = (text: string): string => printable(textOf(text));
  const reader = tableReader(file, shown, {
    column: typeof column === "number" ? column : rowText(Buffer.from(column)),
    accepts: mayBeUrl,
    onValue: add,
    onRefusal: (refusal) => (refusal.code === "field-empty" ? add("") : refuse(refusal)),
  });

  function readLine(text: string): void {
    first ??= text;
    reader.line(text, number);
    // The line is blank, a comment or the header. An empty row replaces the line, so that rows are numbered correctly.
    if (first !== null && !reader.isOpen()) add("");
  }

  return {
    read(block: LineBlock): RowBlock {
      for (const { bytes, isTooLong } of allLines(block)) {
        number++;
        if (isTooLong) {
          reader.end();
          rows.refuse(byteString(bytes.subarray(0, MAX_SHOWN)), tooLongLine(bytes)!);
        } else {
          readLine(rowText(bytes));
        }
      }
      return rows.take();
    },
    end(): RowBlock {
      reader.end();
      return rows.take();
    },
  };
}

/**
 * Yields the fields in one column of a table. A block is valid only until the next one is read.
 *
 * @throws {Failure} when the table does not have the column, or has several of that name.
 */
export async function* columnBlocks(
  blocks: AsyncIterable<LineBlock>,
  column: TableColumn,
): AsyncGenerator<RowBlock> {
  const reader = urlColumn(column);
  for await (const block of blocks) yield reader.read(block);
  yield reader.end();
}

/** Collects rows as lines. Each UTF-16 code unit of a text stands for a byte, and its higher bits are ignored. */
interface RowCollector {
  readonly add: (text: string) => void;
  readonly refuse: (text: string, refusal: Refusal) => void;
  /** Returns the rows that were added since the last call. */
  readonly take: () => RowBlock;
}

function rowCollector(): RowCollector {
  let first = 0;
  let lines: string[] = [];
  let refused = new Map<number, Refusal>();
  /** Adds a row. Line feeds would end the line, so they become tabs; URL parsers remove both. */
  const add = (text: string): void => {
    lines.push(text.includes("\n") ? text.replaceAll("\n", "\t") : text);
  };
  return {
    add,
    refuse(text, refusal) {
      refused.set(first + lines.length, refusal);
      add(text.trim() === "" ? "?" : text);
    },
    take() {
      lines.push("");
      const bytes = Buffer.from(lines.join("\n"), "latin1");
      const block = { bytes, firstLine: first, lines: lines.length - 1, isTable: true, refused };
      first += block.lines;
      lines = [];
      refused = new Map();
      return block;
    },
  };
}

/** The lines of a block, including blank lines, which are returned without bytes. */
function* allLines(block: LineBlock): Generator<{ bytes: Uint8Array; isTooLong: boolean }> {
  const none = { bytes: new Uint8Array(0), isTooLong: false };
  let next = block.firstLine;
  for (const { line, start, end, isTooLong } of linesIn(block)) {
    for (; next < line; next++) yield none;
    yield { bytes: block.bytes.subarray(start, end), isTooLong };
    next++;
  }
  for (; next < block.firstLine + block.lines; next++) yield none;
}

/** Converts bytes to a string with one code unit for each byte. */
function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
