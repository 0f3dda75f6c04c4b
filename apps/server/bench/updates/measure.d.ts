export interface Scenario {
  readonly size: number;
  /** The share of the hosts that is replaced in a day. */
  readonly share: number;
  readonly hours: number;
  /** How many hours readers let pass between two updates. */
  readonly intervals: readonly number[];
}

export interface Downloads {
  readonly totals: readonly { hours: number; bytes: number; requests: number; updates: number }[];
  /** What a reader downloads when nothing is new, and what a new one does. */
  readonly idle: { bytes: number; requests: number };
  readonly whole: number;
}

type Way = "plain" | "patches" | "static" | "v5";

export const MEASUREMENTS: Readonly<
  Record<"plain" | "patches" | "store", (scenario: Scenario) => Promise<unknown>>
>;
export function combined(
  scenario: Scenario,
  measured: Readonly<Record<"plain" | "patches" | "store", unknown>>,
): Record<Way, Downloads> & { readonly fewest: Pick<Downloads, "totals"> };
