// Checks many rows in several ways: `pnpm --filter @x/cli bench:rows [ROWS… [FILE]]`.
//
// FILE has one URL per line; without it, URLs are made up. Rows are generated from them with a seed. All ways must give
// the same rows; then the fastest of three rounds counts. Memory is the most that a process takes, or the sum if there
// are several.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LIST_SIZE = 1_000_000;
const SEED = 31;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const CHUNK_ROWS = 100_000;
const HEADER_ROW = "blank\t\t\n";
const URLHASH = fileURLToPath(new URL("../bin/urlhash.js", import.meta.url));
/** Makes a process write its peak memory in kilobytes to the file descriptor 3. */
const MEASURE = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));',
)}`;

/** Evenly spread 4-byte prefixes. One URL in a thousand or so is listed by chance. */
function makeList() {
  const rawHashes = new Uint8Array(4 * LIST_SIZE);
  const view = new DataView(rawHashes.buffer);
  for (let i = 0; i < LIST_SIZE; i++) view.setUint32(4 * i, Math.imul(i, 0x9e3779b1));
  return prefixList([{ prefixBytes: 4, rawHashes }], { name: "bench", created: 0 });
}

/** Random numbers in [0, 1), the same ones in every run. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Writes rows: half are URLs as they are, and each of the others has its own number. */
async function writeRows(folder, urls, rows) {
  const random = randomNumbers(SEED);
  const paths = {
    plain: join(folder, "rows.txt"),
    gz: join(folder, "rows.txt.gz"),
    csv: join(folder, "rows.csv"),
    halves: [join(folder, "half-1.txt"), join(folder, "half-2.txt")],
  };
  const files = await Promise.all(
    [paths.plain, paths.csv, ...paths.halves].map((path) => open(path, "w")),
  );
  const [plain, csv, ...halves] = files;
  await csv.write("id,url\n");
  for (let done = 0; done < rows; done += CHUNK_ROWS) {
    const chunk = Array.from({ length: Math.min(CHUNK_ROWS, rows - done) }, () => {
      const url = urls[Math.floor(random() * urls.length)];
      return random() < 0.5
        ? url
        : `${url}${url.includes("?") ? "&" : "?"}n=${Math.floor(random() * 1e9)}`;
    });
    const text = `${chunk.join("\n")}\n`;
    await plain.write(text);
    await csv.write(
      `${chunk.map((url, i) => `${done + i},"${url.replaceAll('"', '""')}"`).join("\n")}\n`,
    );
    await halves[done < rows / 2 ? 0 : 1].write(text);
  }
  await Promise.all(files.map((file) => file.close()));
  const gz = await open(paths.gz, "w");
  for await (const piece of createReadStream(paths.plain).pipe(createGzip({ level: 1 }))) {
    await gz.write(piece);
  }
  await gz.close();
  return paths;
}

/** One process. Resolves with the hash of its rows and its peak memory in megabytes. */
async function run({ args, stdin, update }) {
  const child = spawn(process.execPath, ["--import", MEASURE, URLHASH, "check", ...args], {
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "inherit", "pipe"],
  });
  if (stdin !== undefined) createReadStream(stdin, { highWaterMark: 2 ** 16 }).pipe(child.stdin);
  let kilobytes = "";
  child.stdio[3].on("data", (text) => {
    kilobytes += text;
  });
  child.stdout.on("data", update);
  const [status] = await once(child, "close");
  // 1: something is listed; 4: something is not a URL.
  if (status === null || (status & ~5) !== 0)
    throw new Error(`${args.join(" ")}: status ${status}`);
  return Number(kilobytes) / 1024;
}

/** Runs processes at the same time. Their rows are joined in the order of the processes. */
async function measure(processes) {
  const start = performance.now();
  const rows = processes.map(() => []);
  const hash = createHash("sha256");
  /** The other ways have no row for the header. */
  let skip = processes[0].headerRow?.length ?? 0;
  const updateFirst = (piece) => {
    hash.update(piece.subarray(Math.min(skip, piece.length)));
    skip = Math.max(0, skip - piece.length);
  };
  const memory = await Promise.all(
    processes.map((each, i) =>
      run({ ...each, update: i === 0 ? updateFirst : (piece) => rows[i].push(piece) }),
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const piece of rows.flat()) hash.update(piece);
  const megabytes = memory.reduce((sum, each) => sum + each, 0);
  return { seconds, megabytes, hash: hash.digest("hex") };
}

const counts = process.argv
  .slice(2)
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const corpus = process.argv.slice(2).find((argument) => !/^\d+$/.test(argument));
const urls =
  corpus === undefined ? makeUrls(50_000) : readFileSync(corpus, "utf8").trimEnd().split("\n");
const folder = mkdtempSync(join(tmpdir(), "urlhash-bench-"));
try {
  const list = join(folder, "million.list");
  writeFileSync(list, encodePrefixList(makeList()));
  const options = ["--list", list, "--tsv", "--columns", "verdict,prefix,problem"];
  printMachine();
  for (const rows of counts.length === 0 ? [1_000_000, 10_000_000] : counts) {
    const { plain, gz, csv, halves } = await writeRows(folder, urls, rows);
    const ways = {
      "one process": [{ args: [...options, "--file", plain] }],
      "--workers 2": [{ args: [...options, "--file", plain, "--workers", "2"] }],
      "two processes in pipes": halves.map((stdin) => ({ args: options, stdin })),
      gzip: [{ args: [...options, "--file", gz] }],
      "gzip, --workers 2": [{ args: [...options, "--file", gz, "--workers", "2"] }],
      "CSV, --column": [
        { args: [...options, "--file", csv, "--column", "url"], headerRow: HEADER_ROW },
      ],
      "CSV, --workers 2": [
        {
          args: [...options, "--file", csv, "--column", "url", "--workers", "2"],
          headerRow: HEADER_ROW,
        },
      ],
    };
    const results = new Map();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, processes] of Object.entries(ways)) {
        const measured = await measure(processes);
        const best = results.get(name);
        const expected = results.get("one process")?.hash ?? measured.hash;
        if (measured.hash !== expected) throw new Error(`${name} gives other rows`);
        const memory = Math.max(best?.megabytes ?? 0, measured.megabytes);
        const seconds = Math.min(best?.seconds ?? Number.POSITIVE_INFINITY, measured.seconds);
        results.set(name, { seconds, megabytes: memory, hash: measured.hash });
      }
    }
    const first = results.get("one process");
    const million = (rows / 1e6).toLocaleString("en");
    printTable(
      [`${million} million rows`, "seconds", "rows per second", "ratio", "MB at most"],
      [...results].map(([name, { seconds, megabytes }]) => [
        name,
        seconds.toFixed(1),
        Math.round(rows / seconds).toLocaleString("en"),
        `${(first.seconds / seconds).toFixed(2)}×`,
        megabytes.toFixed(0),
      ]),
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
