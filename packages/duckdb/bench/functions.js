// Compares the functions in DuckDB with @x/lookup itself: `pnpm --filter @x/duckdb bench [FILE]`.
//
// FILE has one URL per line; without it, URLs are made up. All candidates check the same table against the same list
// and must find the same URLs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { BOOLEAN, DuckDBInstance, DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import { registerFunctions } from "@x/duckdb";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LIST_SIZE = 1_000_000;
const ROWS = 400_000;

const [file] = process.argv.slice(2);
const corpus =
  file === undefined
    ? makeUrls(50_000)
    : readFileSync(file, "utf8")
        .split(/\r?\n/)
        .filter((url) => url !== "");
const urls = Array.from({ length: ROWS }, (_, i) => corpus[i % corpus.length]);

const sha256 = (text) => createHash("sha256").update(text).digest();
const hosts = corpus.filter((url, i) => i % 50 === 0 && URL.canParse(url));
const list = prefixList(
  Array.from({ length: LIST_SIZE }, (_, i) =>
    sha256(i < hosts.length ? `${new URL(hosts[i]).hostname}/` : `made up ${i}`).subarray(0, 8),
  ),
  { name: "bench" },
);

async function databaseWith(register) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("CREATE TABLE urls (n INTEGER, url VARCHAR)");
  const appender = await connection.createAppender("urls");
  for (const [n, url] of urls.entries()) {
    appender.appendInteger(n);
    appender.appendVarchar(url);
    appender.endRow();
  }
  appender.closeSync();
  register(connection);
  return connection;
}

/** What most people write: each string is read by itself. */
function registerPlain(connection) {
  const { checkMany } = checker(list);
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "url_listed",
      parameterTypes: [VARCHAR],
      returnType: BOOLEAN,
      mainFunction(_, input, output) {
        const vector = input.getColumnVector(0);
        const texts = Array.from({ length: input.rowCount }, (_, row) => vector.getItem(row));
        let row = 0;
        for (const { matches, error } of checkMany(texts)) {
          output.setItem(row++, error === null ? matches.length > 0 : null);
        }
        output.flush();
      },
    }),
  );
}

const counting = (connection) => async () => {
  const result = await connection.runAndReadAll(
    "SELECT count(*) FILTER (url_listed(url)), count(*) FILTER (url_listed(url) IS NULL), sum(n) FILTER (url_listed(url)) FROM urls",
  );
  return result.getRowsJson()[0].map(Number).join();
};

const plain = await databaseWith(registerPlain);
const own = await databaseWith((connection) =>
  registerFunctions(connection, { checker: checker(list) }),
);
const { checkMany } = checker(list);

const candidates = {
  "checkMany, strings in an array": () => {
    let [listed, unknown, sum, n] = [0, 0, 0, 0];
    for (const { matches, error } of checkMany(urls)) {
      if (error !== null) unknown++;
      else if (matches.length > 0) {
        listed++;
        sum += n;
      }
      n++;
    }
    return [listed, unknown, sum].join();
  },
  "url_listed, each string read alone": counting(plain),
  "url_listed of @x/duckdb": counting(own),
};

printMachine();
console.log(`${ROWS} rows against ${LIST_SIZE} prefixes; all candidates agree\n`);
/** DuckDB and JavaScript take turns in two threads, so processor time says more than the clock. */
const inProcessorTime = (run) => async () => {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, nanoseconds: (user + system) * 1000 };
};
const timings = await compare({
  candidates: Object.fromEntries(
    Object.entries(candidates).map(([name, run]) => [name, inProcessorTime(run)]),
  ),
  inputs: [null],
  items: ROWS,
  rounds: 7,
});
printTable(
  ["", "ns of processor time per URL", "speed of checkMany"],
  timings.map(({ name, nanoseconds }) => [
    name,
    nanoseconds.toFixed(0),
    (timings[0].nanoseconds / nanoseconds).toFixed(2),
  ]),
);
