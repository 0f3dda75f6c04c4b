// Times the steps from a URL to a verdict one after another: `pnpm --filter @x/lookup bench:steps [FILE]`.
//
// Each row does what the previous row does, and one more step. The last row is the checker itself, so its step is what
// the public functions add. FILE has one URL per line. The list has none of these URLs, so that every row leaves out
// the same expressions.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { verifyCanonical } from "@x/canon/verify";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { longestMatch, maybeListed, prefixBloomFilterInSteps } from "@x/prefix-list/search";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";
import { createWorkspace, ENOUGH_EXPRESSIONS } from "../dist/batch/workspace.js";
import { beforeLines, nextLine } from "../dist/lines/line.js";

/** The Bloom filter of a list, made in one go. */
function prefixBloomFilter(list) {
  const steps = prefixBloomFilterInSteps([list], Number.POSITIVE_INFINITY);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const LIST_SIZE = 1_000_000;
const BLOCK_BYTES = 1 << 16;
const ROUNDS = 15;

const [file] = process.argv.slice(2);
const all = file === undefined ? makeUrls(50_000) : readFileSync(file, "utf8").split(/\r?\n/);
const encoder = new TextEncoder();

/** Whether a URL is one of those that are only verified. The others take other steps. */
function isPlain(url) {
  const bytes = encoder.encode(url);
  return verifyCanonical(bytes, 0, bytes.length, {});
}

const urls = all.filter(isPlain);
const lines = encoder.encode(urls.join("\n"));
const list = prefixList(
  Array.from({ length: LIST_SIZE }, (_, i) =>
    createHash("sha256").update(`made up ${i}`).digest().subarray(0, 4),
  ),
  { name: "bench" },
);
const filter = prefixBloomFilter(list);

/** Does the first steps with the `count` expressions that wait. Returns how many matches there are. */
function lookUp(workspace, count, selected, steps) {
  const { hashes, prefixes } = workspace;
  if (steps.hash) workspace.run(count);
  const maybe = steps.filter ? maybeListed(filter, prefixes, count, selected) : 0;
  let matches = 0;
  for (let i = 0; steps.list && i < maybe; i++) {
    if (longestMatch(list, hashes, selected[i] * FULL_HASH_BYTES) > 0) matches++;
  }
  workspace.rememberExcept(selected, maybe, count);
  return matches;
}

function oneByOne(steps) {
  const workspace = createWorkspace(BLOCK_BYTES, {}, "webassembly");
  const selected = new Uint32Array(workspace.starts.length);
  return () => {
    let matches = 0;
    for (const url of urls) {
      const { written } = encoder.encodeInto(url, workspace.bytes);
      if (!steps.add) continue;
      matches += lookUp(workspace, workspace.addIfCanonical(0, written, 0), selected, steps);
    }
    return matches;
  };
}

function inBulk(steps) {
  const workspace = createWorkspace(BLOCK_BYTES, {}, "webassembly");
  const selected = new Uint32Array(workspace.starts.length);
  return () => {
    let matches = 0;
    const { bytes, cursor } = beforeLines(lines);
    let [from, to, count] = [0, 0, 0];
    const finish = () => {
      matches += lookUp(workspace, count, selected, steps);
      count = 0;
    };
    while (nextLine(bytes, cursor)) {
      const { start, end } = cursor;
      if (!steps.add) continue;
      if (end > to) {
        // The expressions that wait are slices of the bytes that are overwritten here.
        finish();
        from = start;
        to = Math.min(start + BLOCK_BYTES, bytes.length);
        workspace.bytes.set(bytes.subarray(from, to));
      }
      count = workspace.addIfCanonical(start - from, end - from, count);
      if (count >= ENOUGH_EXPRESSIONS) finish();
    }
    finish();
    return matches;
  };
}

const STEPS = {
  "verify, find the expressions, leave out those that are known": { add: true },
  hash: { add: true, hash: true },
  "ask the Bloom filter": { add: true, hash: true, filter: true },
  "ask the list": { add: true, hash: true, filter: true, list: true },
};

printMachine();
console.log(`${urls.length} URLs against ${LIST_SIZE} prefixes, none listed\n`);
const { check, scan } = checker(list, { engine: "webassembly" });
for (const [first, makeSteps, last, run] of [
  [
    "write the text",
    oneByOne,
    "check",
    () => urls.reduce((sum, url) => sum + check(url).length, 0),
  ],
  [
    "find the lines",
    inBulk,
    "scan",
    () => scan(lines).findings.reduce((sum, { matches }) => sum + matches.length, 0),
  ],
]) {
  const candidates = { [first]: makeSteps({}) };
  for (const [name, steps] of Object.entries(STEPS)) candidates[name] = makeSteps(steps);
  candidates[last] = run;
  const timings = await compare({
    candidates,
    inputs: [null],
    items: urls.length,
    rounds: ROUNDS,
    mustAgree: false,
  });
  const [found, expected] = timings.slice(-2).map(({ results }) => results[0]);
  if (found !== expected) throw new Error(`${last} finds ${expected} instead of ${found}`);
  printTable(
    ["", "ns per URL", "this step"],
    timings.map(({ name, nanoseconds }, i) => [
      name,
      nanoseconds.toFixed(0),
      (nanoseconds - (timings[i - 1]?.nanoseconds ?? 0)).toFixed(0),
    ]),
  );
}
