import { Failure } from "@x/command-line";
import type { Command } from "commander";

/** The format of results: text, one JSON array, one JSON object per line, or one row per line. */
export type Format = "text" | "json" | "ndjson" | "tsv";

/** The flags that choose a format. Without one, results are text. */
export type FormatOptions = { readonly [Name in Exclude<Format, "text">]?: boolean };

/** @param hasRows whether the command can write rows. */
export function addFormatOptions(
  command: Command,
  { hasRows = false }: { readonly hasRows?: boolean } = {},
): Command {
  command
    .option("--json", "write one JSON array")
    .option("--ndjson", "write one JSON object per line");
  return hasRows ? command.option("--tsv", "write one row for each line of input") : command;
}

/** `--json`, for commands that have one result. */
export function addJsonOption(command: Command): Command {
  return command.option("--json", "write the result as one JSON object");
}

/** @throws {Failure} when the options name two formats. */
export function formatOf(options: FormatOptions): Format {
  const [named = "text", ...others] = (["json", "ndjson", "tsv"] as const).filter(
    (name) => options[name],
  );
  if (others.length > 0) {
    const all = [named, ...others].join(" and ");
    throw new Failure(`${all} cannot be used together: choose one format`);
  }
  return named;
}

const LINES: Frame = { beforeFirst: "", beforeOthers: "", after: "\n", end: "", endOfNone: "" };

export const FRAMES: Readonly<Record<Format, Frame>> = {
  text: LINES,
  ndjson: LINES,
  tsv: LINES,
  json: { beforeFirst: "[\n", beforeOthers: ",\n", after: "", end: "\n]\n", endOfNone: "[]\n" },
};

/**
 * The text around and between records. This text never depends on the next record, so each result can be written at
 * once.
 */
interface Frame {
  readonly beforeFirst: string;
  readonly beforeOthers: string;
  readonly after: string;
  readonly end: string;
  readonly endOfNone: string;
}

/** The printable fields of one row, in the order of the command's columns. */
export type Row = readonly string[];

export interface RowFormat {
  /**
   * The indices of the columns to write; `null` for all columns. {@link ROW_NUMBER} stands for the number of the row.
   */
  readonly columns: readonly number[] | null;
  /** Whether fields have the escapes of ClickHouse's TabSeparated. */
  readonly isEscaped: boolean;
  /** A line with the names of the columns, to write before the first row; empty if there is none. */
  readonly header: string;
}

export const PLAIN_ROWS: RowFormat = { columns: null, isEscaped: false, header: "" };

export interface RowOptions {
  readonly columns?: string;
  readonly escaped?: boolean;
  readonly header?: boolean;
}

const ROW_NUMBER = -1;
const NULL = "\\N";
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };

export function addRowOptions(command: Command): Command {
  return command
    .option("--columns <names>", "with --tsv, only these columns, separated by commas")
    .option("--header", "with --tsv, write the names of the columns first")
    .option(
      "--escaped",
      "with --tsv, read and write the escapes of ClickHouse: \\t, \\n, \\\\ and \\N",
    );
}

export const ROWS_HELP = `--columns chooses columns; "row" is the number of the row. --header writes the
names of the columns first. --escaped is for databases: an input is one field
with the escapes \\t, \\n, \\\\ and so on, as ClickHouse's TabSeparated and
PostgreSQL's COPY write it, and \\N is NULL, which gives a row of \\N. Rows
are written as soon as the lines are read.`;

/**
 * @param names the columns of the command.
 * @throws {Failure} when an option needs `--tsv`, or the command does not have a given column.
 */
export function rowFormatOf(
  { columns, escaped = false, header = false }: RowOptions,
  names: readonly string[],
  format: Format,
): RowFormat {
  const given = { "--escaped": escaped, "--columns": columns !== undefined, "--header": header };
  const needing = Object.entries(given).find(([, isGiven]) => isGiven);
  if (format !== "tsv" && needing !== undefined) throw new Failure(`${needing[0]} needs --tsv`);
  const headerOf = (shown: readonly string[]) => (header ? `${shown.join("\t")}\n` : "");
  if (columns === undefined) return { columns: null, isEscaped: escaped, header: headerOf(names) };
  const chosen = columns.split(",").map((name) => {
    const index = name === "row" ? ROW_NUMBER : names.indexOf(name);
    if (name === "row" || index >= 0) return index;
    throw new Failure(`there is no column ${JSON.stringify(name)}: use row, ${names.join(", ")}`);
  });
  return { columns: chosen, isEscaped: escaped, header: headerOf(columns.split(",")) };
}

/**
 * Formats a row as one line.
 *
 * @param row `null` for a row of NULLs, which has `width` fields.
 * @param number the number of the row, from 1.
 */
export function rowLine(
  row: Row | null,
  number: number,
  width: number,
  { columns, isEscaped }: RowFormat,
): string {
  if (row !== null && columns === null && !isEscaped) return `${row.join("\t")}\n`;
  const indices = columns ?? Array.from({ length: width }, (_, i) => i);
  const fields = indices.map((index) => {
    if (index === ROW_NUMBER) return String(number);
    if (row === null) return NULL;
    const field = row[index]!;
    return isEscaped ? field.replace(/[\\\t\n]/g, (character) => ESCAPES[character]!) : field;
  });
  return `${fields.join("\t")}\n`;
}
