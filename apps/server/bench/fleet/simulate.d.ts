import type { Polling } from "./polls.js";

export interface Costs {
  readonly bytes: Float64Array;
  readonly processor: Float64Array;
  readonly isFull: Uint8Array;
}

export function costsOf(
  measured: {
    readonly none: number;
    readonly full: number;
    readonly partial: (age: number) => number;
    readonly processor: (bytes: number) => number;
  },
  window: number,
  versions: number,
): Costs;

export interface Sums {
  readonly requests: number;
  readonly hits: number;
  readonly full: number;
  readonly bytes: number;
  readonly originRequests: number;
  readonly originBytes: number;
  readonly peak: { readonly requests: number };
  readonly hourly: readonly { readonly requests: number }[];
}

export function simulateFleet(
  fleet: Polling & { readonly interval: number; readonly maxAge: number },
  ways: readonly number[],
  scenarios: readonly { readonly costs: Costs }[],
): Sums[][];
