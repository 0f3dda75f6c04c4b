import type { LineParser, ListFormat, Output, ParserOptions } from "../formats/format.ts";
import { ListSourceError, type RefusalCode } from "../problems.ts";
import { quoted, shorten } from "../text.ts";
import { DELIMITERS, endOfQuoted, type RowResult, rowReader } from "./csv-rows.ts";
import { columnUnknown, knownTable, recordReader } from "./records.ts";

/** A table with a header, which is the first row, or else a comment before it, or without one. */
export const csv: ListFormat = {
  name: "csv",
  title: "a table (CSV)",
  shape: null,
  parser: csvParser,
};

type TableParser = Required<Omit<LineParser, "lastLine">>;

/** How a table is written: its delimiter, and its header. */
interface TableLayout {
  readonly delimiter: string;
  /** The names in the header; `null` when there is none. */
  readonly names: readonly string[] | null;
  /** Whether the header is the first row, and not a comment before it. */
  readonly isFirstRow: boolean;
}

/** Matches a comment. Spaces may come before the `#`, but not a tab, because the first field may be empty. */
const COMMENT = /^ *#/;
/** So many of the last comments before the first row may be the header, or rows that were disabled. */
const MOST_COMMENTS = 100;
const LONGEST_COMMENT = 2 ** 16;

/** The delimiter in a line such as `sep=;`, which tells Excel how to read the rows after it; null for other lines. */
export function excelDelimiter(line: string): string | null {
  return /^\s*"?sep=([,;|\t])"?\s*$/i.exec(line)?.[1] ?? null;
}

/** The delimiter that splits more than half of some rows into the same number of fields, at least two. */
export function tableDelimiter(
  lines: readonly string[],
  delimiters: readonly string[] = DELIMITERS,
): string | null {
  const isTable = (delimiter: string): boolean => {
    const widths = new Map<number, number>();
    const { read, abandon } = rowReader(delimiter);
    let rows = 0;
    for (const line of lines) {
      const row = read(line);
      // A field with several lines, or a stray quotation mark, does not hide the lines after it.
      if (row === "open") abandon();
      else rows++;
      if (typeof row === "string") continue;
      const { length } = row;
      // The delimiter after the last field is optional.
      for (const width of row.at(-1) === "" ? [length, length - 1] : [length]) {
        widths.set(width, (widths.get(width) ?? 0) + 1);
      }
    }
    return [...widths].some(([width, count]) => width > 1 && count > rows / 2);
  };
  return delimiters.find(isTable) ?? null;
}

/**
 * The header with certain names: a comment before the first row that has as many fields, or else the first row.
 *
 * @param isWanted whether the fields of a line are the names.
 */
export function findHeader(
  first: string,
  comments: readonly string[],
  delimiters: readonly string[],
  isWanted: (names: readonly string[]) => boolean,
): (TableLayout & { readonly names: readonly string[] }) | null {
  const before = comments.toReversed().map((comment) => comment.replace(/^\s*#+\s*/, ""));
  // Anybody may have written the first row, but only the publisher writes the comments before it.
  for (const line of [...before, first]) {
    for (const delimiter of delimiters) {
      const names = rowReader(delimiter).read(line);
      if (typeof names === "string" || !isWanted(names)) continue;
      const row = rowReader(delimiter).read(first);
      if (hasWidth(row, names.length, names.at(-1))) {
        return { delimiter, names, isFirstRow: row.join() === names.join() };
      }
    }
  }
  return null;
}

/** Whether a row has as many fields as others. The delimiter after the last field is optional. */
function hasWidth(
  row: RowResult,
  width: number,
  last: string | undefined,
): row is readonly string[] {
  if (typeof row === "string") return false;
  if (row.length === width) return true;
  if (row.length === width + 1) return row.at(-1) === "";
  return row.length === width - 1 && last === "";
}

/** The names in a header that a column may have: those that are the same or, if there is none, differ in case. */
function namesOf(header: readonly string[], column: string): readonly string[] {
  const same = header.filter((name) => name === column);
  const wanted = column.toLowerCase();
  return same.length > 0 ? same : header.filter((name) => name.toLowerCase() === wanted);
}

/** Whether the fields of a line are the header of a table with this column, or of a known layout. */
export const isHeaderFor =
  (column: string | number | undefined) =>
  (names: readonly string[]): boolean =>
    typeof column === "string" ? namesOf(names, column).length > 0 : knownTable(names) !== null;

/** Matches the name of a column. No entry begins like this and has no dot. */
const NAME = /^[\p{L}_][^./@\\]{0,63}$/u;

/** Whether the fields of a line can only be names of columns. */
export function isHeaderRow(names: readonly string[]): boolean {
  return names.length > 1 && names.every((name) => name === "" || NAME.test(name));
}

/**
 * @param isSource whether the table is a source of entries, so that other columns may say which rows are entries, and
 * comments may be between the rows.
 * @throws ListSourceError when the column with the entries, or the rows that are entries, are not known.
 */
export function csvParser(output: Output, options: ParserOptions, isSource = true): TableParser {
  const { column, where = [] } = options;
  let comments: { readonly number: number; readonly raw: string }[] = [];
  /** The first row of a table whose column is not known. The next one is an example in the message. */
  let first: string | null = null;
  let delimiters = DELIMITERS;
  let rows: TableParser | null = null;

  /** The layout of the table, and the index of the column with the entries. */
  function layoutOf(row: string): (TableLayout & { readonly own: number }) | null {
    const before = comments.map(({ raw }) => raw);
    const find = (isWanted: (names: readonly string[]) => boolean) =>
      findHeader(row, before, delimiters, isWanted);
    if (typeof column === "number") return numbered(column, row, find);
    const found = find(isHeaderFor(column));
    if (found === null) return null;
    const { names } = found;
    const wanted = column ?? knownTable(names)!.column!;
    const [name, ...others] = namesOf(names, wanted);
    if (others.length > 0) {
      const what = `a table with ${others.length + 1} columns named ${quoted(wanted)}`;
      throw new ListSourceError("column-ambiguous", what, "the number of one of them");
    }
    return { ...found, own: names.indexOf(name!) };
  }

  function numbered(
    number: number,
    row: string,
    find: (isWanted: (names: readonly string[]) => boolean) => TableLayout | null,
  ) {
    const own = number - 1;
    // A tab is the best sign of the delimiter: fields rarely contain tabs, but URLs may contain commas.
    const likely = row.includes("\t") ? delimiters.filter((each) => each === "\t") : delimiters;
    const widths = likely.map((delimiter) => rowReader(delimiter).read(row).length);
    const delimiter = likely[widths.findIndex((width) => width >= number)] ?? delimiters[0]!;
    const none = { delimiter, names: null, isFirstRow: false, own };
    if (!isSource) return none;
    const hasConditions = (names: readonly string[]) =>
      where.every(({ column: name }) => names.includes(name));
    const named = where.length > 0 ? find(hasConditions) : null;
    if (named !== null) return { ...named, own };
    const names = rowReader(delimiter).read(row);
    if (typeof names === "string") return none;
    const name = names[own] ?? "";
    const isHeader = NAME.test(name) && !output.accepts(name, "field");
    return isHeader ? { ...none, names, isFirstRow: true } : none;
  }

  /** The error for a table whose column with the entries has to be named. It shows each column with an example. */
  function unknown(row: string, second: string): ListSourceError {
    const delimiter = tableDelimiter(second === "" ? [row] : [row, second], delimiters);
    if (delimiter === null) {
      const what = `lines that are not a table, such as ${quoted(row.trim())}`;
      return new ListSourceError("column-missing", what, "a table, or the name of its column");
    }
    const fieldsOf = (line: string): readonly string[] => {
      const fields = rowReader(delimiter).read(line);
      return typeof fields === "string" ? [] : fields;
    };
    const before = comments.map(({ raw }) => raw);
    const header = findHeader(row, before, [delimiter], isHeaderRow);
    const examples = fieldsOf(header?.isFirstRow ? second : row);
    const columns = (header?.names ?? examples).map((name, i) => ({
      path: header === null ? String(i + 1) : name,
      count: 0,
      example: shorten(examples[i] ?? ""),
    }));
    const what = `the ${header === null ? "number" : "name"} of the column with the entries`;
    return columnUnknown(`a table${header === null ? " without a header" : ""}`, columns, what);
  }

  return {
    line(line, raw) {
      if (rows !== null) return rows.line(line, raw);
      if (first !== null) throw unknown(first, raw);
      if (line === "") return;
      if (COMMENT.test(raw)) {
        if (raw.length <= LONGEST_COMMENT) {
          comments = [...comments.slice(1 - MOST_COMMENTS), { number: output.line(), raw }];
        }
        return;
      }
      const delimiter = delimiters === DELIMITERS ? excelDelimiter(raw) : null;
      if (delimiter !== null) {
        delimiters = [delimiter];
        return;
      }
      const layout = layoutOf(raw);
      if (layout === null) {
        if (column === undefined) {
          first = raw;
          return;
        }
        const what = `a table that starts with ${quoted(line)}`;
        const expected = `a header with a column ${quoted(String(column))}`;
        throw new ListSourceError("column-missing", what, expected);
      }
      rows = rowsParser(output, layout, options, isSource);
      const last = output.line();
      for (const comment of isSource ? comments : []) {
        output.at(comment.number);
        rows.line(comment.raw.trim(), comment.raw);
      }
      output.at(last);
      comments = [];
      if (!layout.isFirstRow) rows.line(line, raw);
    },
    isOpen: () => rows?.isOpen() ?? false,
    end: () => rows?.end(),
    finish() {
      if (first !== null) throw unknown(first, "");
      rows?.finish();
    },
    column: () => rows?.column() ?? (column === undefined ? null : String(column)),
  };
}

/** Reads the rows of a table whose layout is known. */
function rowsParser(
  output: Output,
  { delimiter, names: header, own }: TableLayout & { readonly own: number },
  { column, where, dateColumn, maxCharacters }: ParserOptions,
  isSource: boolean,
): TableParser {
  const reader = rowReader(delimiter);
  const known = header === null ? null : knownTable(header);
  const isKnown = known !== null && (column === undefined || header![own] === known.column);
  const names: string[] = [...(header ?? [])];
  const records = recordReader(output, {
    names,
    own,
    where: isSource ? (where ?? (isKnown ? known.where : null)) : [],
    dateColumn,
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
    return output.accepts(fields[own] ?? "", "field");
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
    column: () => header?.[own] ?? String(own + 1),
  };
}
