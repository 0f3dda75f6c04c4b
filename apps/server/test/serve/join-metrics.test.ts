import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { joinMetrics, metricsText } from "../../src/serve/pages/prometheus.ts";

/** The metrics of a process that has answered requests with these times in seconds. */
async function metricsOf(version: number, ...times: number[]) {
  const register = new Registry();
  const registers = [register];
  const requests = new Counter({ name: "requests", help: "-", labelNames: ["status"], registers });
  const seconds = new Histogram({ name: "seconds", help: "-", buckets: [1, 10], registers });
  new Gauge({ name: "version", help: "-", labelNames: ["list"], registers }).set(
    { list: "a" },
    version,
  );
  for (const time of times) {
    requests.inc({ status: time > 1 ? "503" : "200" });
    seconds.observe(time);
  }
  return register.getMetricsAsJSON();
}

const linesOf = (text: string) =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("counters and histograms are added up, and gauges have the number of their process", async () => {
  const joined = joinMetrics([
    { process: 1, metrics: await metricsOf(7, 0.5, 5) },
    { process: 2, metrics: await metricsOf(8, 0.25) },
  ]);
  expect(linesOf(await metricsText(joined)).sort()).toEqual([
    'requests{status="200"} 2',
    'requests{status="503"} 1',
    'seconds_bucket{le="+Inf"} 3',
    'seconds_bucket{le="1"} 2',
    'seconds_bucket{le="10"} 3',
    "seconds_count 3",
    "seconds_sum 5.75",
    'version{list="a",process="1"} 7',
    'version{list="a",process="2"} 8',
  ]);
});

test("of processes that have ended, everything but gauges is kept, however often it is joined", async () => {
  let ended = joinMetrics([]);
  for (const time of [0.5, 5, 50]) {
    ended = joinMetrics(
      [ended, await metricsOf(7, time)].map((metrics) => ({ process: null, metrics })),
    );
  }
  expect(linesOf(await metricsText(ended)).sort()).toEqual([
    'requests{status="200"} 1',
    'requests{status="503"} 2',
    'seconds_bucket{le="+Inf"} 3',
    'seconds_bucket{le="1"} 1',
    'seconds_bucket{le="10"} 2',
    "seconds_count 3",
    "seconds_sum 55.5",
  ]);
});
