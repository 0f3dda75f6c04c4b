import { cpus } from "node:os";

/**
 * Times candidates on the same runs of work, in turns, and adds up the fastest round of each run, so that
 * what else the machine does falls out. All must give the same result for a run. A time is that of one of
 * the run's `items`; the ratio says how many times faster than the first candidate.
 */
export function measure(candidates, runs, { rounds = 11 } = {}) {
  const names = Object.keys(candidates);
  const fastest = new Map(names.map((name) => [name, runs.map(() => Number.POSITIVE_INFINITY)]));
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, run] of runs.entries()) {
      let expected;
      for (const name of names) {
        const start = process.hrtime.bigint();
        const result = candidates[name](run);
        const time = Number(process.hrtime.bigint() - start);
        expected ??= result;
        if (result !== expected) throw new Error(`${name}: ${result} instead of ${expected}`);
        if (round > 0) fastest.get(name)[i] = Math.min(fastest.get(name)[i], time);
      }
    }
  }
  const items = runs.reduce((sum, run) => sum + run.items, 0);
  const each = (name) => fastest.get(name).reduce((sum, time) => sum + time, 0) / items;
  const first = each(names[0]);
  return names.map((name) => ({ name, time: each(name), ratio: first / each(name) }));
}

export function printTable(title, rows) {
  const date = new Date().toISOString().slice(0, 10);
  console.log(`\n${title}\n${date}, Node ${process.version}, ${cpus()[0]?.model}, one core\n`);
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(
    `| ${"".padEnd(width)} | ns each | ratio |\n| ${"-".repeat(width)} | ------: | ----: |`,
  );
  for (const { name, time, ratio } of rows) {
    const columns = [time.toFixed(0).padStart(7), `${ratio.toFixed(1)}×`.padStart(5)];
    console.log(`| ${name.padEnd(width)} | ${columns.join(" | ")} |`);
  }
}
