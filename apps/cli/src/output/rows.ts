import { Failure } from "@x/command-line";
import type { Command } from "commander";
import type { Format } from "./format.ts";

/** The printable fields of one row, in the order of the command's columns. */
export type Row = readonly string[];

export interface RowFormat {
  /**
   * The indices of the columns to write; `null` for all columns. {@link ROW_NUMBER} stands for the number of the row.
   */
  readonly columns: readonly number[] | null;
  /** Whether fields have the escapes of ClickHouse's TabSeparated. */
  readonly isEscaped: boolean;
}

export const PLAIN_ROWS: RowFormat = { columns: null, isEscaped: false };

export interface RowOptions {
  readonly columns?: string;
  readonly escaped?: boolean;
}

const ROW_NUMBER = -1;
const NULL = "\\N";
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n" };

export function addRowOptions(command: Command): Command {
  return command
    .option("--columns <names>", "with --tsv, only these columns, separated by commas")
    .option(
      "--escaped",
      "with --tsv, read and write the escapes of ClickHouse: \\t, \\n, \\\\ and \\N",
    );
}

export const ROWS_HELP = `--columns chooses columns; "row" is the number of the row. --escaped is for
databases: an input is one field with the escapes \\t, \\n, \\\\ and so on, as
ClickHouse's TabSeparated and PostgreSQL's COPY write it, and \\N is NULL, which
gives a row of \\N. Rows are written as soon as the lines are read.`;

/**
 * @param names the columns of the command.
 * @throws {Failure} when an option needs `--tsv`, or the command does not have a given column.
 */
export function rowFormatOf(
  { columns, escaped = false }: RowOptions,
  names: readonly string[],
  format: Format,
): RowFormat {
  if (format !== "tsv" && (columns !== undefined || escaped)) {
    throw new Failure(`${escaped ? "--escaped" : "--columns"} needs --tsv`);
  }
  if (columns === undefined) return { columns: null, isEscaped: escaped };
  const chosen = columns.split(",").map((name) => {
    const index = name === "row" ? ROW_NUMBER : names.indexOf(name);
    if (name === "row" || index >= 0) return index;
    throw new Failure(`there is no column ${JSON.stringify(name)}: use row, ${names.join(", ")}`);
  });
  return { columns: chosen, isEscaped: escaped };
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
