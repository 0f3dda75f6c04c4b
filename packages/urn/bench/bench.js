/**
 * Prints how many of the package's vectors each candidate gets right, and how fast it parses and compares.
 * Run it with `pnpm --filter @x/urn bench`.
 */
import { readFileSync } from "node:fs";
import { compare, printMachine, printTable } from "@x/test-support/benchmark";
import { candidates } from "./candidates.js";
import { corpus, pairs } from "./corpus.js";

const NAMES = 3000;
const ROUNDS = 60;

function loadVectors(name) {
  return JSON.parse(readFileSync(new URL(`../test/vectors/${name}.json`, import.meta.url), "utf8"))
    .cases;
}

/**
 * The parts in one text, with the case of the NID and of escapes made the same, because some candidates normalize it.
 */
function comparable(urn) {
  if (urn === null) return "null";
  const { nid, nss, rComponent, qComponent, fComponent } = urn;
  return JSON.stringify([nid.toLowerCase(), nss, rComponent, qComponent, fComponent]).replace(
    /%[0-9a-f]{2}/gi,
    (digits) => digits.toUpperCase(),
  );
}

function expand({ input, expected, appended }) {
  if (appended === undefined) return { input, expected: expected ?? null };
  const tail = appended.text.repeat(appended.times);
  return {
    input: input + tail,
    expected: expected === undefined ? null : { ...expected, nss: expected.nss + tail },
  };
}

function percentage(right, total) {
  return `${right} (${Math.floor((100 * right) / total)}%)`;
}

function printConformance() {
  const parse2141 = loadVectors("parse-rfc2141").map(expand);
  const parse8141 = loadVectors("parse-rfc8141").map(expand);
  const equal = loadVectors("equivalence").filter((vector) => vector.syntax === undefined);
  const rows = candidates.map((candidate) => {
    const right = (vectors, parse) =>
      vectors.filter(({ input, expected }) => comparable(parse(input)) === comparable(expected))
        .length;
    const rightEqual = equal.filter(
      ({ input: [a, b], expected }) => candidate.equal(a, b) === expected,
    ).length;
    return [
      candidate.name,
      percentage(right(parse2141, candidate.parse), parse2141.length),
      percentage(right(parse8141, candidate.parse8141), parse8141.length),
      percentage(rightEqual, equal.length),
    ];
  });
  printTable(
    [
      "vectors right",
      `RFC 2141, of ${parse2141.length}`,
      `RFC 8141, of ${parse8141.length}`,
      `equivalence, of ${equal.length}`,
    ],
    rows,
  );
}

/** Prints the time that each candidate takes for an item, and its ratio to the time of this package. */
async function printTimes(label, unit, counted, runs, items) {
  const timings = await compare({
    candidates: runs,
    inputs: [null],
    items,
    rounds: ROUNDS,
    mustAgree: false,
  });
  printTable(
    [label, "validates", `ns per ${unit}`, "times @x/urn", `${counted}, of ${items}`],
    timings.map(({ name, nanoseconds, results }, i) => [
      name,
      candidates[i].validates ? "yes" : "no",
      nanoseconds.toFixed(0),
      i === 0 ? "1" : (nanoseconds / timings[0].nanoseconds).toFixed(1),
      String(results[0]),
    ]),
  );
}

/** An object of functions, one for each candidate. */
function runsOf(makeRun) {
  return Object.fromEntries(candidates.map((candidate) => [candidate.name, makeRun(candidate)]));
}

async function printSpeed() {
  const names = corpus(NAMES);
  for (const name of names) {
    for (const method of ["parse", "parse8141"]) {
      if (comparable(candidates[0][method](name)) !== comparable(candidates[1][method](name))) {
        throw new Error(`the package and the regular expression disagree on ${name}`);
      }
    }
  }
  for (const [label, method] of [
    ["parse, RFC 2141", "parse"],
    ["parse, RFC 8141", "parse8141"],
  ]) {
    const countAccepted = (candidate) => () => {
      const parse = candidate[method];
      let accepted = 0;
      for (const name of names) accepted += parse(name)?.nss.length > 0 ? 1 : 0;
      return accepted;
    };
    await printTimes(label, "URN", "accepted", runsOf(countAccepted), names.length);
  }

  const valid = names.filter((name) => candidates[0].parse(name) !== null);
  const compared = pairs(valid);
  for (const [a, b] of compared) {
    if (candidates[0].equal(a, b) !== candidates[1].equal(a, b)) {
      throw new Error(`the package and the regular expression disagree on ${a} and ${b}`);
    }
  }
  const countEqual =
    ({ equal }) =>
    () => {
      let equals = 0;
      for (const [a, b] of compared) if (equal(a, b)) equals++;
      return equals;
    };
  await printTimes("equivalence", "pair", "found equal", runsOf(countEqual), compared.length);
}

printMachine();
printConformance();
await printSpeed();
