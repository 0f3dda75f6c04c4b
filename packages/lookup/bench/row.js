// Times all steps, from a URL to a verdict against a million prefixes:
// `pnpm --filter @x/lookup bench [FILE] [--against COMMIT]`.
//
// FILE has one URL per line. Without it, URLs are made up. The candidates take turns on the same runs of URLs and must
// agree on every run. The fastest time of each run counts. With --against, the candidates are those of this checkout
// and of another commit.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { tryParseUrl } from "@x/canon";
import { expressions } from "@x/expressions";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { candidates, naiveExpressions } from "./candidates.js";
import { checkOut, HERE } from "./checkout.js";

const LIST_SIZE = 1_000_000;
const URLS_A_RUN = 50_000;
const ROUNDS = 9;
const WARM_UP = 2;

/** Whether the usual code forms the right expressions for a URL. */
function naivelyRight(url) {
  const parsed = tryParseUrl(url);
  if (parsed === null || !URL.canParse(url)) return false;
  return expressions(parsed).sort().join() === naiveExpressions(url).sort().join();
}

/** A million prefixes. Every 50th URL is listed by its host, and the rest are prefixes of other texts. */
function makeRawHashes(urls) {
  const listed = urls.filter((_, i) => i % 50 === 0).map((url) => `${new URL(url).hostname}/`);
  const rawHashes = new Uint8Array(new SharedArrayBuffer(LIST_SIZE * 4));
  for (let i = 0; i < LIST_SIZE; i++) {
    const hash = createHash("sha256")
      .update(listed[i] ?? `made up ${i}`)
      .digest();
    rawHashes.set(hash.subarray(0, 4), i * 4);
  }
  return rawHashes;
}

function makeRuns(urls) {
  const runs = [];
  for (let from = 0; from < urls.length; from += URLS_A_RUN) {
    const some = urls.slice(from, from + URLS_A_RUN);
    runs.push({ urls: some, lines: new TextEncoder().encode(some.join("\n")) });
  }
  return runs;
}

/** A candidate in a worker, with the times of its runs. */
class Candidate {
  nanoseconds = [];
  #worker;

  constructor(name, root, rawHashes, runs) {
    this.#worker = new Worker(new URL("worker.js", import.meta.url), {
      workerData: { name, root, rawHashes, runs },
    });
  }

  async #ask(index, isTimed) {
    this.#worker.postMessage({ index, isTimed });
    const [answer] = await once(this.#worker, "message");
    return answer;
  }

  /** The listed URLs of a run. */
  verdicts(index) {
    return this.#ask(index, false);
  }

  async time(index) {
    const answer = await this.#ask(index, true);
    this.nanoseconds.push(answer.nanoseconds);
    return answer;
  }

  stop() {
    return this.#worker.terminate();
  }
}

/** Times all candidates, after a check that their verdicts are the same. */
async function timeAll(byName, runs, items) {
  for (const index of runs.keys()) {
    const verdicts = [];
    for (const candidate of Object.values(byName)) verdicts.push(await candidate.verdicts(index));
    const odd = verdicts.findIndex((each) => each !== verdicts[0]);
    if (odd >= 0) throw new Error(`${Object.keys(byName)[odd]} gives other verdicts`);
  }
  const timings = await compare({
    candidates: Object.fromEntries(
      Object.entries(byName).map(([name, candidate]) => [name, (index) => candidate.time(index)]),
    ),
    inputs: [...runs.keys()],
    items,
    rounds: ROUNDS,
    warmUp: WARM_UP,
  });
  for (const candidate of Object.values(byName)) await candidate.stop();
  return timings;
}

async function compareWithMostPeople(names, rawHashes, runs, items) {
  const byName = Object.fromEntries(
    names.map((name) => [name, new Candidate(name, HERE, rawHashes, runs)]),
  );
  const timings = await timeAll(byName, runs, items);
  printTable(
    ["", "ns per URL", "times as fast"],
    timings.map(({ name, nanoseconds }) => [
      name,
      nanoseconds.toFixed(0),
      `${(timings[0].nanoseconds / nanoseconds).toFixed(1)}×`,
    ]),
  );
}

/** The median of the ratios of two candidates, round by round. */
function medianRatio(one, other) {
  const ratios = one.nanoseconds
    .map((each, i) => each / other.nanoseconds[i])
    .slice(-ROUNDS)
    .sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)];
}

async function compareWithCommit(commit, names, rawHashes, runs, items) {
  const { root, remove } = checkOut(commit);
  try {
    const rows = [];
    for (const name of names) {
      const now = new Candidate(name, HERE, rawHashes, runs);
      const then = new Candidate(name, root, rawHashes, runs);
      const [first, second] = await timeAll({ now, then }, runs, items);
      rows.push([
        name,
        second.nanoseconds.toFixed(0),
        first.nanoseconds.toFixed(0),
        `${(second.nanoseconds / first.nanoseconds).toFixed(2)}×`,
        `${medianRatio(then, now).toFixed(2)}×`,
      ]);
    }
    const head = [`ns per URL at ${commit}`, "now", "times as fast", "in the middle round"];
    printTable(["", ...head], rows);
  } finally {
    remove();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { against: { type: "string" } },
});
const [file] = positionals;
const urls = file === undefined ? makeUrls(50_000) : readFileSync(file, "utf8").split(/\r?\n/);
const corpus = urls.filter(naivelyRight);
const rawHashes = makeRawHashes(corpus);
const runs = makeRuns(corpus);

printMachine();
console.log(
  `${corpus.length} URLs against ${LIST_SIZE} prefixes, one core; all candidates agree\n`,
);
const names = Object.keys(candidates);
if (values.against === undefined) {
  await compareWithMostPeople(names, rawHashes, runs, corpus.length);
} else {
  await compareWithCommit(values.against, names.slice(1), rawHashes, runs, corpus.length);
}
