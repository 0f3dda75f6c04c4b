import { ListSourceError } from "../error.ts";
import { quoted, shorten } from "../text.ts";
import { type Candidate, columnUnknown, mayBeEntries } from "./candidates.ts";
import { DELIMITERS, type RowResult, rowReader } from "./csv-rows.ts";

/** How a table is written: its delimiter, and its header. */
export interface TableLayout {
  readonly delimiter: string;
  /** The names in the header; `null` when there is none. */
  readonly names: readonly string[] | null;
  /** Whether the header is the first row, and not a comment before it. */
  readonly isFirstRow: boolean;
}

/** A layout that was found in the rows of a table. */
interface FoundLayout extends TableLayout {
  /** The columns that may have the entries. */
  readonly columns: readonly Column[];
  /** Whether there are rows, and not only a header. */
  readonly hasRows: boolean;
}

/** A column that may have the entries. Its path is its name, or its number in a table without a header. */
interface Column extends Candidate {
  readonly index: number;
}

/** The layout, and the column with the entries. */
export interface Chosen extends TableLayout {
  readonly own: number;
}

/** The header may be one of the last comments before the first row. */
const MOST_COMMENTS = 100;
/** Text of one of the columns in which a header never has it. */
const IS_DATA = /:\/\/|^[\d.,:/ TZ+-]*\d[\d.,:/ TZ+-]*$/;

const MOST_RESTARTS = 10;

/** The rows of some lines. A quotation mark that opens by mistake, and never closes, does not hide the lines after it. */
function rowsOf(lines: readonly string[], delimiter: string): readonly (readonly string[])[] {
  const reader = rowReader(delimiter);
  const rows: (readonly string[])[] = [];
  let start = 0;
  for (let i = 0, restarts = 0; i < lines.length; i++) {
    const row = reader.read(lines[i]!);
    if (row !== "open") start = i + 1;
    if (typeof row !== "string") rows.push(row);
    if (row === "open" && i === lines.length - 1 && restarts++ < MOST_RESTARTS) {
      reader.abandon();
      i = start++;
    }
  }
  return rows;
}

/** Whether a row has as many fields as others. The delimiter after the last field is optional. */
export function hasWidth(row: readonly string[], width: number, last: string | undefined): boolean {
  if (row.length === width) return true;
  if (row.length === width + 1) return row.at(-1) === "";
  return row.length === width - 1 && last === "";
}

function fits(rows: readonly (readonly string[])[], header: readonly string[]): boolean {
  const most = rows.filter((row) => hasWidth(row, header.length, header.at(-1)));
  return most.length > rows.length / 2;
}

/** The columns of rows that may have the entries. */
function candidateColumns(
  rows: readonly (readonly string[])[],
  isEntry: (text: string) => boolean,
): readonly Column[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  return Array.from({ length: width }, (_, index) => {
    const values = rows.map((row) => row[index] ?? "").filter((value) => value !== "");
    const example = mayBeEntries(values, rows.length, isEntry);
    const path = String(index + 1);
    return example === null ? [] : [{ index, path, count: values.length, example }];
  }).flat();
}

/**
 * The names in a row, if it is a header: no field is data, and where other rows have entries, this one has none. A
 * header in a comment has several names.
 */
function headerIn(
  row: RowResult | undefined,
  rows: readonly (readonly string[])[],
  columns: readonly { readonly index: number }[],
  isEntry: (text: string) => boolean,
): readonly string[] | null {
  if (row === undefined || typeof row === "string" || !row.some((name) => /\p{L}/u.test(name))) {
    return null;
  }
  if (row.some((name) => IS_DATA.test(name)) || (rows.length > 0 && !fits(rows, row))) return null;
  if (rows.length === 0) return row.some(isEntry) ? null : row;
  const isHeader = columns.every(({ index }) => (row[index] ?? "") !== "" && !isEntry(row[index]!));
  return isHeader && columns.length > 0 ? row : null;
}

/**
 * Finds the layout of a table in its first lines: the delimiter that splits most lines into the same number of fields,
 * at least two, and the header. Returns `null` for lines that are no table.
 *
 * @param comments the comments before the first row, one of which may be the header.
 */
export function tableLayout(
  lines: readonly string[],
  comments: readonly string[],
  isEntry: (text: string) => boolean,
  delimiters: readonly string[] = DELIMITERS,
): FoundLayout | null {
  for (const delimiter of delimiters) {
    const rows = rowsOf(lines, delimiter);
    if (rows.length < 1 || commonWidth(rows) < 2) continue;
    const rest = rows.slice(1);
    const below = candidateColumns(rest, isEntry);
    const first = headerIn(rows[0], rest, below, isEntry);
    if (first !== null) {
      const columns = below.map((column) => ({
        ...column,
        path: first[column.index] ?? column.path,
      }));
      return { delimiter, names: first, isFirstRow: true, columns, hasRows: rest.length > 0 };
    }
    const columns = candidateColumns(rows, isEntry);
    for (const comment of comments.slice(-MOST_COMMENTS).toReversed()) {
      const row = rowReader(delimiter).read(uncommented(comment));
      const names = headerIn(row, rows, columns, isEntry);
      if (names === null || names.length < 2) continue;
      const named = columns.map((column) => ({
        ...column,
        path: names[column.index] ?? column.path,
      }));
      return { delimiter, names, isFirstRow: false, columns: named, hasRows: true };
    }
    return { delimiter, names: null, isFirstRow: false, columns, hasRows: true };
  }
  return null;
}

function uncommented(comment: string): string {
  return comment.replace(/^\s*#+\s*/, "");
}

/** The number of fields that more than half of the rows have, except that the last may be empty; 0 if there is none. */
function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  for (const [width, count] of counts) if (count > rows.length / 2) return width;
  // A header without the delimiter that ends the rows.
  return rows.length === 2 && fits(rows.slice(1), rows[0]!) ? rows[0]!.length : 0;
}

/** The delimiter in a line such as `sep=;`, which tells Excel how to read the rows after it; null for other lines. */
export function excelDelimiter(line: string): string | null {
  return /^\s*"?sep=([,;|\t])"?\s*$/i.exec(line)?.[1] ?? null;
}

/**
 * The index of the only column that may have the entries; -1 for a table that has only a header.
 *
 * @throws ListSourceError `column-missing` or `column-ambiguous`.
 */
export function onlyColumn({ names, columns, hasRows }: FoundLayout): number {
  if (!hasRows) return -1;
  if (names === null) {
    const what = "the number of the column with the entries";
    throw columnUnknown("column-missing", "a table without a header", columns, what);
  }
  if (columns.length === 1) return columns[0]!.index;
  if (columns.length > 1) {
    const what = "a table with several columns that may have the entries";
    throw columnUnknown("column-ambiguous", what, columns, "the name of one of them");
  }
  throw columnUnknown("column-missing", `a table (${shorten(names.join(", "))})`, [], "");
}

/**
 * Finds a column by its name in the first row, or in a comment before it.
 *
 * @throws ListSourceError `column-ambiguous`.
 */
export function namedColumn(
  name: string,
  first: string,
  comments: readonly string[],
  delimiters: readonly string[],
): Chosen | null {
  for (const isFirstRow of [true, false]) {
    for (const line of isFirstRow ? [first] : comments.toReversed().map(uncommented)) {
      for (const delimiter of delimiters) {
        const names = rowReader(delimiter).read(line);
        if (typeof names === "string") continue;
        const own = indexOfName(names, name);
        const width = isFirstRow ? names : rowReader(delimiter).read(first);
        const isFitting = typeof width !== "string" && hasWidth(width, names.length, names.at(-1));
        if (own >= 0 && isFitting) return { delimiter, names, isFirstRow, own };
      }
    }
  }
  return null;
}

/** The index of the column with this name; one that differs only in case is second best. -1 when there is none. */
function indexOfName(names: readonly string[], name: string): number {
  const exact = names.filter((each) => each === name);
  const wanted = name.toLowerCase();
  const found = exact.length > 0 ? exact : names.filter((each) => each.toLowerCase() === wanted);
  if (found.length > 1) {
    const what = `a table with ${found.length} columns named ${quoted(name)}`;
    throw new ListSourceError("column-ambiguous", what, "the number of one of them");
  }
  return found.length === 0 ? -1 : names.indexOf(found[0]!);
}
