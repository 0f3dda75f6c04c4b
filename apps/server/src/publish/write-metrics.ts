import { Gauge, Registry } from "prom-client";
import { replaceFile } from "../store/replace-file.ts";

/** Why publishing kept an older version of a list. */
export const KEPT_REASONS = ["source", "removals", "rollback", "other-list", "failure"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

/** Writes a file for the textfile collector of Prometheus's node exporter. Readers never see half of it. */
export async function writeMetrics(
  file: string,
  kept: ReadonlyMap<string, KeptReason | null>,
  now: () => number = Date.now,
): Promise<void> {
  const collected = new Registry();
  const registers = [collected];
  const gauge = new Gauge({
    name: "urlhash_publish_kept",
    help: "1 for the reason why publishing keeps an older version of a list than its sources have",
    labelNames: ["list", "reason"],
    registers,
  });
  for (const [list, why] of kept) {
    for (const reason of KEPT_REASONS) gauge.set({ list, reason }, why === reason ? 1 : 0);
  }
  new Gauge({
    name: "urlhash_publish_last_run_timestamp_seconds",
    help: "When publishing was last tried",
    registers,
  }).set(Math.floor(now() / 1000));
  await replaceFile(file, () => collected.metrics());
}
