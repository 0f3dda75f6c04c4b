// Measures the tables of docs/how-big.md: `npx pnpm --filter @x/server bench:sizes`.
// Usage: sizes.js [--check PAGE] [memory] [load] [changes]
// With --check, each number in the tables of the page must be within a tenth of the number measured.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { churn } from "./churn.js";

/** How much a number of the page may differ from the measured one. */
const TOLERANCE = 0.1;
/** The lists and the entries of each. */
const SIZES = [
  [1, 10_000],
  [1, 100_000],
  [1, 1_000_000],
  [1, 10_000_000],
  [10, 100_000],
  [10, 1_000_000],
];
/** The memory of a process depends on when garbage is collected, so the most of several runs counts. */
const RUNS = 3;
/** The searches a second that the answers on the page are for. */
const MANY = 100_000;

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);
const COMMAND = here("../bin/urlhash-server.js");

/** Three significant digits. */
const rounded = (number) => Number(number.toPrecision(3));
const grouped = (number) => String(number).replace(/(\d)(?=(?:\d{3})+$)/g, "$1,");
const megabytes = (bytes) =>
  `${grouped(bytes < 1e7 ? Number((bytes / 1e6).toFixed(1)) : Math.round(bytes / 1e6))} MB`;
const kilobytes = (bytes) => `${grouped(rounded(bytes / 1000))} kB`;

/** An option for Node that makes a process write its peak memory. `maxRSS` includes that of the parent process. */
const WRITES_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeFileSync } from "node:fs";
  process.on("exit", () => writeFileSync(process.env.PEAK, readFileSync("/proc/self/status", "utf8")));
`)}`;

/** Runs processes, and measures the most memory that each kind took. */
function measuredProcesses(folder) {
  const peaks = {};
  const peakFile = (name) => join(folder, `${name}.peak`);
  const options = (name) => ({ cwd: folder, env: { ...process.env, PEAK: peakFile(name) } });
  const argsOf = (args) => ["--import", WRITES_PEAK, COMMAND, ...args];
  function measured(name) {
    const [, kB] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(peakFile(name), "utf8"));
    peaks[name] = Math.max(peaks[name] ?? 0, Number(kB) * 1024);
  }
  return {
    peaks,
    async run(name, ...args) {
      await run(process.execPath, argsOf(args), options(name));
      measured(name);
    },
    /** Starts a server. `said` waits until its log has said something a number of times. */
    start(name, ...args) {
      const child = spawn(process.execPath, argsOf(args), {
        ...options(name),
        stdio: ["ignore", "pipe", "inherit"],
      });
      let log = "";
      child.stdout.on("data", (data) => (log += data));
      return {
        async said(text, times = 1) {
          while (log.split(text).length <= times) {
            if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`);
            await once(child.stdout, "data");
          }
          return log;
        },
        async stop() {
          child.kill("SIGTERM");
          await once(child, "exit");
          measured(name);
        },
      };
    },
  };
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Writes a file of hosts for each list. A hundredth of the hosts differ between two versions. */
function writeSources(folder, lists, entries, version) {
  for (let list = 0; list < lists; list++) {
    const file = join(folder, `list${list}.txt`);
    writeFileSync(file, "");
    for (let at = 0; at < entries; at += 100_000) {
      const hosts = Array.from({ length: Math.min(100_000, entries - at) }, (_, k) => {
        const i = at + k;
        return `${i % 100 === 0 ? `v${version}-` : ""}${Math.imul(i, 0x9e3779b1) >>> 0}.list${list}.example\n`;
      });
      appendFileSync(file, hosts.join(""));
    }
  }
}

/** A new store, a version that changes a hundredth of it, and all programs that use it. */
async function memoryFor(lists, entries) {
  const folder = mkdtempSync(join(tmpdir(), "bench-sizes-"));
  try {
    const names = Array.from({ length: lists }, (_, i) => `list${i}`);
    const sources = names.map((name) => `${name}=${name}.txt`);
    const programs = measuredProcesses(folder);
    const publish = async (version) => {
      writeSources(folder, lists, entries, version);
      await programs.run("publish", "publish", "--store", "lists", ...sources);
    };
    await programs.run("init", "init", "--store", "lists");
    await publish(1);
    const stored = bytesIn(join(folder, "lists"));
    await programs.run("copy", "copy", "--from", "lists", "--to", "mirror");
    const server = programs.start("serve", "serve", "--store", "lists", "--port", "0");
    const where = ["--resolver", "127.0.0.1:9", "--listen", "127.0.0.1:0"];
    const dns = programs.start("dns", "dns", "--store", "lists", ...where);
    const log = await server.said('"msg":"started"');
    const [, origin] = /"origin":"([^"]+)"/.exec(log);
    await dns.said('"msg":"started"');
    const update = async () => {
      const response = await fetch(`${origin}/v5/hashLists:batchGet?names=list0-4b&version=`);
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    };
    await update();
    await publish(2);
    await programs.run("copy", "copy", "--from", "lists", "--to", "mirror");
    await server.said('"msg":"list loaded"', 2 * lists);
    await dns.said('"msg":"list loaded"', 2 * lists);
    await update();
    for (let i = 0; i < 256; i++) {
      const prefix = encodeURIComponent(Buffer.of(i, 1, 2, 3).toString("base64"));
      await (await fetch(`${origin}/v5/hashes:search?hashPrefixes=${prefix}`)).arrayBuffer();
    }
    await server.stop();
    await dns.stop();
    const clients = [];
    for (const prefixBytes of [4, 8]) {
      const places = [join(folder, "lists"), join(folder, `client${prefixBytes}`)];
      const args = [here("measured-client.js"), ...places, String(prefixBytes), ...names];
      clients.push(JSON.parse((await run(process.execPath, args)).stdout));
    }
    return { stored, clients, ...programs.peaks };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The processor time, in microseconds, of a check by a client with a million entries. */
let ofCheck = null;

async function memory() {
  const rows = [];
  for (const [lists, entries] of SIZES) {
    const runs = [];
    for (let i = 0; i < RUNS; i++) {
      const { stored, clients, publish, serve, copy, dns } = await memoryFor(lists, entries);
      if (lists === 1 && entries === 1_000_000) ofCheck = clients[1].check;
      runs.push([publish, serve, copy, dns, ...clients.map(({ peak }) => peak), stored]);
    }
    const most = runs[0].map((_, i) => Math.max(...runs.map((bytes) => bytes[i])));
    const of = lists === 1 ? "" : `${lists} lists of `;
    rows.push([of + grouped(entries), ...most.map(megabytes)]);
    console.error(`memory: ${rows.at(-1).join(" | ")}`);
  }
  const head = [
    "entries",
    "`publish`",
    "`serve`",
    "`copy`",
    "`dns`",
    "client, 4 bytes",
    "client, 8 bytes",
    "the store",
  ];
  return [{ head, rows }];
}

/** The table that another benchmark prints: for each row, the cells by the names of their columns. */
async function tableOf(script, args = [], env = {}) {
  const { stdout } = await run(process.execPath, [here(script), ...args], {
    env: { ...process.env, ...env },
  });
  const [head, , ...rows] = tablesIn(stdout)[0];
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [head[i], cell])));
}

const microseconds = (cell) => Number.parseFloat(cell);

async function load() {
  const requests = await tableOf("requests.js");
  const processes = await tableOf("processes.js");
  const queries = await tableOf("dns.js", ["100000"]);
  const rows = [];
  const add = (what, time) => {
    rows.push([what, `${rounded(time)} µs`, grouped(Number((1e6 / time).toPrecision(2)))]);
    return time;
  };
  const ours = (name) =>
    microseconds(requests.find(({ request }) => request.startsWith(name))["ours, processor"]);
  add("an update, nothing new", ours("batchGet, nothing new"));
  add("an update, 2 000 changes", ours("batchGet, partial"));
  const search = add(
    "`hashes:search`, a prefix that nobody asked for before",
    ours("hashes:search, a prefix nobody"),
  );
  add(
    "`hashes:search`, an answer from the server's own cache",
    ours("hashes:search, a prefix of 5 000"),
  );
  add("`urls:search`", ours("urls:search"));
  add("`/lookup/status`", ours("/lookup/status"));
  const many = processes.find(
    (row) => row.request === "/lookup, 100 URLs" && row.processes === "1",
  );
  add("`/lookup`, each of 100 URLs", microseconds(many["processor time each"]) / 100);
  add("a query to `dns`", microseconds(queries[0]["µs a query"]));
  const popular = requests.find(({ request }) =>
    request.startsWith("hashes:search, a prefix of 5 000"),
  );
  const cached = add("a hit in nginx", microseconds(popular["nginx, processor"]));
  const check = ofCheck ?? (await memoryFor(1, 1_000_000)).clients[1].check;
  add("a check by a client, 8 bytes", check);
  const cores = (time) => String(rounded((time * MANY) / 1e6));
  return [
    { head: ["what", "processor time", "a second, on one core"], rows },
    {
      head: [
        "100 000 a second",
        "cores of the server",
        "cores of the cache",
        "cores of the clients",
      ],
      rows: [
        ["lists of 8 bytes", "0", "0", cores(check)],
        ["a cache that has 90% of the answers", cores(search / 10), cores(cached), ""],
        ["processes", cores(search), "0", ""],
      ],
    },
  ];
}

async function changes() {
  const [downloads, growth] = [[], []];
  for (const [size, days] of [
    [100_000, 30],
    [1_000_000, 0],
  ]) {
    for (const share of [0.0001, 0.001, 0.01]) {
      const { firstVersion, lastVersion, ofServer, ofStore } = await churn({ size, share, days });
      const replaced = `${100 * share}%`;
      const readers = [ofServer, ...ofStore];
      const bytes = readers.flatMap(({ whole, hourly, daily }) => [whole, hourly, daily]);
      downloads.push([`${grouped(size)}, ${replaced}`, ...bytes.map(kilobytes)]);
      if (days === 30)
        growth.push([
          replaced,
          ...[firstVersion, lastVersion, lastVersion - firstVersion].map(kilobytes),
        ]);
      console.error(
        `changes: ${downloads.at(-1).join(" | ")}; the store ${growth.at(-1).join(" | ")}`,
      );
    }
  }
  const readers = ["v5", "store", "8 bytes"].flatMap((reader) => [
    `${reader}: whole`,
    "24 updates",
    "one update",
  ]);
  return [
    { head: ["entries, replaced a day", ...readers], rows: downloads },
    {
      head: ["replaced a day", "the store, first version", "after 30 days", "growth a month"],
      rows: growth,
    },
  ];
}

/** The tables of a text in Markdown, each as rows of cells. */
function tablesIn(text) {
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables.map((table) =>
    table
      .trimEnd()
      .split("\n")
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** Whether two cells have the same words, and numbers that differ by a tenth of the measured one at most. */
function isNear(written, measured) {
  const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/g;
  const numbers = (cell) =>
    [...cell.matchAll(NUMBER)].map(([text]) => Number(text.replaceAll(",", "")));
  const words = (cell) => cell.replace(NUMBER, "#");
  const ofPage = numbers(written);
  return (
    words(written) === words(measured) &&
    numbers(measured).every((number, i) => Math.abs(ofPage[i] - number) <= TOLERANCE * number)
  );
}

/** The differences between measured tables and those of a page. */
function differences(page, measured) {
  const ofPage = tablesIn(page);
  return measured.flatMap(({ head, rows }) => {
    const table = ofPage.find(([first]) => first.join() === head.join());
    if (table === undefined) return [`no table: ${head.join(" | ")}`];
    const [, , ...written] = table;
    const missing = written.length === rows.length ? [] : [`${head[0]}: not ${rows.length} rows`];
    const wrong = rows.flatMap((row, i) =>
      row.flatMap((cell, k) =>
        isNear(written[i]?.[k] ?? "", cell)
          ? []
          : [`${row[0]}, ${head[k]}: ${written[i]?.[k]}, measured ${cell}`],
      ),
    );
    return [...missing, ...wrong];
  });
}

const { values, positionals } = parseArgs({
  options: { check: { type: "string" } },
  allowPositionals: true,
});
const PARTS = { memory, load, changes };
const measured = [];
for (const part of positionals.length === 0 ? Object.keys(PARTS) : positionals)
  measured.push(...(await PARTS[part]()));
printMachine();
for (const { head, rows } of measured) printTable(head, rows);
if (values.check !== undefined) {
  const wrong = differences(readFileSync(values.check, "utf8"), measured);
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
