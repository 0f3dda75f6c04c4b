// What the log and the metrics of one request take, compared with pino and prom-client: npm run bench:counting
import { ok } from "node:assert/strict";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { pino } from "pino";
import { Counter, Histogram, Registry } from "prom-client";
import { createLog } from "../dist/serve/log.js";
import { counter, latencyHistogram } from "../dist/serve/pages/prometheus.js";

const REQUESTS = 200_000;
const ROUNDS = 7;

const route = "v5.hashes.search";
const labelNames = ["route", "status"];
const buckets = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const registers = [new Registry()];
const theirCounter = new Counter({ name: "requests", help: "Help", labelNames, registers });
const theirHistogram = new Histogram({
  ...{ name: "seconds", help: "Help", labelNames: ["route"], buckets, registers },
});
const ourCounter = counter("requests", "Help", labelNames);
const ourHistogram = latencyHistogram("seconds", "Help");

let [ourLine, theirLine] = ["", ""];
const timestamp = () => `,"time":"${new Date().toISOString()}"`;
const theirLog = pino(
  { base: null, timestamp },
  {
    write(line) {
      theirLine = line;
    },
  },
);
const ourLog = createLog({
  write(line) {
    ourLine = line;
  },
});
const facts = { asked: 1, found: 0 };
const reply = { route, status: 200, facts: '"asked":1,"found":0' };

const CANDIDATES = {
  "pino, a line": () =>
    theirLog.info({ method: "GET", route, status: 200, bytes: 5, ms: 0.12, ...facts }, "request"),
  "our log, a line": () => ourLog.request(reply, "GET", 5, 0.12),
  "prom-client, a count and a time": () => {
    theirCounter.inc({ route, status: 200 });
    theirHistogram.observe({ route }, 0.000_12);
  },
  "our metrics, a count and a time": () => {
    ourCounter.add([route, 200]);
    ourHistogram.add(route, 0.000_12);
  },
};

const best = new Map();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(CANDIDATES)) {
    const start = performance.now();
    for (let i = 0; i < REQUESTS; i++) run();
    const nanoseconds = ((performance.now() - start) * 1e6) / REQUESTS;
    best.set(name, Math.min(nanoseconds, best.get(name) ?? Infinity));
  }
}
const withoutTime = (line) => line.replace(/"time":"[^"]*"/, "");
ok(withoutTime(ourLine) === withoutTime(theirLine));
ok((await registers[0].metrics()).includes(ourCounter.text()));

printMachine();
printTable(
  ["candidate", "ns"],
  [...best].map(([name, nanoseconds]) => [name, nanoseconds.toFixed(0)]),
);
