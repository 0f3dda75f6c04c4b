// Times all steps, from a URL to a verdict against a million prefixes: `pnpm --filter @x/lookup bench [FILE]`.
//
// FILE has one URL per line; without it, URLs are made up. The candidates take turns on the same runs of URLs
// and must agree on every run. The fastest time of each run counts.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { tryParseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
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

/** Lets a worker do one run of URLs; the worker measures the time. */
async function runIn(worker, index) {
  worker.postMessage(index);
  const [answer] = await once(worker, "message");
  return answer;
}

printMachine();
console.log(
  `${corpus.length} URLs against ${LIST_SIZE} prefixes, one core; all candidates agree\n`,
);
const timings = await compare({
  candidates: Object.fromEntries(
    names.map((name, i) => [name, (index) => runIn(workers[i], index)]),
  ),
  inputs: [...runs.keys()],
  items: corpus.length,
  rounds: ROUNDS,
});
for (const worker of workers) await worker.terminate();
printTable(
  ["", "ns a URL", "times as fast"],
  timings.map(({ name, nanoseconds }) => [
    name,
    nanoseconds.toFixed(0),
    `${(timings[0].nanoseconds / nanoseconds).toFixed(1)}×`,
  ]),
);
