// The ways to check many URLs. Each way writes one line for each row.
import { spawn } from "node:child_process";
import { createReadStream, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { foreignLine } from "@x/list-source";
import { checker } from "@x/lookup";
import { lineReader } from "@x/lookup/lines";
import { decodePrefixList } from "@x/prefix-list";
import { checkInClickHouse } from "./clickhouse.js";
import { BY_HASH, BY_TEXT } from "./sql.js";

const URLHASH = fileURLToPath(new URL("../../../../apps/cli/bin/urlhash.js", import.meta.url));

/**
 * A way takes the names of files: `lines` and `parquet` (columns n and url) contain the URLs, `list` and `entries`
 * (columns expression and prefix) contain the list, and the verdicts are written in order to the files `results`.
 * `verdict` turns a line of the results into `+` for listed, `-` for not listed and `?` for neither. `row`, if
 * there is one, turns the line into the number of its row. If a way gives verdicts that differ from those of
 * `urlhash check`, `isExact` is `false`.
 */
export const WAYS = {
  "@x/lookup": {
    verdict: (line) => line,
    isExact: true,
    async run({ lines, list, results: [result] }) {
      const { scan } = checker(decodePrefixList(readFileSync(list)));
      const reader = lineReader();
      const out = openSync(result, "w");
      const write = (block) => {
        const isUrl = (start, end) => foreignLine(block.bytes.subarray(start, end)) === null;
        // A blank line has no verdict.
        const bytes = Buffer.alloc(2 * block.lines, "?\n");
        for (const { line, start, end, matches, error } of scan(block, { all: true }).findings) {
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
    async run({ parquet, list, results: [result] }) {
      const statement = `SELECT url_listed(url) AS listed FROM '${parquet}'`;
      await runTo(result, ["sql", "--list", list, "--format", "csv", statement]);
    },
  },
  "two urlhash check --tsv": {
    verdict: (line) => tsvVerdict(line.slice(0, line.indexOf("\t"))),
    isExact: true,
    async run({ lines, list, results }) {
      const middle = await lineNear(lines, statSync(lines).size / 2);
      const halves = [{ end: middle - 1 }, { start: middle }];
      await Promise.all(
        halves.map((half, i) =>
          runTo(
            results[i],
            ["check", "--list", list, "--tsv", "--no-unwrap"],
            createReadStream(lines, half),
          ),
        ),
      );
    },
  },
  ClickHouse: {
    verdict: (line) => tsvVerdict(line.slice(line.indexOf("\t") + 1)),
    row: (line) => Number(line.slice(0, line.indexOf("\t"))),
    isExact: true,
    async run({ results: [result], ...files }) {
      checkInClickHouse({ ...files, urlhash: URLHASH, result });
    },
  },
  "SQL, string functions": sqlWay(BY_TEXT),
  "SQL, sha256 of expressions": sqlWay(BY_HASH),
};

function tsvVerdict(verdict) {
  return { listed: "+", "not-listed": "-", disguised: "-" }[verdict] ?? "?";
}

/** Runs urlhash, and throws if urlhash fails. Listed or refused URLs are not a failure. */
async function runTo(result, argv, input) {
  const out = openSync(result, "w");
  const child = spawn(process.execPath, [URLHASH, ...argv], {
    stdio: [input === undefined ? "ignore" : "pipe", out, "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  if (input !== undefined) await pipeline(input, child.stdin);
  const status = await ended;
  if (status === null || (status & 2) !== 0) throw new Error(`urlhash ended with ${status}`);
}

/** The index of the first line that starts after `position`. */
async function lineNear(file, position) {
  const start = Math.floor(position);
  for await (const piece of createReadStream(file, { start, end: start + 2 ** 21 })) {
    const end = piece.indexOf("\n");
    if (end >= 0) return start + end + 1;
  }
  return statSync(file).size;
}

function sqlWay(statement) {
  return {
    verdict: (line) => (line === "true" ? "+" : "-"),
    isExact: false,
    async run({ parquet, entries, results: [result] }) {
      const instance = await DuckDBInstance.create(":memory:", { temp_directory: `${result}.tmp` });
      const connection = await instance.connect();
      await connection.run(`CREATE VIEW urls AS FROM '${parquet}'`);
      await connection.run(`CREATE VIEW entries AS FROM '${entries}'`);
      await connection.run(`COPY (${statement}) TO '${result}' (FORMAT csv, HEADER false)`);
      instance.closeSync();
    },
  };
}
