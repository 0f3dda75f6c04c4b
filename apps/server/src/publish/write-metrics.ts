import { changeFile } from "@x/command-line/node";

/** Why publishing kept an older version of a list. */
export const KEPT_REASONS = [
  ...(["source", "removals", "rollback", "withdrawal", "other-list", "failure"] as const),
];
export type KeptReason = (typeof KEPT_REASONS)[number];

/** Whether a list is as the operator wants it. */
export const isIntended = (reason: KeptReason | null): boolean =>
  reason === null || reason === "rollback" || reason === "withdrawal";

/** The state of a source that is named by its URL. */
export interface SourceState {
  readonly list: string;
  /** The URL, as it may be printed. */
  readonly source: string;
  readonly failed: boolean;
  /** When the server last said that the last good copy is its newest version, in milliseconds since 1970. */
  readonly checked: number;
}

const escaped = (text: string) => text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n");

/**
 * Merges the states of all sources of a list that are shown alike, such as URLs that differ only in the values of their
 * queries. The worst value of each fact counts. Prometheus's node exporter refuses a whole file if two samples have the
 * same labels.
 */
function mergeShownAlike(sources: readonly SourceState[]): SourceState[] {
  const merged = new Map<string, SourceState>();
  for (const each of sources) {
    const key = `${each.list} ${each.source}`;
    const { failed, checked } = merged.get(key) ?? each;
    merged.set(key, {
      ...each,
      failed: failed || each.failed,
      checked: Math.min(checked, each.checked),
    });
  }
  return [...merged.values()];
}

function sourceMetrics(given: readonly SourceState[]): string[] {
  if (given.length === 0) return [];
  const sources = mergeShownAlike(given);
  const labels = ({ list, source }: SourceState) => `{list="${list}",source="${escaped(source)}"}`;
  return [
    "# TYPE urlhash_publish_source_failed gauge",
    "# HELP urlhash_publish_source_failed 1 for a source whose last good copy is used, because it could not be fetched or was not good",
    ...sources.map((each) => `urlhash_publish_source_failed${labels(each)} ${Number(each.failed)}`),
    "# TYPE urlhash_publish_source_checked_timestamp_seconds gauge",
    "# HELP urlhash_publish_source_checked_timestamp_seconds When the last good copy of a source was last known to be its newest version",
    ...sources.map(
      (each) =>
        `urlhash_publish_source_checked_timestamp_seconds${labels(each)} ${Math.floor(each.checked / 1000)}`,
    ),
  ];
}

/** Writes a file for the textfile collector of Prometheus's node exporter. Readers never see an incomplete file. */
export async function writeMetrics(
  file: string,
  kept: ReadonlyMap<string, KeptReason | null>,
  sources: readonly SourceState[],
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
    ...sourceMetrics(sources),
    "# TYPE urlhash_publish_last_run_timestamp_seconds gauge",
    "# HELP urlhash_publish_last_run_timestamp_seconds When publishing was last tried",
    `urlhash_publish_last_run_timestamp_seconds ${Math.floor(now() / 1000)}`,
  );
  await changeFile(file, async () => `${text.join("\n")}\n`);
}
