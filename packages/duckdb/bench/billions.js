// Checks millions of URLs in several ways and compares them:
// pnpm --filter @x/duckdb bench:billions [FILE] [--rows 1000000,10000000] [--entries 1000000]
//
// FILE has one URL per line; without FILE, URLs are generated. The rows are made from these URLs and are the same in
// each run. Each way runs in its own processes. All exact ways must give the same verdict on every row; for the others,
// the rows on which they differ are counted by class.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { exactExpression } from "@x/expressions";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { CLASSES, makeEntries, makeRows } from "./billions/rows.js";
import { WAYS } from "./billions/ways.js";

const PREFIX_BYTES = 8;
/** The price of one core for an hour, in dollars. */
const DOLLARS_AN_HOUR = 0.04;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "1000000" },
    entries: { type: "string", default: "1000000" },
    run: { type: "string" },
    files: { type: "string" },
  },
});

const listSize = Number(values.entries);

/** The processor time, in seconds, of a process and of the child processes that it has waited for. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

if (values.run !== undefined) {
  await WAYS[values.run].run(JSON.parse(values.files));
  const pids = withChildren(process.pid);
  console.log(pids.reduce((sum, pid) => sum + processorSeconds(pid), 0));
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), "billions-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Writes the rows as lines and as Parquet. Returns the names of the files and the classes of the rows. */
async function writeRows(corpus, count) {
  const [lines, parquet] = [join(folder, `${count}.txt`), join(folder, `${count}.parquet`)];
  const classes = new Uint8Array(count);
  function* blocks() {
    let block = "";
    let n = 0;
    for (const [url, which] of makeRows(corpus, count)) {
      classes[n++] = which;
      block += `${url}\n`;
      if (block.length > 2 ** 20) {
        yield block;
        block = "";
      }
    }
    yield block;
  }
  await pipeline(Readable.from(blocks()), createWriteStream(lines));
  await inDuckDb(
    `COPY (SELECT row_number() OVER () - 1 AS n, url FROM read_csv('${lines}', columns = {'url': 'VARCHAR'},
      delim = '\\x01', quote = '', escape = '', header = false, auto_detect = false)) TO '${parquet}' (FORMAT parquet)`,
  );
  return { lines, parquet, classes };
}

async function inDuckDb(statement) {
  const instance = await DuckDBInstance.create(":memory:");
  await (await instance.connect()).run(statement);
  instance.closeSync();
}

/** Writes the list for urlhash and its entries for SQL. */
async function writeList(corpus) {
  mkdirSync(join(folder, "lists"));
  const [list, entries, lines] = ["lists/example.list", "entries.parquet", "entries.csv"].map(
    (name) => join(folder, name),
  );
  const expressions = makeEntries(corpus, listSize, exactExpression);
  const hashes = expressions.map((each) =>
    createHash("sha256").update(each).digest().subarray(0, PREFIX_BYTES),
  );
  writeFileSync(list, encodePrefixList(prefixList(hashes, { name: "example" })));
  writeFileSync(
    lines,
    expressions.map((each, i) => `${each}\t${hashes[i].toString("hex")}\n`).join(""),
  );
  await inDuckDb(
    `COPY (FROM read_csv('${lines}', columns = {'expression': 'VARCHAR', 'prefix': 'VARCHAR'},
      delim = '\\t', quote = '', escape = '', header = false, auto_detect = false)) TO '${entries}' (FORMAT parquet)`,
  );
  return { list, entries };
}

/** The IDs of a process and of all its descendants. */
function withChildren(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .split(" ")
        .filter((child) => child !== ""),
    );
    return [pid, ...children.flatMap(withChildren)];
  } catch {
    return [];
  }
}

/** The memory that some processes use now, in bytes. */
function memoryOf(pids) {
  return pids.reduce((sum, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
    } catch {
      return sum;
    }
  }, 0);
}

/** Runs a way in its own process. */
async function measure(name, files) {
  const start = performance.now();
  const self = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [self, "--run", name, "--files", JSON.stringify(files)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [printed, memory] = ["", 0];
  child.stdout.on("data", (text) => {
    printed += text;
  });
  const timer = setInterval(() => {
    memory = Math.max(memory, memoryOf(withChildren(child.pid)));
  }, 100);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(timer);
  if (status !== 0) throw new Error(`${name} failed`);
  return { seconds: (performance.now() - start) / 1000, processor: Number(printed), memory };
}

/** The verdicts in the results of a way, one byte for each row. */
async function verdictsIn({ verdict, hasHeader = false }, result, count) {
  const verdicts = new Uint8Array(count);
  let n = hasHeader ? -1 : 0;
  for await (const line of createInterface({ input: createReadStream(result) })) {
    if (n >= 0) verdicts[n] = verdict(line).charCodeAt(0);
    n++;
  }
  if (n !== count || verdicts.includes(0)) throw new Error(`${n} results for ${count} rows`);
  return verdicts;
}

const [file] = positionals;
const corpus = (
  file === undefined ? makeUrls(50_000) : readFileSync(file, "utf8").split(/\r?\n/)
).filter((url) => /^\w+:\/\/[^/?#]+/.test(url));
const list = await writeList(corpus);
printMachine();

for (const count of values.rows.split(",").map(Number)) {
  const { classes, ...rows } = await writeRows(corpus, count);
  const table = [];
  const differences = [];
  let expected = null;
  for (const [name, way] of Object.entries(WAYS)) {
    const result = join(folder, "result");
    const files = { ...rows, ...list, result };
    const { seconds, processor, memory } = await measure(name, files);
    console.error(`${name}: ${seconds.toFixed(1)} s`);
    const hours = (processor / count) * (1e9 / 3600);
    table.push([
      name,
      seconds.toFixed(1),
      Math.round(count / seconds)
        .toLocaleString("en")
        .replaceAll(",", " "),
      `${Math.round(memory / 2 ** 20)} MB`,
      hours.toFixed(2),
      `$${(hours * DOLLARS_AN_HOUR).toFixed(3)}`,
    ]);
    const verdicts = await verdictsIn(way, result, count);
    expected ??= verdicts;
    const differing = { missed: new Map(), wrong: new Map(), unanswered: new Map() };
    for (let n = 0; n < count; n++) {
      if (verdicts[n] === expected[n]) continue;
      if (way.isExact) throw new Error(`${name} gives another verdict on row ${n} than @x/lookup`);
      const kind = { "+": "missed", "-": "wrong", "?": "unanswered" }[
        String.fromCharCode(expected[n])
      ];
      differing[kind].set(classes[n], (differing[kind].get(classes[n]) ?? 0) + 1);
    }
    if (!way.isExact) differences.push([name, differing]);
  }
  console.log(
    `${count} rows against ${listSize} entries; all ways of this repository agree on every row\n`,
  );
  printTable(
    ["", "seconds", "rows a second", "memory", "core hours a billion", "at $0.04 an hour"],
    table,
  );

  const sizes = CLASSES.map((_, which) => classes.reduce((sum, each) => sum + (each === which), 0));
  for (const [name, differing] of differences) {
    const totals = Object.values(differing).map((byClass) =>
      [...byClass.values()].reduce((a, b) => a + b, 0),
    );
    console.log(
      `${name}: ${totals[0]} listed URLs missed, ${totals[1]} others called listed, ${totals[2]} without a verdict called not listed\n`,
    );
    printTable(
      ["URLs with", "rows", "missed", "called listed", "no verdict"],
      CLASSES.map(([title], which) => [
        title,
        ...[
          sizes[which],
          ...Object.values(differing).map((byClass) => byClass.get(which) ?? 0),
        ].map(String),
      ]),
    );
  }
  rmSync(rows.lines);
  rmSync(rows.parquet);
}
