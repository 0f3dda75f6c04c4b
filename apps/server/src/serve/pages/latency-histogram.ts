const BUCKETS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

interface Counts {
  /** The number of values in each bucket and in no smaller one; the last number counts values beyond all buckets. */
  readonly inBucket: Float64Array;
  sum: number;
}

/** A histogram of seconds by route, which counts in plain arrays. */
export interface LatencyHistogram {
  add(route: string, seconds: number): void;
  /** The text format of Prometheus. */
  text(): string;
}

export function latencyHistogram(name: string, help: string): LatencyHistogram {
  const byRoute = new Map<string, Counts>();

  function linesOf(route: string, { inBucket, sum }: Counts): string[] {
    let count = 0;
    const buckets = [...BUCKETS, "+Inf"].map((bound, i) => {
      count += inBucket[i]!;
      return `${name}_bucket{le="${bound}",route="${route}"} ${count}`;
    });
    return [
      ...buckets,
      `${name}_sum{route="${route}"} ${sum}`,
      `${name}_count{route="${route}"} ${count}`,
    ];
  }

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
      const lines = [...byRoute].flatMap(([route, counts]) => linesOf(route, counts));
      return `${[`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join("\n")}\n`;
    },
  };
}
