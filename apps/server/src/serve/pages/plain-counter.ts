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

/** A count, and the counts for each value of the next label. */
interface Count {
  readonly next: Map<string | number, Count>;
  count: number;
}

const newCount = (): Count => ({ next: new Map(), count: 0 });

export function plainCounter(options: CounterOptions): PlainCounter {
  const { labelNames } = options;
  const root = newCount();

  /** Calls `visit` with the values of labels and their count. */
  function walk(
    { next, count }: Count,
    values: readonly (string | number)[],
    visit: (values: readonly (string | number)[], count: number) => void,
  ): void {
    if (values.length === labelNames.length) visit(values, count);
    for (const [value, inner] of next) walk(inner, [...values, value], visit);
  }

  new Counter({
    ...options,
    collect() {
      this.reset();
      walk(root, [], (values, count) => {
        this.inc(Object.fromEntries(labelNames.map((name, i) => [name, values[i]!])), count);
      });
    },
  });
  return {
    add(values, more = 1) {
      let counted = root;
      for (const value of values) {
        let inner = counted.next.get(value);
        if (inner === undefined) {
          inner = newCount();
          counted.next.set(value, inner);
        }
        counted = inner;
      }
      counted.count += more;
    },
  };
}
