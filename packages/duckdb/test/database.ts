import { type DuckDBConnection, DuckDBInstance, type Json } from "@duckdb/node-api";
import { type FunctionsOptions, registerFunctions } from "@x/duckdb";

/** A connection to a new database that has the functions. */
export async function connect(options: FunctionsOptions = {}): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  registerFunctions(connection, options);
  return connection;
}

/** The only column of a result, as JSON. */
export async function column(
  connection: DuckDBConnection,
  sql: string,
  values: readonly (string | null)[] = [],
): Promise<Json[]> {
  const result = await connection.runAndReadAll(sql, [...values]);
  return result.getRowsJson().map(([value]) => value!);
}

/** Makes a table of texts, in order, with the columns `n` and `text`. */
export async function makeTable(
  connection: DuckDBConnection,
  texts: readonly (string | null)[],
  name = "t",
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TABLE ${name} (n INTEGER, text VARCHAR)`);
  const appender = await connection.createAppender(name);
  for (const [n, text] of texts.entries()) {
    appender.appendInteger(n);
    if (text === null) appender.appendNull();
    else appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
}
