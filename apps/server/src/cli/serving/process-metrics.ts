import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { ownVersion } from "../version.ts";

/** Registers metrics of the process and its event loop, and starts to collect them. */
export function processMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  // The names of these gauges end in `_total`, although only counters should have such names. Other gauges, such as
  // `nodejs_active_handles`, have the same numbers by type.
  for (const what of ["handles", "requests", "resources"]) {
    register.removeSingleMetric(`nodejs_active_${what}_total`);
  }
  const build = new Gauge({
    name: "urlhash_build_info",
    help: "1, with the versions of urlhash-server and of Node.js",
    labelNames: ["version", "node_version"],
    registers: [register],
  });
  build.set({ version: ownVersion(), node_version: process.versions.node }, 1);
}
