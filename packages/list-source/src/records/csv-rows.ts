/** Delimiters of tables, the most common first. */
export const DELIMITERS: readonly string[] = [",", ";", "\t", "|"];

/**
 * The maximum number of characters in a record with quotation marks, so that an unclosed mark does not swallow the
 * rest.
 */
const MAX_RECORD_LENGTH = 2 ** 16;

/** A row, or why there is none: the record continues on the next line, or it is malformed. */
export type RowResult = readonly string[] | "open" | "quote-stray" | "quote-unclosed";

/** Reads the rows of a table, line by line. */
export interface RowReader {
  readonly delimiter: string;
  read(line: string): RowResult;
  /** The number of lines of the last record, or of the open record so far. */
  lines(): number;
  /** Discards an open record. */
  abandon(): void;
}

/**
 * Reads rows as RFC 4180 describes: a quoted field may contain delimiters, line ends and doubled quotation marks.
 * Spaces around a field are removed, and so are spaces at both ends inside the quotation marks.
 */
export function rowReader(delimiter: string): RowReader {
  let fields: string[] = [];
  /** The parts of the quoted field that is still open, or null. */
  let quoted: string[] | null = null;
  let length = 0;
  let lines = 0;

  function abandon(): void {
    fields = [];
    quoted = null;
    length = 0;
  }

  function endRecord(result: RowResult): RowResult {
    abandon();
    return result;
  }

  function read(line: string): RowResult {
    lines = quoted === null ? 1 : lines + 1;
    if (quoted === null && !line.includes('"')) {
      const found = line.split(delimiter);
      for (let i = 0; i < found.length; i++) found[i] = found[i]!.trim();
      return found;
    }
    length += line.length + 1;
    let at = 0;
    for (;;) {
      let pieces = quoted;
      if (pieces === null) {
        const start = skipSpaces(line, at, delimiter);
        const isQuoted = line[start] === '"';
        if (isQuoted) at = start + 1;
        const end = isQuoted ? simpleField(line, at, delimiter) : indexOrEnd(line, delimiter, at);
        if (end >= 0) {
          fields.push(line.slice(at, end).trim());
          const next = isQuoted ? end + 1 : end;
          if (next === line.length) break;
          at = next + 1;
          continue;
        }
        pieces = [];
      } else pieces.push("\n");
      const end = endOfQuoted(line, at, pieces);
      if (end < 0) {
        quoted = pieces;
        return length <= MAX_RECORD_LENGTH ? "open" : endRecord("quote-unclosed");
      }
      fields.push(pieces.join("").trim());
      quoted = null;
      const next = skipSpaces(line, end, delimiter);
      if (next === line.length) break;
      if (line[next] !== delimiter) return endRecord("quote-stray");
      at = next + 1;
    }
    return endRecord(fields);
  }

  return { delimiter, read, lines: () => lines, abandon };
}

/**
 * Reads a quoted field from an index inside it, and adds the text to `pieces`. Returns the index after the closing
 * quotation mark; -1 when the line has none.
 */
export function endOfQuoted(line: string, start: number, pieces: string[] = []): number {
  for (let from = start; ; ) {
    const quote = line.indexOf('"', from);
    if (quote < 0) {
      pieces.push(line.slice(from));
      return -1;
    }
    pieces.push(line.slice(from, quote));
    if (line[quote + 1] !== '"') return quote + 1;
    pieces.push('"');
    from = quote + 2;
  }
}

/**
 * A fast path for most quoted fields: the index of the next quotation mark if a delimiter or the end of the line
 * follows it, otherwise -1.
 */
function simpleField(line: string, start: number, delimiter: string): number {
  const quote = line.indexOf('"', start);
  if (quote < 0) return -1;
  return quote + 1 === line.length || line[quote + 1] === delimiter ? quote : -1;
}

function skipSpaces(line: string, start: number, delimiter: string): number {
  let i = start;
  while (line[i] === " " || (line[i] === "\t" && delimiter !== "\t")) i++;
  return i;
}

function indexOrEnd(text: string, part: string, start: number): number {
  const index = text.indexOf(part, start);
  return index < 0 ? text.length : index;
}
