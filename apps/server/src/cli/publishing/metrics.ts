import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";

/* The files for the textfile collector of Prometheus's node exporter. */

/** Why publishing kept an older version of a list. */
const KEPT_REASONS = ["source", "removals", "rollback", "withdrawal", "failure"] as const;
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
  /** How many entries are still in a source, but have ended, or `null` if it is not known. */
  readonly ended: number | null;
  /** How long the last attempt took, in seconds, or `null` before the first one has ended. */
  readonly seconds: number | null;
  /** When publishing last ended in an intended state, in milliseconds since 1970, or `null` if it never did. */
  readonly succeeded: number | null;
}

/** The state of a list after another attempt to publish it. */
export function stateAfter(
  { kept, manifest, ended }: Pick<ListState, "kept" | "manifest"> & { readonly ended?: number },
  seconds: number | null,
  before?: ListState,
): ListState {
  return {
    kept,
    seconds: seconds ?? before?.seconds ?? null,
    manifest: manifest ?? before?.manifest ?? null,
    ended: ended ?? before?.ended ?? null,
    succeeded: isIntended(kept) ? Date.now() : (before?.succeeded ?? null),
  };
}

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** A gauge: its name, its help, and a number for each item that has one. */
type GaugeOf<Item> = readonly [
  name: string,
  help: string,
  numberOf: (item: Item) => number | null | undefined,
];

/** Items that have the same gauges, with their labels. */
type Labelled<Item> = readonly (readonly [labels: Readonly<Record<string, string>>, item: Item])[];

/** Writes a file of gauges. Readers never see an incomplete file. */
async function writeGauges(
  file: string,
  describe: (add: <Item>(items: Labelled<Item>, gauges: readonly GaugeOf<Item>[]) => void) => void,
): Promise<void> {
  // Loaded only when it is needed, so that other commands start fast.
  const { Gauge, Registry } = await import("prom-client");
  const register = new Registry();
  describe((items, gauges) => {
    // A gauge without labels would have the number 0.
    if (items.length === 0) return;
    const labelNames = Object.keys(items[0]![0]);
    for (const [name, help, numberOf] of gauges) {
      const gauge = new Gauge({ name, help, labelNames, registers: [register] });
      for (const [labels, item] of items) {
        const number = numberOf(item);
        if (typeof number === "number") gauge.set(labels, number);
      }
    }
  });
  const text = await register.metrics();
  await changeFile(file, async () => text);
}

const byList = <Item>(items: ReadonlyMap<string, Item>): Labelled<Item> =>
  [...items].map(([list, item]) => [{ list }, item]);

const OF_LIST: readonly GaugeOf<ListState>[] = [
  ["urlhash_publish_version", "Newest version of the list", ({ manifest }) => manifest?.version],
  [
    "urlhash_publish_entries",
    "Entries in that version",
    ({ manifest }) => manifest?.contents.fullHashes,
  ],
  [
    "urlhash_publish_ended_entries",
    "Entries that are still in a source, but have ended (expire-after)",
    ({ ended }) => ended,
  ],
  [
    "urlhash_publish_duration_seconds",
    "How long the last attempt to publish the list took",
    ({ seconds }) => seconds,
  ],
  [
    "urlhash_publish_last_success_timestamp_seconds",
    "When the list last matched its sources, or was kept back on purpose",
    ({ succeeded }) => succeeded && inSeconds(succeeded),
  ],
];

const OF_SOURCE: readonly GaugeOf<SourceState>[] = [
  [
    "urlhash_publish_source_failed",
    "1 for a source whose last good copy is used, because it could not be fetched or was not good",
    ({ failed }) => Number(failed),
  ],
  [
    "urlhash_publish_source_checked_timestamp_seconds",
    "When the last good copy of a source was last known to be its newest version",
    ({ checked }) => inSeconds(checked),
  ],
];

/** Writes the state of each list and source after a run of `publish`. */
export async function writeMetrics(
  file: string,
  lists: ReadonlyMap<string, ListState>,
  sources: readonly SourceState[],
): Promise<void> {
  const why =
    "1 for the reason why publishing keeps an older version of a list than its sources have";
  const reasons = [...lists].flatMap(([list, { kept }]) =>
    KEPT_REASONS.map((reason) => [{ list, reason }, kept === reason] as const),
  );
  const labelled = mergeShownAlike(sources).map(
    (each) => [{ list: each.list, source: each.source }, each] as const,
  );
  await writeGauges(file, (add) => {
    add(reasons, [["urlhash_publish_kept", why, Number]]);
    add(byList(lists), OF_LIST);
    add(labelled, OF_SOURCE);
    const run = "urlhash_publish_last_run_timestamp_seconds";
    add([[{}, Date.now()]], [[run, "When publishing was last tried", inSeconds]]);
  });
}

const OF_COPY: readonly GaugeOf<Manifest>[] = [
  ["urlhash_copy_version", "Version of the list in the copy", ({ version }) => version],
  [
    "urlhash_copy_issued_timestamp_seconds",
    "When that version was signed",
    ({ issued }) => inSeconds(issued),
  ],
  [
    "urlhash_copy_expiration_timestamp_seconds",
    "When that version expires",
    ({ expires }) => inSeconds(expires),
  ],
];

/** Writes the state of a copy after a run of `copy`. */
export async function writeCopyMetrics(
  file: string,
  problems: number,
  copied: ReadonlyMap<string, Manifest>,
): Promise<void> {
  await writeGauges(file, (add) => {
    add(
      [[{}, problems]],
      [["urlhash_copy_problems", "Problems when the lists were last copied", Number]],
    );
    const run = "urlhash_copy_last_run_timestamp_seconds";
    add([[{}, Date.now()]], [[run, "When the lists were last copied", inSeconds]]);
    add(byList(copied), OF_COPY);
  });
}
