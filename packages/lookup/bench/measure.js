import { cpus } from "node:os";

/**
 * Times candidates that must all give the same result, in turn, and takes the median of the rounds. Times
 * are for one of `items`; the ratio is how many times faster than the first candidate.
 */
export function measure(candidates, items, { rounds = 9 } = {}) {
  const names = Object.keys(candidates);
  const expected = candidates[names[0]]();
  for (const name of names) {
    const result = candidates[name]();
    if (result !== expected)
      throw new Error(`${name} gives ${result}, ${names[0]} gives ${expected}`);
  }
  const times = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = process.hrtime.bigint();
      if (candidates[name]() !== expected) throw new Error(`${name} changed its mind`);
      times.get(name).push(Number(process.hrtime.bigint() - start) / items);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const first = median(times.get(names[0]));
  return names.map((name) => {
    const time = median(times.get(name));
    return { name, time, ratio: first / time };
  });
}

export function printTable(title, rows) {
  console.log(
    `\n${title}\nNode ${process.version}, ${cpus()[0]?.model}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(
    `| ${"".padEnd(width)} | ns each | ratio |\n| ${"-".repeat(width)} | ------: | ----: |`,
  );
  for (const { name, time, ratio } of rows) {
    console.log(
      `| ${name.padEnd(width)} | ${time.toFixed(0).padStart(7)} | ${`${ratio.toFixed(1)}×`.padStart(5)} |`,
    );
  }
}
