import type { LineCode, RefusalCode, WarningCode } from "../problems.ts";
import type { Where } from "../records/where.ts";

export type FormatName =
  | "urls"
  | "domains"
  | "hosts"
  | "dnsmasq"
  | "unbound"
  | "rpz"
  | "adblock"
  | "csv"
  | "json-lines"
  | "hex";

/**
 * The origin of a text: a whole line, a field, which may contain spaces, a position where only a host is allowed, or
 * the pattern of an Adblock rule. The host of an `open-rule` may continue, because the pattern does not mark its end.
 */
export type EntryKind = "line" | "field" | "host" | "rule" | "open-rule";

export interface LineShape {
  /** The code for refusing a line with this shape in a list of URLs. */
  readonly code: LineCode;
  /** The shape in words: `"a line of a hosts file"`. */
  readonly found: string;
  readonly pattern: Pick<RegExp, "test">;
}

/** A text format, which is read line by line. */
export interface ListFormat {
  readonly name: FormatName;
  /** The format in words: `"a hosts file"`. */
  readonly title: string;
  /** The shape by which lines of this format are recognized; `null` when single lines are not enough. */
  readonly shape: LineShape | null;
  readonly parser: (output: Output, options: ParserOptions) => LineParser;
}

/** What the caller says about a table or JSON. */
export interface ParserOptions {
  /** The name or the number, from 1, of the column or field with the entries. */
  readonly column: string | number | undefined;
  /** The rows that are entries. */
  readonly where: Where | undefined;
  /** The name or the number, from 1, of the column or field with the dates of entries. */
  readonly dateColumn: string | number | undefined;
  /** Whether the format was recognized, so that the first line of a list of names may be a header. */
  readonly isRecognized: boolean;
  /** The maximum number of characters of entries that are kept until the end of the source. */
  readonly maxCharacters: number;
}

/** Receives the results of a parser. */
export interface Output {
  /**
   * Receives a URL, host or expression, which may still be refused.
   *
   * @param lines how many lines the record spans, up to this one.
   * @param date the value of the column with dates.
   */
  entry(
    text: string,
    kind: EntryKind,
    lines?: number,
    warning?: WarningCode,
    date?: string | undefined,
  ): void;
  /** Receives an exception; `undefined` when exceptions are refused. */
  readonly exception: Output["entry"] | undefined;
  /** Whether `text` could be an entry. */
  accepts(text: string, kind: EntryKind): boolean;
  /** Receives a full hash or a hash prefix. */
  hash(bytes: Uint8Array, warning?: WarningCode): void;
  /** Receives a first line that is no entry, but the header of the only column. */
  header(text: string): void;
  refuse(code: RefusalCode, text: string, lines?: number): void;
  /** Receives a part of the source that does not stand for a URL. */
  notApplicable(text: string): void;
  /** Receives a row that a condition leaves out, and the value that does not meet it. */
  leaveOut(column: string, value: string, text: string): void;
  /** The number of the current line. */
  line(): number;
  /** Sets the line of the calls that follow, for rows that waited for the end of a table, and for JSON documents. */
  at(line: number): void;
}

/** Whether a last line without a line end was cut short, judging by the entries before it. */
export type LastLine = "whole" | "unsure" | "cut";

/** Reads the lines of one format, in order. Blank lines are skipped, except while a record is open. */
export interface LineParser {
  /** `line` is trimmed; `raw` is the unchanged line. */
  line(line: string, raw: string): void;
  /** Whether a record continues after this line, so that blank lines belong to it. */
  isOpen?(): boolean;
  /** Ends an open record. Called after the last line, and before a line that no format can read. */
  end?(): void;
  /** Called once, after the last line and `end`. */
  finish?(): void;
  /** Whether the current line, if it has no line end, may have been cut short; `whole` by default. */
  lastLine?(): LastLine;
  /** The name of the column or field that is read, if there is one and it is already known. */
  column?(): string | null;
}
