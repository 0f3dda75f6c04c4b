import { Failure } from "@x/command-line";
import { foreignRefusal, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import type { Refusal as RowRefusal } from "@x/list-source";
import type { LineBlock } from "@x/lookup/lines";
import type { RowBlock } from "../output/results.ts";
import { tableReader } from "./column.ts";
import { sourceProblem } from "./foreign-input.ts";
import { nameOf } from "./read-file.ts";
import { allLines, byteString, rowCollector } from "./row-block.ts";

/** The column of a table that contains the URLs. */
export interface TableColumn {
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
