import { cpus } from "node:os";

/**
 * @typedef {object} Timing
 * @property {string} name
 * @property {number} nanoseconds The time for all inputs together, divided by `items`.
 * @property {unknown[]} results The candidate's result for each input.
 */

/**
 * Times candidates side by side. Candidates take turns at every input, so that other load on the machine affects all of
 * them. For each candidate and input, the fastest round counts.
 *
 * A candidate may be asynchronous. A candidate that measures its own time, for example in a worker, returns `{ result,
 * nanoseconds }`.
 *
 * @template Input
 * @param {object} options
 * @param {Readonly<Record<string, (input: Input) => unknown>>} options.candidates
 * @param {readonly Input[]} options.inputs
 * @param {number} options.items The number of items in all inputs together.
 * @param {number} [options.rounds] The number of rounds that count.
 * @param {number} [options.warmUp] The number of earlier rounds that do not count.
 * @param {boolean} [options.mustAgree] Whether all candidates must give the same results. If not, each must
 * only repeat its own.
 * @returns {Promise<Timing[]>} in the order of the candidates.
 */
export async function compare({
  candidates,
  inputs,
  items,
  rounds = 9,
  warmUp = 2,
  mustAgree = true,
}) {
  const entries = Object.entries(candidates);
  const fastest = entries.map(() => inputs.map(() => Number.POSITIVE_INFINITY));
  const results = entries.map(() => new Array(inputs.length));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, input] of inputs.entries()) {
      for (const [c, [name, run]] of entries.entries()) {
        const { result, nanoseconds } = await time(run, input);
        const isFirst = round === -warmUp;
        const expected = mustAgree && c > 0 ? results[0][i] : isFirst ? result : results[c][i];
        if (result !== expected) throw new Error(`${name} gives ${result} instead of ${expected}`);
        results[c][i] = result;
        if (round >= 0) fastest[c][i] = Math.min(fastest[c][i], nanoseconds);
      }
    }
  }
  return entries.map(([name], c) => ({
    name,
    nanoseconds: fastest[c].reduce((sum, each) => sum + each, 0) / items,
    results: results[c],
  }));
}

async function time(run, input) {
  const start = process.hrtime.bigint();
  let result = run(input);
  // Awaiting a result that is not a promise would take time, too.
  if (result instanceof Promise) result = await result;
  const nanoseconds = Number(process.hrtime.bigint() - start);
  if (typeof result === "object" && result !== null && "nanoseconds" in result) return result;
  return { result, nanoseconds };
}

/** Prints a Markdown table. All columns but the first are numbers. */
export function printTable(head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  console.log(line(head));
  console.log(
    line(widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`))),
  );
  for (const row of rows) console.log(line(row));
  console.log();
}

/** Prints timings, each with its ratio to the first: 2.0× means that it takes twice as long. */
export function printTimings(what, unit, timings) {
  printTable(
    [what, `ns per ${unit}`, "ratio"],
    timings.map(({ name, nanoseconds }) => [
      name,
      nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0),
      `${(nanoseconds / timings[0].nanoseconds).toFixed(2)}×`,
    ]),
  );
}

/** Prints when and on which machine the measurement was made. */
export function printMachine() {
  const date = new Date().toISOString().slice(0, 10);
  console.log(
    `${date}, Node ${process.version}, ${cpus()[0]?.model.trim() ?? "unknown processor"}\n`,
  );
}
