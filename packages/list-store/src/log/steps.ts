const BASE = 4;
/** No step is over more versions. */
const LONGEST = BASE ** 3;

/**
 * From which older versions a step leads to a version, the longest step last: from the previous one, from the last
 * multiple of 4, to multiples of 4 from the last multiple of 16, and so on. So a reader gets to any version from any
 * older one in few steps.
 */
export function stepsTo(version: number): number[] {
  const after = version > 1 ? [version - 1] : [];
  for (let span = BASE; span <= LONGEST && version % (span / BASE) === 0; span *= BASE) {
    const last = version - 1 - ((version - 1) % span);
    if (last > 0 && last < after.at(-1)!) after.push(last);
  }
  return after;
}

/** How many steps lead from a version to a newer one, if all of them were written. */
export function countSteps(older: number, newer: number): number {
  let count = 0;
  for (let version = newer; version > older; count++) {
    version = stepsTo(version).findLast((after) => after >= older)!;
  }
  return count;
}
