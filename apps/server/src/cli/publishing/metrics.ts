import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";

/* The files for the textfile collector of Prometheus's node exporter. */

/** Why publishing kept an older version of a list. */
const KEPT_REASONS = [...(["source", "removals", "rollback", "withdrawal", "failure"] as const)];
export type KeptReason = (typeof KEPT_REASONS)[number];

/** Whether the operator wants the list in this state, because it is current, rolled back or withdrawn. */
export const isIntended = (reason: KeptReason | null): boolean =>
  reason === null || reason === "rollback" || reason === "withdrawal";

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

/** The state of a list after another attempt to publish it. */
export function stateAfter(
  { kept, manifest }: Pick<ListState, "kept" | "manifest">,
  seconds: number | null,
  before?: ListState,
): ListState {
  return {
    kept,
    seconds: seconds ?? before?.seconds ?? null,
    manifest: manifest ?? before?.manifest ?? null,
    succeeded: isIntended(kept) ? Date.now() : (before?.succeeded ?? null),
  };
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

type Labels = Readonly<Record<string, string>>;

/** Adds a gauge, with a number for each item that has one. */
type AddGauge = <Item>(
  name: string,
  help: string,
  items: Iterable<readonly [labels: Labels, item: Item]>,
  numberOf: (item: Item) => number | null | undefined,
) => void;

/** Writes a file of gauges. Readers never see an incomplete file. */
async function writeGauges(file: string, describe: (add: AddGauge) => void): Promise<void> {
  // Loaded only when it is needed, so that other commands start fast.
  const { Gauge, Registry } = await import("prom-client");
  const register = new Registry();
  describe((name, help, items, numberOf) => {
    const samples = [...items];
    // A gauge without labels would have the number 0.
    if (samples.length === 0) return;
    const labelNames = [...new Set(samples.flatMap(([labels]) => Object.keys(labels)))];
    const gauge = new Gauge({ name, help, labelNames, registers: [register] });
    for (const [labels, item] of samples) {
      const number = numberOf(item);
      if (typeof number === "number") gauge.set(labels, number);
    }
  });
  const text = await register.metrics();
  await changeFile(file, async () => text);
}

const byList = <Item>(items: ReadonlyMap<string, Item>) =>
  [...items].map(([list, item]) => [{ list }, item] as const);

/** Writes the state of each list and source after a run of `publish`. */
export async function writeMetrics(
  file: string,
  lists: ReadonlyMap<string, ListState>,
  sources: readonly SourceState[],
  now: () => number = Date.now,
): Promise<void> {
  const reasons = [...lists].flatMap(([list, { kept }]) =>
    KEPT_REASONS.map((reason) => [{ list, reason }, Number(kept === reason)] as const),
  );
  const merged = mergeShownAlike(sources).map(
    (each) => [{ list: each.list, source: each.source }, each] as const,
  );
  await writeGauges(file, (gauge) => {
    gauge(
      "urlhash_publish_kept",
      "1 for the reason why publishing keeps an older version of a list than its sources have",
      reasons,
      (number) => number,
    );
    const ofList = (
      name: string,
      help: string,
      numberOf: (state: ListState) => number | null | undefined,
    ) => gauge(`urlhash_publish_${name}`, help, byList(lists), numberOf);
    ofList("version", "Newest version of the list", ({ manifest }) => manifest?.version);
    ofList("entries", "Entries in that version", ({ manifest }) => manifest?.contents.fullHashes);
    ofList(
      "duration_seconds",
      "How long the last attempt to publish the list took",
      ({ seconds }) => seconds,
    );
    ofList(
      "last_success_timestamp_seconds",
      "When the list last matched its sources, or was kept back on purpose",
      ({ succeeded }) => succeeded && inSeconds(succeeded),
    );
    gauge(
      "urlhash_publish_source_failed",
      "1 for a source whose last good copy is used, because it could not be fetched or was not good",
      merged,
      ({ failed }) => Number(failed),
    );
    gauge(
      "urlhash_publish_source_checked_timestamp_seconds",
      "When the last good copy of a source was last known to be its newest version",
      merged,
      ({ checked }) => inSeconds(checked),
    );
    gauge(
      "urlhash_publish_last_run_timestamp_seconds",
      "When publishing was last tried",
      [[{}, now()]],
      inSeconds,
    );
  });
}

/** Writes the state of a copy after a run of `copy`. */
export async function writeCopyMetrics(
  file: string,
  problems: number,
  copied: ReadonlyMap<string, Manifest>,
  now: () => number = Date.now,
): Promise<void> {
  const lists = byList(copied);
  await writeGauges(file, (gauge) => {
    gauge(
      "urlhash_copy_problems",
      "Problems when the lists were last copied",
      [[{}, problems]],
      (number) => number,
    );
    gauge(
      "urlhash_copy_last_run_timestamp_seconds",
      "When the lists were last copied",
      [[{}, now()]],
      inSeconds,
    );
    gauge("urlhash_copy_version", "Version of the list in the copy", lists, (m) => m.version);
    gauge("urlhash_copy_issued_timestamp_seconds", "When that version was signed", lists, (m) =>
      inSeconds(m.issued),
    );
    gauge("urlhash_copy_expiration_timestamp_seconds", "When that version expires", lists, (m) =>
      inSeconds(m.expires),
    );
  });
}
