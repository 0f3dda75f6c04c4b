import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBResult } from "@duckdb/node-api";
import { Failure } from "@x/command-line";
import { removeOnSignal } from "@x/command-line/node";
import { registerFunctions } from "@x/duckdb";
import { readColumn } from "@x/duckdb/read-column";
import { printable } from "@x/explain/printable";
import { checker, type ReadingChoice } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import { getDomain } from "tldts";
import type { Context } from "../context.ts";
import type { OutputFile } from "../output/write-output.ts";
import { type ChunkWriter, csvWriter, tableWriter } from "./chunk-writers.ts";

/** The options of a statement. */
export interface SqlRun {
  readonly lists: readonly PrefixList[];
  readonly readings: ReadingChoice;
  /** The format of the result on stdout, or the Parquet file to write. */
  readonly output: "table" | "csv" | OutputFile;
}

/** Keeps DuckDB from downloading anything and from loading extensions. */
const CONFIG = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
};

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
  { lists, readings, output }: SqlRun,
  context: Context,
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { ...CONFIG, temp_directory: folder });
  try {
    const connection = await instance.connect();
    await connection.run(
      "SET disabled_filesystems = 'HTTPFileSystem,S3FileSystem,HuggingFaceFileSystem'",
    );
    await connection.run("SET lock_configuration = true");
    registerFunctions(connection, {
      checker: lists.length === 0 ? undefined : checker(lists, { readings }),
      registrableDomain: (host) => getDomain(host, { extractHostname: false }),
    });
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
    await writeRows(result, write, context);
  } finally {
    instance.closeSync();
  }
}

/** Quotes a text as an SQL literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** @throws {Failure} with DuckDB's message. */
async function run<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    // The rest of the message quotes our statement, which contains the user's.
    const [text] = (error as Error).message.split("\n\nLINE ");
    throw new Failure(text!.trim().split(/\n+/).map(printable).join("\n"));
  }
}

/** Writes rows only as fast as the reader reads. */
async function writeRows(
  result: DuckDBResult,
  write: ChunkWriter,
  { stdout }: Context,
): Promise<void> {
  const columns = result.columnNames().map((_, i) => i);
  for (;;) {
    const chunk = await run(result.fetchChunk());
    if (chunk === null || chunk.rowCount === 0) break;
    await stdout.write(write(columns.map((column) => readColumn(chunk, column))));
  }
  // If there were no rows, this call writes the header.
  await stdout.write(write(columns.map(() => [])));
}
