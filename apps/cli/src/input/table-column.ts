import { foreignRefusal, tooLongLine } from "@x/explain";
import { printable } from "@x/explain/printable";
import {
  columnReader,
  ListSourceError,
  type Refusal as RowRefusal,
  recognizeSource,
} from "@x/list-source";
import type { LineBlock } from "@x/lookup/lines";
import { Failure } from "../failure.ts";
import type { RowBlock } from "../output/results.ts";
import { allLines, byteString, rowCollector } from "./row-block.ts";

/** Where a table has its URLs. */
export interface TableColumn {
  /** The number of the column, from 1, or its name in the header. */
  readonly column: string;
  /** The name of the file, for messages. */
  readonly file: string;
}

const HIGH_BYTES = /[\x80-\xff]/g;
/** Moves bytes above ASCII to code units that are neither blanks nor letters, so that readers of rows keep them. */
const PRIVATE = 0xf700;
const MAX_SHOWN = 256;

function rowText(bytes: Uint8Array): string {
  return byteString(bytes).replace(HIGH_BYTES, (byte) =>
    String.fromCharCode(PRIVATE + byte.charCodeAt(0)),
  );
}

/** The text that {@link rowText} was made from. */
const textOf = (row: string): string => Buffer.from(row, "latin1").toString();

/** @throws {Failure} when the beginning of a file cannot be that of a table. */
export function refuseNoTable(start: Uint8Array, name: string): void {
  try {
    recognizeSource(start, { column: 1 });
  } catch (error) {
    if (!(error instanceof ListSourceError)) throw error;
    throw new Failure(`${name} looks like ${error.found}: expected a table`);
  }
}

/** Whether a field inside quotation marks may be a URL or a host. */
const mayBeUrl = (field: string): boolean => /^\S*[./]\S*$/.test(field);

/** Reads one column of a table. Rows are counted from the first line, the header and comments before it included. */
function urlColumn({ column, file }: TableColumn) {
  const rows = rowCollector(0, true);
  /** The lines that nothing was said about yet: they are blank, comments, the header, or those of an open row. */
  let pending: { readonly number: number; readonly text: string }[] = [];
  let number = 0;
  /** Whether there was the header or a row. */
  let hasBegun = false;

  /** Adds the rows before a line. Returns the text of that line. */
  function addBlankBefore(line: number): string {
    const first = pending.find((each) => each.number === line);
    for (const each of pending) if (each.number < line) rows.add("");
    pending = [];
    return first?.text ?? "";
  }

  function refuse({ line, lines, code, expected }: RowRefusal): void {
    const text = addBlankBefore(line);
    if (code === "field-empty") {
      rows.add("");
      return;
    }
    const found = lines > 1 ? `${lines} lines that are not one row` : "an odd row";
    const shown = Buffer.from(text.slice(0, MAX_SHOWN), "latin1");
    rows.refuse(text, foreignRefusal(shown, { code, found }, expected));
  }

  const reader = columnReader({
    column: /^[1-9]\d{0,4}$/.test(column) ? Number(column) : rowText(Buffer.from(column)),
    accepts: mayBeUrl,
    onValue: (text, line) => {
      addBlankBefore(line);
      rows.add(text);
    },
    onRefusal: refuse,
  });

  function readLine(text: string): void {
    const isNothing = text === "" || (!hasBegun && text.trim().startsWith("#"));
    if (isNothing && pending.length === 0) rows.add("");
    else pending.push({ number, text });
    hasBegun ||= !isNothing;
    if (text === "") return;
    try {
      reader.line(text, number);
    } catch (error) {
      if (!(error instanceof ListSourceError)) throw error;
      throw new Failure(`${file}: ${printable(textOf(error.message))}`);
    }
  }

  function end(): void {
    reader.end();
    addBlankBefore(Number.POSITIVE_INFINITY);
  }

  return {
    read(block: LineBlock): RowBlock {
      for (const { bytes, isTooLong } of allLines(block)) {
        number++;
        if (isTooLong) {
          end();
          rows.refuse(byteString(bytes.subarray(0, MAX_SHOWN)), tooLongLine(bytes)!);
        } else {
          readLine(rowText(bytes));
        }
      }
      return rows.take();
    },
    end(): RowBlock {
      end();
      return rows.take();
    },
  };
}

/** What the rows of a table have in a column. A block is valid until the next one. @throws {Failure} */
export async function* columnBlocks(
  blocks: AsyncIterable<LineBlock>,
  column: TableColumn,
): AsyncGenerator<RowBlock> {
  const reader = urlColumn(column);
  for await (const block of blocks) yield reader.read(block);
  yield reader.end();
}
