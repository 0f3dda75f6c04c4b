import { Histogram, type Registry } from "prom-client";

const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

interface Counts {
  /** For each bucket, how many values are in it and in no smaller one; the last are beyond all buckets. */
  readonly inBucket: Float64Array;
  sum: number;
}

interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly registers: Registry[];
}

/** A histogram of seconds by route. It counts in plain arrays, and makes Prometheus's values of them when asked. */
export class LatencyHistogram extends Histogram<"route"> {
  readonly #name: string;
  readonly #byRoute = new Map<string, Counts>();

  constructor(options: HistogramOptions) {
    super({ ...options, labelNames: ["route"], buckets: BUCKETS });
    this.#name = options.name;
  }

  count(route: string, seconds: number): void {
    let counts = this.#byRoute.get(route);
    if (counts === undefined) {
      counts = { inBucket: new Float64Array(BUCKETS.length + 1), sum: 0 };
      this.#byRoute.set(route, counts);
    }
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    counts.inBucket[bucket]!++;
    counts.sum += seconds;
  }

  override async get(): ReturnType<Histogram<"route">["get"]> {
    const described = await super.get();
    const values = [...this.#byRoute].flatMap(([route, { inBucket, sum }]) => {
      let total = 0;
      const buckets = [...BUCKETS, "+Inf" as const].map((le, i) => {
        total += inBucket[i]!;
        return { value: total, labels: { le, route }, metricName: `${this.#name}_bucket` };
      });
      return [
        ...buckets,
        { value: sum, labels: { route }, metricName: `${this.#name}_sum` },
        { value: total, labels: { route }, metricName: `${this.#name}_count` },
      ];
    });
    return { ...described, values };
  }
}
