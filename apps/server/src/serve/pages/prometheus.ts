import { memoized } from "../memoized.ts";

/* Metrics in Prometheus's text format. Label values must not need escapes. */

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface Metric {
  /** The lines of the metric: its help, kind and numbers. */
  text(): string;
}

type Label = string | number;

function metricText(kind: string, name: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines].join("\n");
}

function lineOf(
  name: string,
  labels: readonly (string | undefined)[],
  values: readonly Label[],
  number: number,
): string {
  const pairs = values.map((value, i) => `${labels[i]}="${value}"`).join();
  return `${name}${pairs === "" ? "" : `{${pairs}}`} ${number}`;
}

/** A metric without its numbers. */
interface Described {
  readonly kind: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** A metric whose numbers are counted elsewhere, each with its label values. */
export function numbersOf(
  { kind, name, help, labels }: Described,
  numbers: () => readonly { readonly labels: readonly Label[]; readonly number: number }[],
): Metric {
  const lines = () => numbers().map((each) => lineOf(name, labels, each.labels, each.number));
  return { text: () => metricText(kind, name, help, lines()) };
}

/** A metric that is one number without labels. */
export function gauge(name: string, help: string, number: () => number): Metric {
  return numbersOf({ kind: "gauge", name, help, labels: [] }, () => [
    { labels: [], number: number() },
  ]);
}

/** A metric with a number for each list that `numbers` returns. */
export function listGauge(
  name: string,
  help: string,
  numbers: () => readonly (readonly [list: string, number: number])[],
): Metric {
  return numbersOf({ kind: "gauge", name, help, labels: ["list"] }, () =>
    numbers().map(([list, number]) => ({ labels: [list], number })),
  );
}

export interface Counter extends Metric {
  /** Adds 1, or `more`, to a count. `values` are the label values, in order. */
  add(values: readonly [Label, Label?], more?: number): void;
}

/** A counter with one or two labels. */
export function counter(name: string, help: string, labels: readonly [string, string?]): Counter {
  const counts: { readonly values: readonly Label[]; count: number }[] = [];
  const countOf = memoized((first: Label) =>
    memoized((second: Label | undefined) => {
      const made = { values: second === undefined ? [first] : [first, second], count: 0 };
      counts.push(made);
      return made;
    }),
  );
  return {
    add([first, second], more = 1) {
      countOf(first)(second).count += more;
    },
    text() {
      const lines = counts.map(({ values, count }) => lineOf(name, labels, values, count));
      return metricText("counter", name, help, lines);
    },
  };
}

/** The upper bounds of a histogram's buckets, in seconds. */
export const BUCKETS: readonly number[] = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
  ...[1, 2.5, 5, 10],
];

export interface LatencyHistogram extends Metric {
  add(route: string, seconds: number): void;
}

/** A histogram of seconds by route. */
export function latencyHistogram(name: string, help: string): LatencyHistogram {
  /**
   * For each route, the sum of all values, and the number of values in each bucket but not in a smaller one. The last
   * number counts values beyond all buckets.
   */
  const byRoute = new Map<string, { readonly inBucket: Float64Array; sum: number }>();
  return {
    add(route, seconds) {
      let counts = byRoute.get(route);
      if (counts === undefined) {
        counts = { inBucket: new Float64Array(BUCKETS.length + 1), sum: 0 };
        byRoute.set(route, counts);
      }
      let bucket = 0;
      while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
      counts.inBucket[bucket]!++;
      counts.sum += seconds;
    },
    text() {
      const lines = [...byRoute].flatMap(([route, { inBucket, sum }]) => {
        let count = 0;
        const buckets = [...BUCKETS, "+Inf"].map((bound, i) => {
          count += inBucket[i]!;
          return `${name}_bucket{le="${bound}",route="${route}"} ${count}`;
        });
        const ofRoute = `{route="${route}"}`;
        return [...buckets, `${name}_sum${ofRoute} ${sum}`, `${name}_count${ofRoute} ${count}`];
      });
      return metricText("histogram", name, help, lines);
    },
  };
}
