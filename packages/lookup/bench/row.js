// Times all steps, from a URL to a verdict against a million prefixes: `pnpm --filter @x/lookup bench [FILE]`.
//
// FILE has one URL per line; without it, URLs are made up. The candidates take turns on the same runs of URLs
// and must agree on every run. The fastest time of each run counts.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { Worker } from "node:worker_threads";
import { tryParseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { makeUrls } from "@x/test-support/url-corpus";
import { candidates, naiveExpressions } from "./candidates.js";

const LIST_SIZE = 1_000_000;
const URLS_A_RUN = 50_000;
const ROUNDS = 9;

/** Whether the pipeline that most people write forms the right expressions for a URL. */
function naivelyRight(url) {
  const parsed = tryParseUrl(url);
  if (parsed === null || !URL.canParse(url)) return false;
  return expressions(parsed).sort().join() === naiveExpressions(url).sort().join();
}

const [file] = process.argv.slice(2);
const urls = file === undefined ? makeUrls(50_000) : readFileSync(file, "utf8").split(/\r?\n/);
const corpus = urls.filter(naivelyRight);

// Every 50th URL is listed by its host. The rest of the million are prefixes of other texts.
const listed = corpus.filter((_, i) => i % 50 === 0).map((url) => `${new URL(url).hostname}/`);
const rawHashes = new Uint8Array(new SharedArrayBuffer(LIST_SIZE * 4));
for (let i = 0; i < LIST_SIZE; i++) {
  const hash = createHash("sha256")
    .update(listed[i] ?? `made up ${i}`)
    .digest();
  rawHashes.set(hash.subarray(0, 4), i * 4);
}

const runs = [];
for (let from = 0; from < corpus.length; from += URLS_A_RUN) {
  const urls = corpus.slice(from, from + URLS_A_RUN);
  runs.push({ urls, lines: new TextEncoder().encode(urls.join("\n")) });
}

const names = Object.keys(candidates);
const workers = names.map(
  (name) =>
    new Worker(new URL("worker.js", import.meta.url), { workerData: { name, rawHashes, runs } }),
);
const fastest = names.map(() => runs.map(() => Number.POSITIVE_INFINITY));

// The first two rounds warm up and do not count.
for (let round = -2; round < ROUNDS; round++) {
  for (const index of runs.keys()) {
    let expected;
    for (const [i, worker] of workers.entries()) {
      worker.postMessage(index);
      const [{ result, time }] = await once(worker, "message");
      expected ??= result;
      if (result !== expected) throw new Error(`${names[i]}: ${result} instead of ${expected}`);
      if (round >= 0) fastest[i][index] = Math.min(fastest[i][index], time);
    }
  }
}
for (const worker of workers) await worker.terminate();

const each = fastest.map((times) => times.reduce((sum, time) => sum + time, 0) / corpus.length);
const width = Math.max(...names.map((name) => name.length));
const date = new Date().toISOString().slice(0, 10);
console.log(`${date}, Node ${process.version}, ${cpus()[0]?.model}, one core`);
console.log(`${corpus.length} URLs against ${LIST_SIZE} prefixes; all candidates agree\n`);
console.log(
  `| ${"".padEnd(width)} | ns a URL | ratio |\n| ${"-".repeat(width)} | -------: | ----: |`,
);
for (const [i, name] of names.entries()) {
  const columns = [
    each[i].toFixed(0).padStart(8),
    `${(each[0] / each[i]).toFixed(1)}×`.padStart(5),
  ];
  console.log(`| ${name.padEnd(width)} | ${columns.join(" | ")} |`);
}
