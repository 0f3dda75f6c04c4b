import { type Metric, type MetricObjectWithValues, type MetricValue, Registry } from "prom-client";

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
