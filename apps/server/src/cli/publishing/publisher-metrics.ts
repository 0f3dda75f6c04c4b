import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";
import { KEPT_REASONS, type KeptReason } from "./intended-outcomes.ts";

/** The state of a source that is a URL. */
export interface SourceState {
  readonly list: string;
  /** The URL without credentials and without the values in its query. */
  readonly source: string;
  readonly failed: boolean;
  /** When the server last confirmed that the copy is current, in milliseconds since 1970. */
  readonly checked: number;
}

/**
 * Merges the states of a list's sources that have the same printed URL, because they differ only in the values in their
 * queries. The worst value of each field counts. Otherwise, two samples would have the same labels, and the node
 * exporter of Prometheus would refuse the whole file.
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

/** The state of a list, for the metrics. */
export interface ListState {
  /** Why publishing kept an older version, or `null` if nothing was refused or held back. */
  readonly kept: KeptReason | null;
  /** The newest version, or `null` if it is not known. */
  readonly manifest: Manifest | null;
  /** How long the last attempt took, in seconds, or `null` before the first one has ended. */
  readonly seconds: number | null;
  /** When publishing last ended in an intended state, in milliseconds since 1970, or `null` if it never did. */
  readonly succeeded: number | null;
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** Writes a file for the textfile collector of Prometheus's node exporter. Readers never see an incomplete file. */
export async function writeMetrics(
  file: string,
  lists: ReadonlyMap<string, ListState>,
  sources: readonly SourceState[],
  now: () => number = Date.now,
): Promise<void> {
  // Loaded only when it is needed, so that other commands start fast.
  const { Registry } = await import("prom-client");
  const { gaugeOf, listGaugeOf } = await import("../../serve/pages/prometheus.ts");
  const register = new Registry();
  gaugeOf(
    {
      register,
      name: "urlhash_publish_kept",
      help: "1 for the reason why publishing keeps an older version of a list than its sources have",
      labelNames: ["list", "reason"],
    },
    function* () {
      for (const [list, { kept }] of lists) {
        for (const reason of KEPT_REASONS) yield [{ list, reason }, Number(kept === reason)];
      }
    },
  );
  const ofList = (
    name: string,
    help: string,
    numberOf: (state: ListState) => number | null | undefined,
  ) => listGaugeOf({ register, name, help }, () => lists, numberOf);
  ofList(
    "urlhash_publish_version",
    "Newest version of the list",
    ({ manifest }) => manifest?.version,
  );
  ofList(
    "urlhash_publish_entries",
    "Entries in that version",
    ({ manifest }) => manifest?.contents.fullHashes,
  );
  ofList(
    "urlhash_publish_duration_seconds",
    "How long the last attempt to publish the list took",
    ({ seconds }) => seconds,
  );
  ofList(
    "urlhash_publish_last_success_timestamp_seconds",
    "When the list last matched its sources, or was kept back on purpose",
    ({ succeeded }) => succeeded && inSeconds(succeeded),
  );
  const ofSource = (name: string, help: string, numberOf: (state: SourceState) => number) =>
    gaugeOf({ register, name, help, labelNames: ["list", "source"] }, () =>
      mergeShownAlike(sources).map((each) => [
        { list: each.list, source: each.source },
        numberOf(each),
      ]),
    );
  ofSource(
    "urlhash_publish_source_failed",
    "1 for a source whose last good copy is used, because it could not be fetched or was not good",
    ({ failed }) => Number(failed),
  );
  ofSource(
    "urlhash_publish_source_checked_timestamp_seconds",
    "When the last good copy of a source was last known to be its newest version",
    ({ checked }) => inSeconds(checked),
  );
  gaugeOf(
    {
      register,
      name: "urlhash_publish_last_run_timestamp_seconds",
      help: "When publishing was last tried",
    },
    () => [[{}, inSeconds(now())]],
  );
  const text = await register.metrics();
  await changeFile(file, async () => text);
}
