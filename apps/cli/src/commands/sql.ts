import { Failure } from "@x/command-line";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { listWarnings, readEach } from "../input/list-files.ts";
import { OUTPUT_HELP, openOutput } from "../output/write-output.ts";
import {
  addListOption,
  addListUrlOptions,
  addMaxAgeOption,
  LIST_URL_HELP,
  type ListUrlOptions,
  listUrlReader,
} from "./options.ts";

interface SqlOptions extends ListUrlOptions {
  readonly list?: readonly string[];
  readonly format: "table" | "csv" | "parquet";
  readonly output?: string;
}

const HELP = `
The statement is one SELECT of DuckDB. It may read Parquet, CSV and JSON files
on this machine. DuckDB is installed separately:
npm install @duckdb/node-api

  url_listed(url)              true, false, or NULL if there is no verdict
  url_matches(url)             list, expression, reading and confirmed of each
                               match; empty if the URL is not listed
  url_error(url)               why there is no verdict, such as host-undecided
  url_canonical(url)           the canonical URL
  url_expressions(url)         its suffix/prefix expressions
  url_hash(url)                the SHA-256 hash of the first one
  url_host(url)                its host
  url_registrable_domain(url)  example.co.uk, for www.example.co.uk
  urn_normalized(urn)          the normal form of a URN (RFC 2141)
  urn_equal(urn, urn)          whether two URNs are equivalent (RFC 2141)

NULL gives NULL. So does an input that is not a URL or a URN, except in
url_error, which says why. NULL is not FALSE: to find whatever may be dangerous,
ask for "url_listed(url) IS NOT FALSE". The verdicts are those of
"urlhash check".

In a table, control characters are escaped. In CSV, text is written as it
is, and NULL as an empty cell.

No extension is loaded, and nothing is read from other machines.

${LIST_URL_HELP}
${OUTPUT_HELP} Here it needs a file.

Exit status: 0, or 2 for a failure.

Examples:
  $ urlhash sql --list phishing.list \\
      "SELECT url FROM 'urls.parquet' WHERE url_listed(url) IS NOT FALSE"
  $ urlhash sql --list a.list --format csv \\
      "SELECT *, url_listed(url) AS listed FROM 'urls.csv'" > checked.csv
  $ urlhash sql --list a.list --format parquet -o checked.parquet \\
      "SELECT *, url_matches(url) AS matches FROM 'urls.parquet'"`;

/**
 * Loads the code that needs DuckDB, which users install separately.
 *
 * @throws {Failure} if DuckDB is missing.
 */
async function loadSql(): Promise<typeof import("./run-sql.ts")> {
  try {
    return await import("./run-sql.ts");
  } catch (error) {
    if (!/@duckdb\//.test((error as Error).message)) throw error;
    throw new Failure(
      "this command needs DuckDB: install it beside urlhash with npm install @duckdb/node-api",
    );
  }
}

export function registerSql(program: Command, context: Context): void {
  const command = program
    .command("sql")
    .summary("check the URLs of tables with SQL")
    .description("Run a SELECT of DuckDB that reads and checks the URLs and URNs of tables.")
    .argument("<statement>", "one SELECT");
  addMaxAgeOption(addListUrlOptions(addListOption(command)))
    .addOption(
      new Option("--format <format>", "how to write the result")
        .choices(["table", "csv", "parquet"])
        .default("table"),
    )
    .option("-o, --output <file>", "the Parquet file to write")
    .addHelpText("after", HELP);

  command.action(async (statement: string, options: SqlOptions) => {
    const { list = [], format, output: name, maxAge } = options;
    if (format === "parquet" && name === undefined) {
      throw new Failure("--format parquet needs a file: name it with -o");
    }
    if (format !== "parquet" && name !== undefined) {
      throw new Failure("-o needs --format parquet: other formats go to stdout");
    }
    const file = name === undefined ? null : await openOutput(name, list, context);
    const { runSql } = await loadSql();
    const readUrl = listUrlReader(options, context);
    const lists = await readEach(options.list ?? context.defaultLists, readUrl);
    await context.stderr.write(listWarnings(lists, maxAge));
    const output = file ?? (format as "table" | "csv");
    await runSql(statement, { lists, output }, context);
  });
}
