import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBResult } from "@duckdb/node-api";
import { Failure } from "@x/command-line";
import { removeOnSignal } from "@x/command-line/node";
import { registerFunctions } from "@x/duckdb";
import { printable } from "@x/explain/printable";
import { checker } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import type { Colours, Context } from "../context.ts";
import { columnsOf } from "../output/layout.ts";
import { type RowProgress, startRowProgress } from "../output/progress.ts";
import type { OutputFile } from "../output/write-output.ts";
import { registrableDomain } from "../registrable-domain.ts";

/** The options of a statement. */
interface SqlRun {
  readonly lists: readonly PrefixList[];
  /** The format of the result on stdout, or the Parquet file to write. */
  readonly output: "table" | "csv" | OutputFile;
}

/** Keeps DuckDB from downloading anything and from loading extensions. */
const CONFIG = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
};

/** The time in milliseconds between two looks at how many rows DuckDB has read. */
const POLL = 100;

/**
 * Runs one SELECT and writes its result.
 *
 * @throws {Failure} when the statement fails, or the result cannot be written.
 */
export async function runSql(statement: string, options: SqlRun, context: Context): Promise<void> {
  // DuckDB writes data that does not fit in memory to this folder, where nobody else can read it.
  const folder = join(tmpdir(), `urlhash-sql-${randomBytes(8).toString("hex")}`);
  const stop = removeOnSignal(folder);
  try {
    const made = await mkdir(folder, { mode: 0o700 }).then(
      () => folder,
      () => "",
    );
    await runIn(made, statement, options, context);
  } finally {
    await rm(folder, { force: true, recursive: true });
    stop();
  }
}

/** @param folder the folder for temporary files; empty if there is none. */
async function runIn(
  folder: string,
  statement: string,
  { lists, output }: SqlRun,
  context: Context,
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { ...CONFIG, temp_directory: folder });
  let progress: RowProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const connection = await instance.connect();
    await connection.run(
      "SET disabled_filesystems = 'HTTPFileSystem,S3FileSystem,HuggingFaceFileSystem'",
    );
    // DuckDB counts rows only when it shows a bar of its own, which may stay hidden.
    await connection.run("SET enable_progress_bar = true");
    await connection.run("SET enable_progress_bar_print = false");
    await connection.run("SET lock_configuration = true");
    registerFunctions(connection, {
      checker: lists.length === 0 ? undefined : checker(lists),
      registrableDomain,
    });
    progress = startRowProgress(context.io);
    timer = setInterval(() => {
      const { rows_processed: rows, total_rows_to_process: total } = connection.progress;
      progress?.reach(Number(rows), Number(total));
    }, POLL);
    // Inside `query`, DuckDB refuses everything but one SELECT, so no statement can change files or settings.
    const rows = `query(${quoted(statement)})`;
    if (typeof output === "object") {
      await output.writeBy(async (path) => {
        const options = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false";
        await run(connection.run(`COPY (FROM ${rows}) TO ${quoted(path)} (${options})`));
      });
      return;
    }
    const result = await run(connection.stream(`SELECT COLUMNS(*)::VARCHAR FROM ${rows}`));
    const names = result.columnNames();
    const write = output === "csv" ? csvWriter(names) : tableWriter(names, context.colours);
    await writeRows(result, write, progress, context);
  } finally {
    clearInterval(timer);
    progress?.stop();
    instance.closeSync();
  }
}

/** Quotes a text as an SQL literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What to do instead. It replaces DuckDB's own advice, which is to load extensions. */
const ADVICE: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /Expected a single SELECT statement$/,
    "urlhash sql runs one SELECT, such as \"SELECT url FROM 'urls.parquet'\"; to write a file, use --format csv > FILE, or --format parquet -o FILE",
  ],
  [
    /^Missing Extension Error:/,
    "urlhash sql loads no extensions, and reads only Parquet, CSV and JSON files on this machine: fetch or convert the file first",
  ],
];

/** @throws {Failure} with DuckDB's message. */
async function run<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    // The rest of the message quotes our statement, which contains the user's.
    const [text] = (error as Error).message.split("\n\nLINE ");
    const lines = text!.trim().split(/\n+/).map(printable);
    const [, advice] = ADVICE.find(([start]) => start.test(lines[0]!)) ?? [];
    throw new Failure(advice === undefined ? lines.join("\n") : `${lines[0]}: ${advice}`);
  }
}

/** Writes rows only as fast as the reader reads. */
async function writeRows(
  result: DuckDBResult,
  write: ChunkWriter,
  progress: RowProgress,
  { stdout }: Context,
): Promise<void> {
  const columns = result.columnNames().map((_, i) => i);
  for (;;) {
    const chunk = await run(result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) break;
    const out = write(columns.map((column) => chunk.getColumnValues(column) as (string | null)[]));
    progress.advance({ bytes: 0, out, errors: "" });
    await stdout.write(out);
  }
  // If there were no rows, this call writes the header.
  const rest = write(columns.map(() => []));
  progress.advance({ bytes: 0, out: rest, errors: "" });
  await stdout.write(rest);
}

/** Some rows of a result, column by column. */
type Columns = readonly (readonly (string | null)[])[];

/** Returns the text for some rows. The first returned text begins with the header. */
type ChunkWriter = (columns: Columns) => string;

/** Transposes columns to rows. */
function rowsOf(columns: Columns): (string | null)[][] {
  return columns[0]!.map((_, row) => columns.map((column) => column[row]!));
}

/** Writes CSV as RFC 4180 describes it, but with LF. NULL is an empty cell, and an empty text is `""`. */
function csvWriter(names: readonly string[]): ChunkWriter {
  let header = csvRow(names);
  return (columns) => {
    const text = header + rowsOf(columns).map(csvRow).join("");
    header = "";
    return text;
  };
}

function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(",")}\n`;
}

function csvCell(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The separator between columns, and the maximum width to which a column is padded. */
const GAP = "  ";
const MOST_COLUMNS = 60;

/**
 * Writes a table for people. The first rows determine the column widths, so that the table can be written before all
 * rows are known.
 */
function tableWriter(names: readonly string[], colours: Colours): ChunkWriter {
  let widths: readonly number[] | null = null;
  const shown = (cells: readonly (string | null)[]) =>
    cells.map((text) => (text === null ? "NULL" : printable(text)));
  const row = (cells: readonly string[]) =>
    cells
      .map((text, i) => text + " ".repeat(Math.max(0, widths![i]! - columnsOf(text))))
      .join(GAP)
      .trimEnd();
  return (columns) => {
    const rows = rowsOf(columns).map(shown);
    let header = "";
    if (widths === null) {
      const titles = shown(names);
      widths = titles.map((title, i) =>
        Math.min(
          MOST_COLUMNS,
          rows.reduce((most, cells) => Math.max(most, columnsOf(cells[i]!)), columnsOf(title)),
        ),
      );
      header = `${colours.bold(row(titles))}\n`;
    }
    return header + rows.map((cells) => `${row(cells)}\n`).join("");
  };
}
