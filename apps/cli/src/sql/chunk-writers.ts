import { printable } from "@x/explain/printable";
import type { Colours } from "../context.ts";
import { columnsOf } from "../output/layout.ts";

/** Some rows of a result, column by column. */
type Columns = readonly (readonly (string | null)[])[];

/** Returns the text for some rows. The first returned text begins with the header. */
export type ChunkWriter = (columns: Columns) => string;

/** Transposes columns to rows. */
function rowsOf(columns: Columns): (string | null)[][] {
  return columns[0]!.map((_, row) => columns.map((column) => column[row]!));
}

/** Writes CSV as RFC 4180 describes it, but with LF. NULL is an empty cell, and an empty text is `""`. */
export function csvWriter(names: readonly string[]): ChunkWriter {
  let header = csvRow(names);
  return (columns) => {
    const text = header + rowsOf(columns).map(csvRow).join("");
    header = "";
    return text;
  };
}

function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}

function csvCell(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The separator between columns, and the maximum width to which a column is padded. */
const GAP = "  ";
const MOST_COLUMNS = 60;

/**
 * Writes a table for people. The first rows determine the column widths, so that the table can be written before all
 * rows are known.
 */
export function tableWriter(names: readonly string[], colours: Colours): ChunkWriter {
  let widths: readonly number[] | null = null;
  const shown = (cells: readonly (string | null)[]) =>
    cells.map((text) => (text === null ? "NULL" : printable(text)));
  const row = (cells: readonly string[]) =>
    cells
      .map((text, i) => text + " ".repeat(Math.max(0, widths![i]! - columnsOf(text))))
      .join(GAP)
      .trimEnd();
  return (columns) => {
    const rows = rowsOf(columns).map(shown);
    let header = "";
    if (widths === null) {
      const titles = shown(names);
      widths = titles.map((title, i) =>
        Math.min(
          MOST_COLUMNS,
          rows.reduce((most, cells) => Math.max(most, columnsOf(cells[i]!)), columnsOf(title)),
        ),
      );
      header = `${colours.bold(row(titles))}\n`;
    }
    return header + rows.map((cells) => `${row(cells)}\n`).join("");
  };
}
