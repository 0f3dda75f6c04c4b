import { Failure } from "@x/command-line";
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
import { InvalidArgumentError } from "commander";
import type { RowBlock } from "../output/results.ts";
import { sourceProblem } from "./foreign-input.ts";
import { nameOf } from "./read-file.ts";

/** Parses the value of `--column`: the name or the number of a column. */
export function columnOf(text: string): string | number {
  if (text === "") throw new InvalidArgumentError("Expected the name or number of a column.");
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : text;
}

/** Adds a value of `--where`: a condition such as `verdict=malicious`, or `all`. */
export function whereOf(text: string, before: readonly string[] = []): readonly string[] {
  if (!isWhere(text)) {
    throw new InvalidArgumentError('Expected a condition such as "verdict=malicious", or "all".');
  }
  return [...before, text];
}

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
 * Added to bytes above ASCII. The resulting code units are neither blanks nor letters, so the table reader keeps them.
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
  const rows = rowCollector(0, true);
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

/*
 * Reads rows of one field in the format of ClickHouse's TabSeparated and PostgreSQL's COPY: each line is a row, a
 * backslash starts an escape, and \N is NULL.
 */

const BACKSLASH = 0x5c;
const TAB = 0x09;
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const NULL = "\\N";
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  0: "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Matches the tabs and line ends that URL parsers remove, but not those before another URL, which separate URLs. */
const REMOVED = /[\t\r\n]+(?![a-z][a-z0-9+.-]*:\/\/)/gi;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, hex: string | undefined, character: string) =>
    hex === undefined
      ? (ESCAPED[character] ?? character)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Decodes the escapes in each line of a block. */
export function unescapeLines(block: LineBlock): RowBlock {
  const { bytes, firstLine } = block;
  if (firstLine > 0 && !bytes.includes(BACKSLASH) && !bytes.includes(TAB)) return block;
  const rows = rowCollector(firstLine, false);
  const isMarked = firstLine === 0 && byteString(bytes.subarray(0, 3)) === BYTE_ORDER_MARK;
  let mark = isMarked ? BYTE_ORDER_MARK : "";
  for (const { bytes: line, isTooLong } of allLines(block)) {
    const text = mark + byteString(line);
    mark = "";
    // Only the beginning of the line was kept. This beginning stays escaped, because it might not be too long once
    // unescaped.
    if (isTooLong) rows.add(text);
    else if (text === NULL) rows.addNull();
    else if (line.includes(TAB)) rows.refuse(text, severalFields(line));
    else rows.add(unescaped(text).replace(REMOVED, ""));
  }
  const taken = rows.take();
  // In a field, U+FEFF is not a byte order mark. The blank, which URL parsers remove, keeps U+FEFF in place.
  return isMarked ? { ...taken, bytes: Buffer.concat([Buffer.from(" "), taken.bytes]) } : taken;
}

function severalFields(line: Uint8Array) {
  const looksLike = { code: "column-count", found: "several fields" };
  return foreignRefusal(line, looksLike, "one field, in which a tab is escaped");
}

/** Collects rows as lines. Each UTF-16 code unit of a text stands for a byte, and its higher bits are ignored. */
interface RowCollector {
  readonly add: (text: string) => void;
  readonly refuse: (text: string, refusal: Refusal) => void;
  readonly addNull: () => void;
  /** Returns the rows that were added since the last call. */
  readonly take: () => RowBlock;
}

/** @param firstRow the index of the first row. */
function rowCollector(firstRow: number, isTable: boolean): RowCollector {
  let first = firstRow;
  let lines: string[] = [];
  let refused = new Map<number, Refusal>();
  let nulls = new Set<number>();
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
    addNull() {
      nulls.add(first + lines.length);
      add("");
    },
    take() {
      lines.push("");
      const bytes = Buffer.from(lines.join("\n"), "latin1");
      const block = { bytes, firstLine: first, lines: lines.length - 1, isTable, refused, nulls };
      first += block.lines;
      lines = [];
      refused = new Map();
      nulls = new Set();
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
