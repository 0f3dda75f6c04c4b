import { ListSourceError } from "../../error.ts";
import { shorten } from "../../shorten.ts";
import { findColumns } from "./columns.ts";
import { DELIMITERS, rowReader } from "./csv-rows.ts";

/** The header of a table: its delimiter, its column names, and the indices of the columns that may have the entries. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** At least one index. The first of these columns is read. */
  readonly columns: readonly number[];
}

/**
 * Matches a field that no header has: a date, an IPv4 address or a host. Headers may have names such as `host.name`, so
 * only usual top-level domains count.
 */
const IS_DATA =
  /^(?:[0-9]{1,4}[./-][0-9]{1,3}[./-][0-9][0-9.:/TZ -]*|(?:[\w-]+\.)+(?:com|net|org|edu|gov|biz|xyz|top|shop|club|online|site|app|dev|live|icu|vip|example|test|(?!id|ip|os|to|no|in|by|at|is)[a-z]{2})\.?)$/i;

/**
 * Reads a line as a header; null if the line contains a URL or other data, or no delimiter gives a field with the name
 * of the column.
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

/** Whether a row has as many fields as others. The delimiter after the last field is optional. */
export function hasWidth(row: readonly string[], width: number, names: readonly string[]): boolean {
  if (row.length === width) return true;
  if (row.length === width + 1) return row.at(-1) === "";
  return row.length === width - 1 && names.length === width && names.at(-1) === "";
}

/** The delimiter in a line such as `sep=;`, which tells Excel how to read the rows after it; null for other lines. */
export function excelDelimiter(line: string): string | null {
  return /^\s*"?sep=([,;|\t])"?\s*$/i.exec(line)?.[1] ?? null;
}

/** Matches the name of a column of hashes, or a hash. */
const HASHES = /\b(?:md5|sha-?1|sha-?256)(?:\b|_)|\b[0-9a-f]{64}\b/i;

/** The error for a table without a header that has the column. `line` is the line where the header should be. */
export function columnMissing(line: string, asked: string | undefined): ListSourceError {
  const what = HASHES.test(line) ? "a table with hashes of files" : "a table";
  return new ListSourceError(
    "column-missing",
    `${what} that starts with ${JSON.stringify(shorten(line))}`,
    asked === undefined
      ? 'a header with a column such as "url" or "domain", or the name or number of the column'
      : `a header with a column ${JSON.stringify(shorten(asked))}`,
  );
}
