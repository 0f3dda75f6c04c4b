import fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createDnsMetrics } from "../../src/dns/metrics.ts";
import { histogramOf } from "../../src/serve/pages/prometheus.ts";

test("a histogram has the text of prom-client's", async () => {
  const bounds = [0.001, 0.5, 1, 2.5];
  const number = fc.oneof(
    fc.constantFrom(...bounds, 0),
    fc.double({ min: 0, max: 4, noNaN: true }),
  );
  const samples = fc.array(fc.tuple(fc.constantFrom("a:53", "[::1]:53", 'b"\\\n'), number));
  const described = { name: "seconds", help: "Time" };
  await fc.assert(
    fc.asyncProperty(samples, async (all) => {
      const own = new Registry();
      const observe = histogramOf(
        { ...described, register: own, labelNames: ["resolver"] },
        bounds,
      );
      const other = new Registry();
      const histogram = new Histogram({
        ...{ ...described, labelNames: ["resolver"], registers: [other], buckets: bounds },
      });
      for (const [resolver, seconds] of all) {
        observe(resolver, seconds);
        histogram.observe({ resolver }, seconds);
      }
      expect(await own.metrics()).toBe(await other.metrics());
    }),
    { seed: 20261129 },
  );
});

test("the time of the last good reload stays when settings cannot be read", async () => {
  const metrics = createDnsMetrics({ states: () => [], waiting: () => 0, more: () => {} });
  const reloads = async () => (await metrics.text()).match(/^urlhash_config_last_reload.*$/gm)!;
  const [isSuccessful, time] = await reloads();
  expect(isSuccessful).toBe("urlhash_config_last_reload_successful 1");
  expect(time).toMatch(/^urlhash_config_last_reload_success_timestamp_seconds \d+(?:\.\d+)?$/);
  metrics.onReload(false);
  expect(await reloads()).toEqual(["urlhash_config_last_reload_successful 0", time]);
});
