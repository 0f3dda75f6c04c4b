import { Counter, Gauge, Registry } from "prom-client";

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
