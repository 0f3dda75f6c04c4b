import type { LineParser, ListFormat, Output } from "./format.ts";
import {
  type EntryRows,
  entryRows,
  isRowWithEntry,
  type TableLayout,
} from "./parts/csv-entries.ts";
import {
  type CsvHeader,
  columnMissing,
  excelDelimiter,
  fitsHeader,
  readCommentedHeader,
  readHeader,
} from "./parts/csv-header.ts";
import { DELIMITERS, rowReader } from "./parts/csv-rows.ts";

/**
 * A table with a header. The header is a comment before the rows that has as many fields as the rows, or else the first
 * row. If the column is given as a number, there is no header.
 */
export const csv: ListFormat = {
  name: "csv",
  title: "a table (CSV)",
  shape: null,
  parser: (output, column) => csvParser(output, column),
};

/** Matches a comment. Blanks may come before the `#`, but not a tab, because the first field may be empty. */
const COMMENT = /^ *#/;

/** The delimiter of a table without a header, from its first row. */
function likelyDelimiter(row: string, column: number, delimiters: readonly string[]): string {
  // A tab is the best sign of the delimiter: fields rarely contain tabs, but URLs may contain commas.
  const likely = row.includes("\t") ? delimiters.filter((each) => each === "\t") : delimiters;
  const counts = likely.map((delimiter) => rowReader(delimiter).read(row).length);
  return likely[counts.findIndex((count) => count >= column)] ?? delimiters[0]!;
}

/** Determines the delimiter and the column from the first row, which may be the header. */
function readFirstRow(
  raw: string,
  column: string | number | undefined,
  delimiters: readonly string[],
  commented: CsvHeader | null,
): Pick<TableLayout, "header" | "delimiter" | "index"> & { readonly isHeader: boolean } {
  if (typeof column === "number") {
    const delimiter = likelyDelimiter(raw, column, delimiters);
    return { header: null, delimiter, index: column - 1, isHeader: false };
  }
  const isCommented = commented !== null && fitsHeader(raw, commented);
  const header = isCommented ? commented : readHeader(raw, column, delimiters);
  if (header === null) throw columnMissing(raw.trim(), column);
  return { header, delimiter: header.delimiter, index: header.columns[0]!, isHeader: !isCommented };
}

/** Whether a comment before the first row may be a row itself. */
function mayBeFirstRow(
  raw: string,
  commented: CsvHeader | null,
  column: string | number | undefined,
  output: Output,
): boolean {
  if (commented !== null) {
    const { delimiter, columns, names } = commented;
    return isRowWithEntry(raw, { delimiter, index: columns[0]! }, names.length, output);
  }
  const index = typeof column === "number" ? column - 1 : -1;
  return DELIMITERS.some((delimiter) => isRowWithEntry(raw, { delimiter, index }, null, output));
}

/**
 * @param isSource whether the table is a source of entries: it may have comments between the rows, and columns that say
 * that a row is not an entry.
 * @throws ListSourceError `column-missing` at the first row, when no header has the column.
 */
export function csvParser(
  output: Output,
  column: string | number | undefined,
  isSource = true,
): LineParser {
  /** The last comment before the first row that may be the header. */
  let commented: CsvHeader | null = null;
  let header: CsvHeader | null = null;
  let delimiters = DELIMITERS;
  /** `null` until the first row determines the delimiter and the column. */
  let rows: EntryRows | null = null;

  /** Reads the first row. Returns whether the row is the header. */
  function begin(raw: string): boolean {
    const { isHeader, ...layout } = readFirstRow(raw, column, delimiters, commented);
    header = layout.header;
    rows = entryRows(output, { ...layout, asked: column, isSource });
    const { names = [], columns = [] } = header ?? {};
    if (columns.length > 1) output.severalColumns(columns.map((each) => names[each]!));
    return isHeader;
  }

  /**
   * Reads a comment. A comment that may be a row is refused: either somebody disabled the row, or its first field
   * begins with `#`.
   */
  function readComment(line: string, raw: string) {
    const mayBeRow =
      rows === null ? mayBeFirstRow(raw, commented, column, output) : rows.mayBeRow(raw);
    if (mayBeRow) return output.refuse("row-commented", line);
    if (rows === null && typeof column !== "number") {
      commented = readCommentedHeader(line, column) ?? commented;
    }
  }

  return {
    line(line, raw) {
      const mayBeComment = rows === null || (isSource && !rows.isOpen());
      if (mayBeComment && COMMENT.test(raw)) return readComment(line, raw);
      if (rows === null && delimiters === DELIMITERS) {
        const delimiter = excelDelimiter(raw);
        if (delimiter !== null) {
          delimiters = [delimiter];
          return;
        }
      }
      if (rows === null && begin(raw)) return;
      rows!.line(line, raw);
    },
    isOpen: () => rows?.isOpen() ?? false,
    end: () => rows?.end(),
    column() {
      return rows === null ? null : (rows.column() ?? String(column));
    },
  };
}
