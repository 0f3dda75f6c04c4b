/*
 * Computes what a fleet of clients costs in four weeks, with a version every five minutes:
 * `npx pnpm --filter @x/server bench:fleet`.
 * Usage: fleet.js [full] [file for the plot]
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import process from "node:process";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { ask, startedServer } from "./fleet/connections.js";
import { between, measureList } from "./fleet/measured-list.js";
import { plotOf } from "./fleet/plot.js";
import { costsOf, simulateFleet } from "./fleet/simulate.js";

const isWhole = process.argv[2] === "full";
const plotFile = process.argv[isWhole ? 3 : 2];

const DAY = 24 * 60 * 60;
const FLEET = {
  clients: isWhole ? 1_000_000 : 100_000,
  days: 28,
  // Two weeks come before the measured days, so that some clients have been away for longer than the window.
  warmUp: 14,
  /** The share of the clients that are new in the measured days. */
  growth: 0.1,
  /**
   * The wait between updates of a client, the time that answers may be cached, and the time between versions, in
   * seconds.
   */
  ...{ wait: 1800, maxAge: 300, interval: 300 },
};
const VERSIONS = ((FLEET.warmUp + FLEET.days) * DAY) / FLEET.interval;
const SIZES = isWhole ? [100_000, 1_000_000, 10_000_000] : [100_000, 1_000_000];
const WINDOWS = [10, 200, 2000];
/** The share of a list that is replaced in a day. */
const REPLACED = 0.01;
/** How many versions the measured clients are behind: from five minutes to six weeks. */
const AGES = [1, 6, 48, 200, 864, 2000, VERSIONS];
/** An additional age, at which the interpolation between the other ages is checked. */
const OTHER_AGE = 400;
/** The number of caches: none, one, or 20 that do not ask each other. */
const PLACES = [0, 1, 20];
const CONNECTIONS = 1000;
/** Whole lists are requested on fewer connections, so that each answer ends as soon as on a fast network. */
const READERS = 16;
/** The best of this many rounds counts. The first round also warms the server up. */
const ROUNDS = 4;
const SECONDS = isWhole ? 2 : 0.5;
/** The highest acceptable use of a processor and of a network line at the busiest time. */
const BUSY = 0.7;
const GIGABIT = 125e6;
/** How many URLs a client checks in a day and how many expressions a URL has on average. */
const URLS = 100;
const EXPRESSIONS = 6.3;

const share = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;
const count = (number) => Math.round(number).toLocaleString("en").replaceAll(",", " ");
const significant = (number) => Number(number.toPrecision(3));
function amount(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${significant(bytes / 1000 ** power)} ${units[power]}`;
}
const microseconds = (seconds) => `${significant(seconds * 1e6)} µs`;
const milliseconds = (seconds) => `${significant(seconds * 1e3)} ms`;

/** Measures a list and the cost of its answers over real connections. */
async function measured(size) {
  const ages = [...AGES, OTHER_AGE].sort((a, b) => a - b);
  const list = await measureList({ size, share: (REPLACED * FLEET.interval) / DAY, ages });
  const server = await startedServer(list.store.store);
  const asked = async (name, connections) => {
    const answer = list.answers.get(name);
    let best = null;
    for (let round = 0; round < ROUNDS; round++) {
      const result = await ask(server, [answer], { connections, seconds: SECONDS });
      if (best === null || result.processor < best.processor) best = result;
    }
    return { ...best, head: best.bytes - answer.body.length };
  };
  const [none, partial, full] = [
    await asked("none", CONNECTIONS),
    await asked(6, CONNECTIONS),
    await asked("new", READERS),
  ];
  await server.stop();
  const sizeOf = (name) => list.answers.get(name).body.length;
  const wire = { none: none.bytes, full: full.bytes };
  const partialBytes = between(AGES.map((age) => [age, sizeOf(age) + partial.head]));
  const perByte = (full.processor - none.processor) / (full.bytes - none.bytes);
  return {
    ...{ size, list, calls: { none, partial, full } },
    costs: {
      ...wire,
      partial: partialBytes,
      processor: (bytes) => none.processor + perByte * (bytes - wire.none),
    },
    error: partialBytes(OTHER_AGE) / (sizeOf(OTHER_AGE) + partial.head) - 1,
  };
}

/** Sends about the same mix of requests as the simulated clients over real connections. */
async function askMixed({ list }, { full, requests }) {
  const server = await startedServer(list.store.store);
  const fulls = Math.max(1, Math.round((1000 * full) / requests));
  const targets = Array.from({ length: 1000 }, (_, i) =>
    list.answers.get((i * fulls) % 1000 < fulls ? "new" : 6),
  );
  let best = null;
  for (let round = 0; round < ROUNDS; round++) {
    const result = await ask(server, targets, { connections: CONNECTIONS, seconds: SECONDS });
    if (best === null || result.processor < best.processor) best = result;
  }
  await server.stop();
  return best;
}

const lists = [];
for (const size of SIZES) lists.push(await measured(size));
const scenarios = lists.flatMap((list) =>
  WINDOWS.map((window) => ({ list, window, costs: costsOf(list.costs, window, VERSIONS) })),
);
const start = performance.now();
const [direct, ...cached] = simulateFleet(FLEET, PLACES, scenarios);
const simulated = (performance.now() - start) / 1000;
const mixes = [];
for (const list of lists) {
  const i = scenarios.findIndex((each) => each.list === list && each.window === 200);
  mixes.push(await askMixed(list, direct[i]));
}
for (const { list } of lists) list.store.remove();

printMachine();
console.log(`Load average of the last minute, with this: ${loadavg()[0].toFixed(1)}\n`);
const { requests, peak } = direct[0];
console.log(
  `${count(FLEET.clients)} clients, ${FLEET.days} days: ${count(requests)} requests for updates, ${count(requests / FLEET.days / DAY)} a second, ${count(peak.requests)} at the busiest time. Simulated in ${simulated.toFixed(0)} s.\n`,
);

const millions = (size) => `${count(size)}`;
const seconds = FLEET.days * DAY;
/** The processor time for making differences and whole updates, in seconds per second. */
const makingOf = ({ list: { list } }, sum) => {
  const made = (sum.made / seconds) * list.answers.get(200).made;
  return made + list.answers.get("new").made / FLEET.interval;
};
const carried = (sum) => {
  const byProcessor = (FLEET.clients * BUSY) / sum.peak.processor;
  const byLine = (FLEET.clients * BUSY * GIGABIT) / sum.peak.originBytes;
  const [clients, limit] = byLine < byProcessor ? [byLine, "line"] : [byProcessor, "processor"];
  return `${count(significant(clients))} (${limit})`;
};

printTable(
  [
    "list",
    "window",
    "full updates",
    "their bytes",
    "a client, a month",
    "all, a month",
    "at the busiest time",
    "processors then",
    "one server carries",
  ],
  scenarios.map(({ list, window }, i) => {
    const sum = direct[i];
    return [
      millions(list.size),
      count(window),
      share(sum.full, sum.requests),
      share(sum.fullBytes, sum.bytes),
      amount(sum.bytes / FLEET.clients),
      amount(sum.bytes),
      `${amount(sum.peak.bytes)}/s`,
      String(Number(sum.peak.processor.toPrecision(2))),
      carried(sum),
    ];
  }),
);
for (const [p, sums] of cached.entries()) {
  const places = PLACES[p + 1];
  printTable(
    [
      places === 1 ? "one cache: list" : `caches in ${places} places: list`,
      "window",
      "requests it answers",
      "bytes it sends",
      "left a second",
      "left a month",
      "at the busiest time",
      "one server carries",
    ],
    scenarios.map(({ list, window }, i) => {
      const sum = sums[i];
      return [
        millions(list.size),
        count(window),
        share(sum.hits, sum.requests),
        share(sum.bytes - sum.originBytes, sum.bytes),
        String(significant(sum.originRequests / seconds)),
        amount(sum.originBytes),
        `${amount(sum.peak.originBytes)}/s`,
        carried(sum),
      ];
    }),
  );
}
printTable(
  ["list", "nothing new", ...AGES.map((age) => `${age} behind`), "whole", "error between"],
  lists.map(({ size, list, costs, error }) => [
    millions(size),
    amount(costs.none),
    ...AGES.map((age) => amount(list.answers.get(age).body.length)),
    amount(costs.full),
    `${(100 * error).toFixed(1)} %`,
  ]),
);
printTable(
  [
    `${CONNECTIONS} connections: list`,
    "nothing new",
    "a second",
    "6 behind",
    "a second",
    "whole",
    "a second",
  ],
  lists.map(({ size, calls: { none, partial, full } }) => [
    millions(size),
    ...[none, partial, full].flatMap(({ processor, rate }) => [
      microseconds(processor),
      count(rate),
    ]),
  ]),
);
printTable(
  ["mixed: list", "bytes", "processor"],
  lists.map(({ size }, i) => [
    millions(size),
    amount(mixes[i].bytes),
    microseconds(mixes[i].processor),
  ]),
);
printTable(
  [
    "a version: list",
    "entries changed",
    "publishing",
    "processor",
    "files",
    "bytes",
    "a month",
    "loading",
    "whole update",
    "a difference",
    "differences a version",
    "processors for all",
  ],
  lists.map((measuredList, k) => {
    const { size, list } = measuredList;
    const { publishing, loading, answers } = list;
    const i = k * WINDOWS.length + 1;
    const versions = seconds / FLEET.interval;
    return [
      millions(size),
      count(publishing.changed),
      `${publishing.seconds.toFixed(1)} s`,
      `${publishing.processor.toFixed(1)} s`,
      count(publishing.files),
      amount(publishing.bytes),
      amount(publishing.bytes * versions),
      milliseconds(loading.seconds),
      milliseconds(answers.get("new").made),
      milliseconds(answers.get(200).made),
      count(direct[i].made / versions),
      makingOf(scenarios[i], direct[i]).toPrecision(2),
    ];
  }),
);
printTable(
  ["searches: list", "a client, a day", "all, a second"],
  lists.map(({ size }) => {
    const searches = (URLS * EXPRESSIONS * size) / 2 ** 32;
    return [
      millions(size),
      searches.toPrecision(2),
      ((searches * FLEET.clients) / DAY).toPrecision(2),
    ];
  }),
);

if (plotFile !== undefined) {
  const rows = scenarios.map(({ list, window }, i) => ({
    ...{ size: list.size, window },
    direct: direct[i].bytes,
    full: direct[i].fullBytes,
    cached: cached.map((sums) => sums[i].originBytes),
  }));
  const week = (sums) => sums[1].hourly.slice(7 * 24, 14 * 24);
  const series = { direct: week(direct), cached: cached.map(week) };
  writeFileSync(
    plotFile,
    plotOf({ rows, series, places: PLACES.slice(1), clients: FLEET.clients }),
  );
}
