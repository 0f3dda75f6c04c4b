import {
  Counter,
  Gauge,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";

export const PROMETHEUS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** A number with its labels. */
type Sample = readonly [labels: Readonly<Record<string, string>>, number: number];

interface Described {
  readonly register: Registry;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Registers a gauge whose numbers are kept elsewhere, and taken when the metrics are read. */
export function gaugeOf(
  { register, labelNames = [], ...described }: Described,
  samples: () => Iterable<Sample>,
): void {
  new Gauge({
    ...{ ...described, labelNames: [...labelNames], registers: [register] },
    collect() {
      this.reset();
      for (const [labels, number] of samples()) this.set(labels, number);
    },
  });
}

/** Registers a counter whose numbers are counted elsewhere, and taken when the metrics are read. */
export function counterOf(
  { register, labelNames = [], ...described }: Described,
  samples: () => Iterable<Sample>,
): void {
  new Counter({
    ...{ ...described, labelNames: [...labelNames], registers: [register] },
    collect() {
      this.reset();
      for (const [labels, number] of samples()) this.inc(labels, number);
    },
  });
}

/** Registers a gauge with a number for each item that has one, labelled by the item's list. */
export function listGaugeOf<Item>(
  described: Pick<Described, "register" | "name" | "help">,
  items: () => Iterable<readonly [list: string, item: Item]>,
  numberOf: (item: Item) => number | null | undefined,
): void {
  gaugeOf({ ...described, labelNames: ["list"] }, function* () {
    for (const [list, item] of items()) {
      const number = numberOf(item);
      if (typeof number === "number") yield [{ list }, number];
    }
  });
}

/** Registers two gauges about settings that are read again. Returns a function to call after each attempt. */
export function reloadGauges(register: Registry): (isSuccessful: boolean) => void {
  let isReloaded = true;
  let reloaded = Date.now();
  gaugeOf(
    {
      register,
      name: "urlhash_config_last_reload_successful",
      help: "1 if the settings and files could be read at the last attempt",
    },
    () => [[{}, isReloaded ? 1 : 0]],
  );
  gaugeOf(
    {
      register,
      name: "urlhash_config_last_reload_success_timestamp_seconds",
      help: "When the settings and files were last read successfully",
    },
    () => [[{}, reloaded / 1000]],
  );
  return (isSuccessful) => {
    isReloaded = isSuccessful;
    if (isSuccessful) reloaded = Date.now();
  };
}

/**
 * Registers a histogram with one label, and returns a function that counts a number. `Histogram` of prom-client takes
 * several times as long, because it makes a text of the labels each time.
 *
 * @param bounds the upper bounds of the buckets, in ascending order.
 */
export function histogramOf(
  { register, name, help, labelNames: [label] = [] }: Described,
  bounds: readonly number[],
): (value: string, number: number) => void {
  const counts = new Map<string, { readonly buckets: Float64Array; sum: number }>();
  const samples = () =>
    [...counts].flatMap(([value, { buckets, sum }]) => {
      const labels = { [label!]: value };
      let count = 0;
      const upTo = [...bounds, "+Inf"].map((le, i) => {
        count += buckets[i]!;
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
      });
      return [
        ...upTo,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  const metric = {
    name,
    get: async () => ({ name, help, type: "histogram", values: samples(), aggregator: "sum" }),
  };
  register.registerMetric(metric as unknown as Metric);
  return (value, number) => {
    let entry = counts.get(value);
    if (entry === undefined) {
      entry = { buckets: new Float64Array(bounds.length + 1), sum: 0 };
      counts.set(value, entry);
    }
    let bucket = 0;
    while (bucket < bounds.length && number > bounds[bucket]!) bucket++;
    entry.buckets[bucket]!++;
    entry.sum += number;
  };
}

/** The numbers of one metric. */
export type MetricNumbers = MetricObjectWithValues<MetricValue<string>> & {
  readonly values: readonly (MetricValue<string> & { readonly metricName?: string })[];
};

/** The metrics of one process. */
interface OfProcess {
  /** The number of the process; `null` for processes that have ended, whose gauges are left out. */
  readonly process: number | null;
  readonly metrics: readonly MetricNumbers[];
}

/**
 * Joins the metrics of several processes. Counters and histograms are added up. A gauge is kept for each process, with
 * the label `process`.
 */
export function joinMetrics(all: readonly OfProcess[]): readonly MetricNumbers[] {
  const joined = new Map<
    string,
    { metric: MetricNumbers; values: Map<string, MetricValue<string>> }
  >();
  for (const { process, metrics } of all) {
    for (const metric of metrics) {
      const isSum = String(metric.type) !== "gauge";
      if (!isSum && process === null) continue;
      const entry = joined.get(metric.name) ?? { metric, values: new Map() };
      joined.set(metric.name, entry);
      for (const value of metric.values) {
        const labels = isSum ? value.labels : { ...value.labels, process: String(process) };
        const key = JSON.stringify([value.metricName, ...Object.entries(labels).sort()]);
        const before = entry.values.get(key)?.value ?? 0;
        entry.values.set(key, { ...value, labels, value: before + value.value });
      }
    }
  }
  return [...joined.values()].map(({ metric, values }) => ({
    ...metric,
    values: [...values.values()],
  }));
}

/** Joined metrics in Prometheus's text format. */
export function metricsText(metrics: readonly MetricNumbers[]): Promise<string> {
  const register = new Registry();
  for (const metric of metrics) {
    const { name } = metric;
    register.registerMetric({ name, get: async () => metric } as unknown as Metric);
  }
  return register.metrics();
}
