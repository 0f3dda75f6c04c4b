import { ListSourceError } from "../error.ts";
import { shorten } from "../shorten.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";
import { findColumns } from "./parts/columns.ts";
import { DELIMITERS, endOfQuoted, type RowReader, rowReader } from "./parts/csv-rows.ts";
import { hasMeaning, isAllowed, meaningOfRecord, type RecordMeaning } from "./parts/meaning.ts";
import { sections } from "./parts/sections.ts";

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

/** The header of a table: its delimiter, its column names, and the indices of the columns that may have the entries. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** At least one. The first one is read. */
  readonly columns: readonly number[];
}

/**
 * Matches a field that no header has: a date, an IPv4 address or a host. Headers may have names such as `host.name`, so
 * only usual top-level domains count.
 */
const IS_DATA =
  /^(?:[0-9]{1,4}[./-][0-9]{1,3}[./-][0-9][0-9.:/TZ -]*|(?:[\w-]+\.)+(?:com|net|org|edu|gov|biz|xyz|top|shop|club|online|site|app|dev|live|icu|vip|example|test|(?!id|ip|os|to|no|in|by|at|is)[a-z]{2})\.?)$/i;

/**
 * Reads a line as a header; null if the line contains a URL or other data, or no delimiter gives a field with the name of
 * the column.
 */
export function readHeader(
  line: string,
  asked: string | undefined,
  delimiters: readonly string[] = DELIMITERS,
): CsvHeader | null {
  // A row that contains a URL is not a header, even if another field says "domain".
  if (line.includes("://")) return null;
  for (const delimiter of delimiters) {
    const names = rowReader(delimiter).read(line);
    if (typeof names === "string") continue;
    if (asked === undefined && names.some((name) => IS_DATA.test(name))) continue;
    const columns = findColumns(names, asked);
    if (columns.length > 0) return { delimiter, names, columns };
  }
  return null;
}

/** Reads a comment before the rows as a header. A comment with only one field is just a word, not a header. */
export function readCommentedHeader(line: string, asked: string | undefined): CsvHeader | null {
  const header = readHeader(line.replace(/^#+\s*/, ""), asked);
  return header !== null && header.names.length > 1 ? header : null;
}

export function fitsHeader(row: string, { delimiter, names }: CsvHeader): boolean {
  const fields = rowReader(delimiter).read(row);
  // If a field contains a line end, the row continues on the next line, so its fields cannot be counted here.
  return typeof fields === "string" ? fields === "open" : hasWidth(fields, names.length, names);
}

/** Whether a row has as many fields as others. There may be a delimiter after the last field, or none. */
function hasWidth(row: readonly string[], width: number, names: readonly string[]): boolean {
  if (row.length === width) return true;
  if (row.length === width + 1) return row.at(-1) === "";
  return row.length === width - 1 && names.length === width && names.at(-1) === "";
}

/** The delimiter in a line such as `sep=;`, which tells Excel how to read the rows after it; null for other lines. */
export function excelDelimiter(line: string): string | null {
  return /^\s*"?sep=([,;|\t])"?\s*$/i.exec(line)?.[1] ?? null;
}

/** Matches a comment. Blanks may come before the sign, but no tab: it may be an empty first field. */
const COMMENT = /^ *#/;

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
  const headings = sections();
  let header: CsvHeader | null = null;
  /** The columns that may say that a row is not an entry. */
  let telling: readonly number[] = [];
  let delimiters = DELIMITERS;
  let rows: RowReader | null = null;
  /** The lines of an open record after its first one, or null. */
  let more: string[] | null = null;
  /** The index of the column with the entries. */
  let index = typeof column === "number" ? column - 1 : -1;
  /** The number of fields in the header, or in the first row without a header; -1 until then. */
  let width = -1;
  let beginning = "";
  /** Whether no row has been read so far. */
  let isFirst = true;

  /** Determines the delimiter and the column from the first row. Returns whether the row is the header. */
  function begin(raw: string): boolean {
    if (typeof column === "number") {
      // A tab is the best sign of the delimiter: fields rarely contain tabs, but URLs may contain commas.
      const likely = raw.includes("\t") ? delimiters.filter((each) => each === "\t") : delimiters;
      const counts = likely.map((delimiter) => rowReader(delimiter).read(raw).length);
      rows = rowReader(likely[counts.findIndex((count) => count >= column)] ?? delimiters[0]!);
      return false;
    }
    const isCommented = commented !== null && fitsHeader(raw, commented);
    header = isCommented ? commented : readHeader(raw, column, delimiters);
    if (header === null) throw columnMissing(raw.trim(), column);
    telling = header.names.flatMap((name, i) => (isSource && hasMeaning(name) ? [i] : []));
    rows = rowReader(header.delimiter);
    index = header.columns[0]!;
    width = header.names.length;
    if (header.columns.length > 1) {
      output.severalColumns(header.columns.map((each) => header!.names[each]!));
    }
    return !isCommented;
  }

  /**
   * Whether a line inside quotation marks is itself a row: it has as many fields as other rows, and an entry in the
   * column. If so, the two quotation marks around it are probably stray ones in running text.
   */
  function isRow(line: string, delimiter: string): boolean {
    const end = endOfQuoted(line, 0);
    const fields = line.slice(0, end < 0 ? line.length : end).split(delimiter);
    // The last field contains the quotation mark.
    if (end >= 0) fields.pop();
    const field = fields[index];
    if (field === undefined || line.split(delimiter).length !== width) return false;
    return output.accepts(field.trim(), "field");
  }

  /** Whether a comment has as many fields as a row, if that is known, and an entry in the column. */
  function mayBeRow(raw: string): boolean {
    let known: readonly [delimiters: readonly string[], at: number, count: number | null];
    if (rows !== null) known = [[rows.delimiter], index, width];
    else if (commented === null) known = [DELIMITERS, index, null];
    else known = [[commented.delimiter], commented.columns[0]!, commented.names.length];
    const [delimiters, at, count] = known;
    return delimiters.some((delimiter) => {
      const fields = rowReader(delimiter).read(raw);
      if (typeof fields === "string" || (count !== null && fields.length !== count)) return false;
      return output.accepts(fields[at] ?? "", "field");
    });
  }

  function meaningOfRow(row: readonly string[]): RecordMeaning | null {
    if (header === null) return isSource && row.some(isAllowed) ? "exception" : null;
    if (telling.length === 0) return null;
    const { names } = header;
    return meaningOfRecord(
      telling.map((i) => [names[i]!, row[i] ?? ""] as const),
      names[index]!,
    );
  }

  /** Reads a comment. If it may be a row, somebody disabled the row, or its first field begins with the sign. */
  function readComment(line: string, raw: string) {
    if (mayBeRow(raw)) return output.refuse("row-commented", line);
    if (isSource) headings.comment(line);
    if (rows === null && typeof column !== "number") {
      commented = readCommentedHeader(line, column) ?? commented;
    }
  }

  return {
    line(line, raw) {
      if (more === null && (rows === null || isSource) && COMMENT.test(raw)) {
        return readComment(line, raw);
      }
      if (rows === null && delimiters === DELIMITERS) {
        const delimiter = excelDelimiter(raw);
        if (delimiter !== null) {
          delimiters = [delimiter];
          return;
        }
      }
      if (rows === null && begin(raw)) return;
      const reader = rows!;
      if (more === null) beginning = line;
      else more.push(raw);
      const row = reader.read(raw);
      if (row === "open") {
        more ??= [];
        return;
      }
      const inQuotes = more;
      more = null;
      if (typeof row === "string") return output.refuse(row, beginning, reader.lines());
      if (width < 0) width = row.length;
      // If there is one field too many, an entry may have been cut in two.
      if (!hasWidth(row, width, header?.names ?? []))
        return output.refuse("column-count", beginning, reader.lines());
      if (inQuotes?.some((each) => isRow(each, reader.delimiter))) {
        return output.refuse("rows-quoted", beginning, reader.lines());
      }
      const field = row[index];
      if (isFirst && field !== undefined && header !== null && column === undefined && isSource) {
        // Without a header, the column with the types of the entries looks like the one with the entries.
        const isType = findColumns([field], undefined).length > 0;
        if (isType) throw columnMissing(header.names.join(header.delimiter), column);
      }
      isFirst = false;
      if (field === undefined) output.refuse("column-count", beginning, reader.lines());
      else if (field === "") output.refuse("field-empty", beginning, reader.lines());
      else {
        const meaning = meaningOfRow(row);
        const head = isSource ? headings.head(field) : null;
        if (head === "allowed") output.refuse("exception", beginning, reader.lines());
        else if (head === "blocked") output.notApplicable(beginning);
        else if (headings.isAllowed()) {
          output.refuse("section-allowed", beginning, reader.lines());
        } else if (meaning === "not-applicable") output.notApplicable(beginning);
        else if (meaning !== null) output.refuse(meaning, beginning, reader.lines());
        else output.entry(field, "field", reader.lines());
      }
    },
    isOpen: () => more !== null,
    end() {
      if (more === null) return;
      output.refuse("quote-unclosed", beginning, rows!.lines());
      rows!.abandon();
      more = null;
    },
    column: () => header?.names[index] ?? (rows === null ? null : String(column)),
  };
}

/** Matches a name of a column with hashes, or a hash. */
const HASHES = /\b(?:md5|sha-?1|sha-?256)(?:\b|_)|\b[0-9a-f]{64}\b/i;

function columnMissing(line: string, asked: string | undefined): ListSourceError {
  const what = HASHES.test(line) ? "a table with hashes of files" : "a table";
  return new ListSourceError(
    "column-missing",
    `${what} that starts with ${JSON.stringify(shorten(line))}`,
    asked === undefined
      ? 'a header with a column such as "url" or "domain", or the name or number of the column'
      : `a header with a column ${JSON.stringify(shorten(asked))}`,
  );
}
