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
  const text = [
    "# TYPE urlhash_publish_kept gauge",
    "# HELP urlhash_publish_kept 1 for the reason why publishing keeps an older version of a list than its sources have",
  ];
  for (const [list, why] of kept) {
    for (const reason of KEPT_REASONS) {
      const value = why === reason ? 1 : 0;
      text.push(`urlhash_publish_kept{list="${list}",reason="${reason}"} ${value}`);
    }
  }
  text.push(
    "# TYPE urlhash_publish_last_run_timestamp_seconds gauge",
    "# HELP urlhash_publish_last_run_timestamp_seconds When publishing was last tried",
    `urlhash_publish_last_run_timestamp_seconds ${Math.floor(now() / 1000)}`,
  );
  await replaceFile(file, async () => `${text.join("\n")}\n`);
}
