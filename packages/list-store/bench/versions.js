// Settings and helpers for the benchmarks of versions.

export const SIZES = (process.argv[2] ?? "100000").split(",").map(Number);
/** The share of the entries that each version replaces. */
export const SHARES = [0.01, 0.001, 0.0001];
export const VERSIONS = 200;

/** Evenly spread 32-bit numbers, the same in every run (splitmix32). */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

export const kB = (bytes) => (bytes / 1000).toFixed(1);
export const percent = (share) => `${share * 100}%`;
