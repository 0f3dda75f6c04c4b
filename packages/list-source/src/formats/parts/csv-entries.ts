import type { RefusalCode } from "../../refusal.ts";
import type { LineParser, Output } from "../format.ts";
import { findColumns } from "./columns.ts";
import { type CsvHeader, columnMissing, hasWidth } from "./csv-header.ts";
import { endOfQuoted, type RowReader, rowReader } from "./csv-rows.ts";
import { doubtText, isHostAlone, otherField } from "./fuller-url.ts";
import { hasMeaning, isAllowed, meaningOfRecord, type RecordMeaning } from "./record-verdicts.ts";

export interface TableLayout {
  readonly delimiter: string;
  /** `null` when the column was given as a number. */
  readonly header: CsvHeader | null;
  /** The index of the column with the entries. */
  readonly index: number;
  /** The column that was asked for; `undefined` when it was found by its name. */
  readonly asked: string | number | undefined;
  /** Whether the table is a source of entries, so that other columns may say that a row is not an entry. */
  readonly isSource: boolean;
}

/** Reads the rows of a table after its header. */
export interface EntryRows extends Required<Pick<LineParser, "line" | "isOpen" | "end">> {
  /** Whether a comment has as many fields as a row, and an entry in the column. */
  mayBeRow(comment: string): boolean;
  /** The name of the column that is read; `null` when there is no header. */
  column(): string | null;
}

/** Why a row is not an entry, according to its other fields; `null` when it is one. */
function meaningOfRow(
  { header, index, isSource }: TableLayout,
  telling: readonly number[],
  row: readonly string[],
): RecordMeaning | null {
  if (header === null) return isSource && row.some(isAllowed) ? "exception" : null;
  if (telling.length === 0) return null;
  const fields = telling.map((i) => [header.names[i]!, row[i] ?? ""] as const);
  return meaningOfRecord(fields, header.names[index]!);
}

/**
 * Whether a line inside quotation marks is itself a row: it has as many fields as other rows, and an entry in the
 * column. If so, the two quotation marks around it are probably stray ones in running text.
 */
function isQuotedRow(
  line: string,
  { delimiter, index }: TableLayout,
  width: number,
  output: Output,
): boolean {
  const end = endOfQuoted(line, 0);
  const fields = line.slice(0, end < 0 ? line.length : end).split(delimiter);
  // The last field contains the quotation mark.
  if (end >= 0) fields.pop();
  const field = fields[index];
  if (field === undefined || line.split(delimiter).length !== width) return false;
  return output.accepts(field.trim(), "field");
}

/**
 * Throws if the first value in the column is itself a usual column name, such as `domain`. The column then contains the
 * types of the entries, not the entries.
 */
function checkFirst(field: string, { header, asked, isSource }: TableLayout): void {
  if (header === null || asked !== undefined || !isSource) return;
  const isType = findColumns([field], undefined).length > 0;
  if (isType) throw columnMissing(header.names.join(header.delimiter), asked);
}

/** Whether a line is a row with `width` fields, or with any number if that is `null`, and an entry in the column. */
export function isRowWithEntry(
  line: string,
  { delimiter, index }: Pick<TableLayout, "delimiter" | "index">,
  width: number | null,
  output: Output,
): boolean {
  const fields = rowReader(delimiter).read(line);
  if (typeof fields === "string" || (width !== null && fields.length !== width)) return false;
  return output.accepts(fields[index] ?? "", "field");
}

/** Reads a row. Returns why it has no entry; `null` if it has one. */
function rowProblem(
  layout: TableLayout,
  telling: readonly number[],
  row: readonly string[],
): RefusalCode | "not-applicable" | null {
  const field = row[layout.index];
  if (field === undefined) return "column-count";
  if (field === "") return "field-empty";
  return meaningOfRow(layout, telling, row);
}

/**
 * The field that says more than the host in the column, or that leaves doubt about the row; `null` to read the column
 * itself.
 */
function beside(
  { header, index, asked, isSource }: TableLayout,
  row: readonly string[],
  urlOf: Output["urlOf"],
) {
  if (header === null || asked !== undefined || !isSource) return null;
  return isHostAlone(row[index]!) ? otherField(header.names, row, index, urlOf) : null;
}

/** Reports the entry in each row, or the reason why the row has none. */
export function entryRows(output: Output, layout: TableLayout): EntryRows {
  const { delimiter, header, index, isSource } = layout;
  const names = header?.names ?? [];
  /** The columns that may say that a row is not an entry. */
  const telling = names.flatMap((name, i) => (isSource && hasMeaning(name) ? [i] : []));
  const reader: RowReader = rowReader(delimiter);
  /** The lines of an open record after its first one, or null. */
  let more: string[] | null = null;
  let beginning = "";
  /** The number of fields in the header, or in the first row without a header; -1 until it is known. */
  let width = header === null ? -1 : names.length;
  /** The name of a column whose URLs are read instead of the hosts in the column; `null` until there is one. */
  let fuller: string | null = null;
  let isFirst = true;

  const refuse = (code: RefusalCode) => output.refuse(code, beginning, reader.lines());

  function reportEntry(row: readonly string[]) {
    const other = beside(layout, row, output.urlOf);
    if (other !== null && other.says !== "more") {
      const details = doubtText(names[index]!, names[other.index]!, row[other.index]!);
      return output.refuse("column-unclear", beginning, reader.lines(), details);
    }
    if (other !== null && fuller === null) {
      fuller = names[other.index]!;
      output.severalColumns([fuller, names[index]!]);
    }
    output.entry(row[other?.index ?? index]!, "field", reader.lines());
  }

  function report(row: readonly string[]) {
    const field = row[index];
    if (isFirst && field !== undefined) checkFirst(field, layout);
    isFirst = false;
    const problem = rowProblem(layout, telling, row);
    if (problem === null) reportEntry(row);
    else if (problem === "not-applicable") output.notApplicable(beginning);
    else refuse(problem);
  }

  return {
    line(line, raw) {
      if (more === null) beginning = line;
      else more.push(raw);
      const row = reader.read(raw);
      if (row === "open") {
        more ??= [];
        return;
      }
      const inQuotes = more;
      more = null;
      if (typeof row === "string") return refuse(row);
      if (width < 0) width = row.length;
      // If there is one field too many, an entry may have been cut in two.
      if (!hasWidth(row, width, names)) return refuse("column-count");
      if (inQuotes?.some((each) => isQuotedRow(each, layout, width, output))) {
        return refuse("rows-quoted");
      }
      report(row);
    },
    isOpen: () => more !== null,
    end() {
      if (more === null) return;
      refuse("quote-unclosed");
      reader.abandon();
      more = null;
    },
    column: () => fuller ?? names[index] ?? null,
    mayBeRow: (comment) => isRowWithEntry(comment, layout, width, output),
  };
}
