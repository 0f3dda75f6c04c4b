/*
 * Measures what readers of a list download in 30 days of hourly versions: `npx pnpm --filter @x/server bench:updates`.
 * Usage: compare-updates.js [hosts] [file for the plot]
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { combined, MEASUREMENTS } from "./updates/measure.js";
import { plotOf } from "./updates/plot.js";

const SIZE = Number(process.argv[2] ?? 200_000);
const SHARES = [0.01, 0.1];
const INTERVALS = [1, 24, 720];
const READERS = 100_000;
/** How many measurements run at the same time. */
const AT_ONCE = 2;
const NAMES = {
  plain: "hosts file, gzip",
  patches: "Diff-Path patches, gzip",
  static: "store on a static host",
  v5: "urlhash-server, v5",
  fewest: "minimum",
};

/** Runs a measurement in a thread of its own, because measuring the patches replaces `Date`. */
function inThread(data) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    worker.once("message", resolve).once("error", reject);
  });
}

function amount(bytes) {
  const [unit, divisor] =
    bytes >= 1e12
      ? ["TB", 1e12]
      : bytes >= 1e9
        ? ["GB", 1e9]
        : bytes >= 1e6
          ? ["MB", 1e6]
          : ["kB", 1e3];
  return `${(bytes / divisor).toPrecision(3)} ${unit}`;
}

async function compare() {
  const scenarios = SHARES.map((share) => ({
    size: SIZE,
    share,
    hours: 720,
    intervals: INTERVALS,
  }));
  const results = scenarios.map(() => ({}));
  const tasks = scenarios.flatMap((scenario, i) =>
    ["patches", "store", "plain"].map((name) => async () => {
      results[i][name] = await inThread({ name, scenario });
    }),
  );
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
    }),
  );
  const panels = scenarios.map((scenario, i) => ({
    heading: `${scenario.share * 100} % replaced a day`,
    ways: combined(scenario, results[i]),
  }));

  printMachine();
  console.log(`${SIZE} hosts\n`);
  for (const { heading, ways } of panels) {
    for (const [what, times] of [
      ["one reader", 1],
      [`${READERS} readers, computed`, READERS],
    ]) {
      printTable(
        [`${heading}, ${what}`, ...INTERVALS.map((hours) => `${hours} h`)],
        Object.entries(NAMES).map(([way, name]) => [
          name,
          ...ways[way].totals.map(({ bytes }) => amount(bytes * times)),
        ]),
      );
    }
    printTable(
      [heading, ...INTERVALS.map((hours) => `requests, ${hours} h`), "nothing new", "new reader"],
      Object.entries(NAMES)
        .filter(([way]) => way !== "fewest")
        .map(([way, name]) => {
          const { totals, idle, whole } = ways[way];
          const requests = totals.map((total) => String(total.requests));
          return [name, ...requests, amount(idle.bytes), amount(whole)];
        }),
    );
  }
  const file = process.argv[3];
  if (file !== undefined) {
    const title = "Bytes one reader downloads in 30 days";
    writeFileSync(file, plotOf(panels, { names: NAMES, intervals: INTERVALS, title }));
  }
}

if (isMainThread) await compare();
else parentPort.postMessage(await MEASUREMENTS[workerData.name](workerData.scenario));
