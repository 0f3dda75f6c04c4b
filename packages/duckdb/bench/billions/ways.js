// The ways to check many URLs. Each way writes one line for each row.
import { spawn } from "node:child_process";
import { createReadStream, openSync, readFileSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { foreignLine } from "@x/list-source";
import { checker } from "@x/lookup";
import { lineReader } from "@x/lookup/lines";
import { decodePrefixList } from "@x/prefix-list";
import { BY_HASH, BY_TEXT } from "./sql.js";

const URLHASH = fileURLToPath(new URL("../../../../apps/cli/bin/urlhash.js", import.meta.url));

/**
 * A way takes the names of files: `lines` and `parquet` (columns n and url) contain the URLs, `list` and `entries`
 * (columns expression and prefix) contain the list, and the verdicts are written in order to the file `result`.
 * `verdict` turns a line of the results into `+` for listed, `-` for not listed and `?` for neither. If a way gives
 * verdicts that differ from those of `urlhash check`, `isExact` is `false`.
 */
export const WAYS = {
  "@x/lookup": {
    verdict: (line) => line,
    isExact: true,
    async run({ lines, list, result }) {
      const { scan } = checker(decodePrefixList(readFileSync(list)));
      const reader = lineReader();
      const out = openSync(result, "w");
      const write = (block) => {
        const isUrl = (start, end) => foreignLine(block.bytes.subarray(start, end)) === null;
        // A blank line has no verdict.
        const bytes = Buffer.alloc(2 * block.lines, "?\n");
        for (const { line, start, end, matches, error } of scan(block, { all: true }).verdicts) {
          const verdict =
            matches.length > 0 ? "+" : error === null && isUrl(start, end) ? "-" : "?";
          bytes.write(verdict, 2 * (line - block.firstLine));
        }
        writeSync(out, bytes);
      };
      for await (const piece of createReadStream(lines, { highWaterMark: 2 ** 20 })) {
        write(reader.push(piece));
      }
      write(reader.end());
    },
  },
  "urlhash sql": {
    verdict: (line) => ({ true: "+", false: "-", listed: "" })[line] ?? "?",
    hasHeader: true,
    isExact: true,
    async run({ parquet, list, result }) {
      const statement = `SELECT url_listed(url) AS listed FROM '${parquet}'`;
      await runTo(result, ["sql", "--list", list, "--format", "csv", statement]);
    },
  },
  "SQL, string functions": sqlWay(BY_TEXT),
  "SQL, sha256 of expressions": sqlWay(BY_HASH),
};

/** Runs urlhash, and throws if urlhash fails. Listed or refused URLs are not a failure. */
async function runTo(result, argv) {
  const out = openSync(result, "w");
  const child = spawn(process.execPath, [URLHASH, ...argv], { stdio: ["ignore", out, "inherit"] });
  const status = await new Promise((resolve) => child.on("exit", resolve));
  if (status === null || (status & 2) !== 0) throw new Error(`urlhash ended with ${status}`);
}

function sqlWay(statement) {
  return {
    verdict: (line) => (line === "true" ? "+" : "-"),
    isExact: false,
    async run({ parquet, entries, result }) {
      const instance = await DuckDBInstance.create(":memory:", { temp_directory: `${result}.tmp` });
      const connection = await instance.connect();
      await connection.run(`CREATE VIEW urls AS FROM '${parquet}'`);
      await connection.run(`CREATE VIEW entries AS FROM '${entries}'`);
      await connection.run(`COPY (${statement}) TO '${result}' (FORMAT csv, HEADER false)`);
      instance.closeSync();
    },
  };
}
