import { WireError } from "../error.ts";

/** Combines the removal indices of a message, in any number of runs, into ascending indices without repetition. */
export function combineRemovals(runs: readonly ArrayLike<number>[]): Uint32Array {
  const [first] = runs;
  const all = runs.length === 1 && first instanceof Uint32Array ? first : joinRuns(runs);
  for (let i = 1; i < all.length; i++) {
    if (all[i]! <= all[i - 1]!) throw new WireError("removals-wrong");
  }
  return all;
}

function joinRuns(runs: readonly ArrayLike<number>[]): Uint32Array {
  const all = new Uint32Array(runs.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const run of runs) {
    for (let i = 0; i < run.length; i++) {
      if (run[i]! < 0) throw new WireError("removals-wrong");
      all[used++] = run[i]!;
    }
  }
  return runs.length > 1 ? all.sort() : all;
}
