import { Counter, type Registry } from "prom-client";

/** A counter that keeps its numbers in a map, and passes them to `prom-client` only when they are read. */
export interface PlainCounter {
  /** Counts one, or more; the values are those of the labels, in order. */
  add(values: readonly (string | number)[], more?: number): void;
}

interface CounterOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: Registry[];
}

export function plainCounter(options: CounterOptions): PlainCounter {
  const { labelNames } = options;
  const counts = new Map<string, { values: readonly (string | number)[]; count: number }>();
  new Counter({
    ...options,
    collect() {
      this.reset();
      for (const { values, count } of counts.values()) {
        this.inc(Object.fromEntries(labelNames.map((name, i) => [name, values[i]!])), count);
      }
    },
  });
  return {
    add(values, more = 1) {
      const key = values.length === 1 ? `${values[0]}` : values.join("\n");
      const counted = counts.get(key);
      if (counted === undefined) counts.set(key, { values, count: more });
      else counted.count += more;
    },
  };
}
