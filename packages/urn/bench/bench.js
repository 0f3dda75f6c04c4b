/**
 * Prints how many of the package's vectors each candidate gets right, and how fast it parses and compares.
 * Run it with `pnpm --filter @x/urn bench`.
 */
import { readFileSync } from "node:fs";
import { candidates } from "./candidates.js";
import { corpus, pairs } from "./corpus.js";

const NAMES = 3000;
const ROUNDS = 60;

function loadVectors(name) {
  return JSON.parse(readFileSync(new URL(`../test/vectors/${name}.json`, import.meta.url), "utf8"))
    .cases;
}

/** Parts without the case of the NID and of escapes, which some candidates normalize. */
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
  return `${right} (${Math.floor((100 * right) / total)} %)`;
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

function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log(line(head));
  console.log(line(head.map((_, i) => (i === 0 ? "---" : "--:"))));
  for (const row of rows) console.log(line(row));
  console.log();
}

/**
 * The shortest time of several rounds, in nanoseconds per call. The candidates take turns, so that all see
 * the same machine. In each round a candidate runs twice and the second run counts, so that it does not pay
 * for what the one before left in the caches and on the heap.
 */
function measure(tasks, calls) {
  const least = tasks.map(() => Number.POSITIVE_INFINITY);
  const results = tasks.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    tasks.forEach((task, i) => {
      task();
      const start = process.hrtime.bigint();
      results[i] = task();
      least[i] = Math.min(least[i], Number(process.hrtime.bigint() - start) / calls);
    });
  }
  return { least, results };
}

function speedRows(least, results, label) {
  return candidates.map((candidate, i) => [
    candidate.name,
    candidate.validates ? "yes" : "no",
    least[i].toFixed(0),
    i === 0 ? "1" : (least[i] / least[0]).toFixed(1),
    `${results[i]} ${label}`,
  ]);
}

function printSpeed() {
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
    const parsing = measure(
      candidates.map((candidate) => {
        const parse = candidate[method];
        return () => {
          let accepted = 0;
          for (const name of names) accepted += parse(name)?.nss.length > 0 ? 1 : 0;
          return accepted;
        };
      }),
      names.length,
    );
    printTable(
      [label, "validates", "ns a URN", "times @x/urn", "accepted"],
      speedRows(parsing.least, parsing.results, `of ${names.length}`),
    );
  }

  const valid = names.filter((name) => candidates[0].parse(name) !== null);
  const compared = pairs(valid);
  for (const [a, b] of compared) {
    if (candidates[0].equal(a, b) !== candidates[1].equal(a, b)) {
      throw new Error(`the package and the regular expression disagree on ${a} and ${b}`);
    }
  }
  const comparing = measure(
    candidates.map(({ equal }) => () => {
      let equals = 0;
      for (const [a, b] of compared) if (equal(a, b)) equals++;
      return equals;
    }),
    compared.length,
  );
  printTable(
    ["equivalence", "validates", "ns a pair", "times @x/urn", "found equal"],
    speedRows(comparing.least, comparing.results, `of ${compared.length}`),
  );
}

console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`);
printConformance();
printSpeed();
