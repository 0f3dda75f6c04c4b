// Times the command `urlhash check`: `pnpm --filter @x/cli bench [FILE]`.
//
// FILE has one URL per line; without it, URLs are made up. The commands take turns, and the fastest round of each
// counts. Their output is thrown away.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LIST_SIZE = 1_000_000;
const LINES = 1_000_000;
const LARGE_FILE_BYTES = 200e6;
const URLHASH = fileURLToPath(new URL("../bin/urlhash.js", import.meta.url));

/** Runs Node with these arguments. Resolves with the time until it exits. */
async function run(args) {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const [status] = await once(child, "exit");
  // 0 and 1 say that nothing or something is listed; 4 is added when lines are refused.
  if (status === 2 || status === null) throw new Error(`${args.join(" ")} failed`);
  return { result: null, nanoseconds: Number(process.hrtime.bigint() - start) };
}

function timed(commands, rounds, warmUp = 1) {
  const candidates = Object.fromEntries(
    Object.entries(commands).map(([name, args]) => [name, () => run(args)]),
  );
  return compare({ candidates, inputs: [0], items: 1, rounds, warmUp });
}

function printRows(what, unit, timings, text) {
  printTable(
    [what, unit, "ratio"],
    timings.map(({ name, nanoseconds }) => [
      name,
      text(nanoseconds),
      `${(nanoseconds / timings[0].nanoseconds).toFixed(2)}×`,
    ]),
  );
}

/** Evenly spread 4-byte prefixes. */
function makeList() {
  const rawHashes = new Uint8Array(4 * LIST_SIZE);
  const view = new DataView(rawHashes.buffer);
  for (let i = 0; i < LIST_SIZE; i++) view.setUint32(4 * i, Math.imul(i, 0x9e3779b1));
  return prefixList([{ prefixBytes: 4, rawHashes }], { name: "bench", created: 0 });
}

const folder = mkdtempSync(join(tmpdir(), "urlhash-bench-"));
try {
  const write = (name, contents) => {
    writeFileSync(join(folder, name), contents);
    return join(folder, name);
  };
  const list = write("million.list", encodePrefixList(makeList()));
  const check = (...args) => [URLHASH, "check", "--list", list, ...args];
  const [corpus] = process.argv.slice(2);
  const urls = corpus === undefined ? makeUrls(50_000).join("\n") : readFileSync(corpus, "latin1");
  const repeated = `${urls.trimEnd()}\n`.repeat(Math.ceil(LARGE_FILE_BYTES / urls.length));

  printMachine();
  const starts = await timed(
    {
      "node -e 0": ["-e", "0"],
      "urlhash check with a list of a million": check("http://a.example/"),
    },
    20,
  );
  printRows("start, to the first verdict", "ms", starts, (time) => (time / 1e6).toFixed(0));

  const lines = (line) => `${Array.from({ length: LINES }, (_, i) => line(i)).join("\n")}\n`;
  const good = write(
    "good.txt",
    lines((i) => `http://www.host${i % 5000}.example/path/${i}?q=1`),
  );
  const opaque = write(
    "opaque.txt",
    lines((i) => `mailto:someone${i}@mail.example`),
  );
  const words = write(
    "words.txt",
    lines((i) => `line ${i} holds some words`),
  );
  const kinds = await timed(
    {
      URLs: check("--file", good),
      "URIs without a host": check("--file", opaque),
      "words with spaces between them": check("--file", words),
    },
    3,
  );
  printRows("a million lines", "ns per line", kinds, (time) => (time / LINES).toFixed(0));

  const large = write(
    "large.txt",
    repeated.slice(0, repeated.lastIndexOf("\n", LARGE_FILE_BYTES) + 1),
  );
  const workers = await timed(
    {
      "--workers 2": check("--file", large, "--workers", "2"),
      "one thread": check("--file", large),
    },
    3,
    0,
  );
  printRows("200 MB of URLs", "seconds", workers, (time) => (time / 1e9).toFixed(1));
} finally {
  rmSync(folder, { recursive: true });
}
