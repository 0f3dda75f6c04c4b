import { ListSourceError } from "../error.ts";
import { entryTest } from "../records/candidates.ts";
import {
  type Chosen,
  excelDelimiter,
  hasWidth,
  namedColumn,
  onlyColumn,
  tableLayout,
} from "../records/csv-layout.ts";
import { DELIMITERS, endOfQuoted, rowReader } from "../records/csv-rows.ts";
import { knownTable } from "../records/known-layouts.ts";
import { recordReader } from "../records/record-reader.ts";
import type { RefusalCode } from "../refusal.ts";
import { quoted } from "../text.ts";
import type { LineParser, ListFormat, Output, ParserOptions } from "./format.ts";

/** A table with a header, which is the first row, or else a comment before it, or without one. */
export const csv: ListFormat = {
  name: "csv",
  title: "a table (CSV)",
  shape: null,
  parser: csvParser,
};

/** Matches a comment. Blanks may come before the `#`, but not a tab, because the first field may be empty. */
const COMMENT = /^ *#/;
/** The maximum numbers of lines and characters that determine the layout of a table. */
const MOST_LINES = 1000;
const MOST_CHARACTERS = 2 ** 20;

/** A line that waits until the layout is known; `null` stands for a line that could not be read. */
interface Waiting {
  readonly number: number;
  readonly raw: string | null;
}

/**
 * @param isSource whether the table is a source of entries, so that other columns may say which rows are entries, and
 * comments may be between the rows.
 * @throws ListSourceError when the column with the entries, or the rows that are entries, are not known.
 */
export function csvParser(output: Output, options: ParserOptions, isSource = true): LineParser {
  const { column } = options;
  const isEntry = entryTest(output);
  let waiting: Waiting[] = [];
  let delimiters = DELIMITERS;
  let count = 0;
  let characters = 0;
  let rows: LineParser | null = null;

  function choose(lines: readonly string[], comments: readonly string[]): Chosen {
    if (typeof column === "number") {
      const delimiter = likelyDelimiter(lines[0]!, column, delimiters);
      const found = isSource ? tableLayout(lines, comments, isEntry, [delimiter]) : null;
      const names = found?.names ?? null;
      return { delimiter, names, isFirstRow: found?.isFirstRow ?? false, own: column - 1 };
    }
    if (column !== undefined) {
      const found = namedColumn(column, lines[0]!, comments, delimiters);
      if (found !== null) return found;
      throw new ListSourceError(
        "column-missing",
        `a table that starts with ${quoted(lines[0]!.trim())}`,
        `a header with a column ${quoted(column)}`,
      );
    }
    const found = tableLayout(lines, comments, isEntry, delimiters);
    if (found === null) {
      throw new ListSourceError(
        "column-missing",
        `lines that are no table, such as ${quoted(lines[0]!.trim())}`,
        "a table with a header, or the number of the column",
      );
    }
    const known = found.names === null ? null : knownTable(found.names);
    const own = known === null ? onlyColumn(found) : found.names!.indexOf(known.column!);
    return { ...found, own };
  }

  /** Determines the layout, and reads the lines that waited for it. */
  function begin() {
    const isRow = ({ raw }: Waiting) => raw !== null && raw.trim() !== "" && !COMMENT.test(raw);
    const first = waiting.findIndex(isRow);
    if (first < 0) return;
    const textOf = ({ raw }: Waiting) => raw ?? "";
    const comments = waiting.slice(0, first).map(textOf);
    const chosen = choose(waiting.filter(isRow).map(textOf), comments);
    rows = rowsParser(output, chosen, options, isSource);
    const last = output.line();
    for (const [i, { number, raw }] of waiting.entries()) {
      output.at(number);
      if (raw === null) rows.end!();
      else if (i === first ? chosen.isFirstRow : i < first && !isSource) continue;
      else if (raw.trim() !== "" || rows.isOpen!()) rows.line(raw.trim(), raw);
    }
    output.at(last);
    waiting = [];
  }

  return {
    line(line, raw) {
      if (rows !== null) return rows.line(line, raw);
      const delimiter = count === 0 && delimiters === DELIMITERS ? excelDelimiter(raw) : null;
      if (delimiter !== null) {
        delimiters = [delimiter];
        return;
      }
      waiting.push({ number: output.line(), raw });
      characters += raw.length;
      if (line === "" || COMMENT.test(raw)) return;
      count++;
      const isNamed = typeof column === "string" || (column !== undefined && !isSource);
      if (isNamed || count === MOST_LINES || characters > MOST_CHARACTERS) begin();
    },
    isOpen: () => (rows === null ? count > 0 : rows.isOpen!()),
    end() {
      if (rows !== null) rows.end!();
      else if (waiting.length > 0) waiting.push({ number: output.line(), raw: null });
    },
    finish() {
      if (rows === null) begin();
      if (rows !== null) rows.finish!();
    },
    column() {
      if (rows !== null) return rows.column!();
      return column === undefined ? null : String(column);
    },
  };
}

/** The delimiter of a table without a header, from its first row. */
function likelyDelimiter(row: string, column: number, delimiters: readonly string[]): string {
  // A tab is the best sign of the delimiter: fields rarely contain tabs, but URLs may contain commas.
  const likely = row.includes("\t") ? delimiters.filter((each) => each === "\t") : delimiters;
  const counts = likely.map((delimiter) => rowReader(delimiter).read(row).length);
  return likely[counts.findIndex((count) => count >= column)] ?? delimiters[0]!;
}

/** Reads the rows of a table whose layout is known. */
function rowsParser(
  output: Output,
  { delimiter, names: header, own }: Chosen,
  { column, where, maxCharacters }: ParserOptions,
  isSource: boolean,
): LineParser {
  const reader = rowReader(delimiter);
  const known = header === null ? null : knownTable(header);
  const isKnown = known !== null && (column === undefined || header![own] === known.column);
  const names: string[] = [...(header ?? [])];
  const records = recordReader(output, {
    names,
    own,
    where: isSource ? (where ?? (isKnown ? known.where : null)) : [],
    maxCharacters,
  });
  /** The lines of an open record after its first one, or null. */
  let more: string[] | null = null;
  let beginning = "";
  /** The number of fields in the header, or in the first row without a header; -1 until it is known. */
  let width = header === null ? -1 : names.length;

  const refuse = (code: RefusalCode) => records.refuse(code, beginning, reader.lines());

  /** Whether a comment has as many fields as a row, and an entry in the column: somebody may have disabled the row. */
  function isDisabledRow(comment: string): boolean {
    const fields = rowReader(delimiter).read(comment);
    if (typeof fields === "string" || (width >= 0 && fields.length !== width)) return false;
    return (own < 0 ? fields : [fields[own] ?? ""]).some((field) => output.accepts(field, "field"));
  }

  /**
   * Whether a line inside quotation marks is itself a row: it has as many fields as other rows, and an entry in the
   * column. If so, the two quotation marks around it are probably stray ones in running text.
   */
  function isQuotedRow(line: string): boolean {
    const end = endOfQuoted(line, 0);
    const fields = line.slice(0, end < 0 ? line.length : end).split(delimiter);
    // The last field contains the quotation mark.
    if (end >= 0) fields.pop();
    const field = fields[own];
    if (field === undefined || line.split(delimiter).length !== width) return false;
    return output.accepts(field.trim(), "field");
  }

  return {
    line(line, raw) {
      if (more === null) {
        if (isSource && line[0] === "#" && COMMENT.test(raw)) {
          if (isDisabledRow(raw)) records.refuse("row-commented", line);
          return;
        }
        beginning = line;
      } else more.push(raw);
      const row = reader.read(raw);
      if (row === "open") {
        more ??= [];
        return;
      }
      const inQuotes = more;
      more = null;
      if (typeof row === "string") return refuse(row);
      if (width < 0) {
        width = row.length;
        names.push(...row.map((_, i) => String(i + 1)));
      }
      // If there is one field too many, an entry may have been cut in two.
      if (!hasWidth(row, width, header?.at(-1)) || row[own] === undefined)
        return refuse("column-count");
      if (inQuotes?.some(isQuotedRow)) return refuse("rows-quoted");
      records.row(row[own], row, beginning, reader.lines());
    },
    isOpen: () => more !== null,
    end() {
      if (more === null) return;
      refuse("quote-unclosed");
      reader.abandon();
      more = null;
    },
    finish: records.end,
    column: () => (own < 0 ? null : (header?.[own] ?? String(own + 1))),
  };
}
