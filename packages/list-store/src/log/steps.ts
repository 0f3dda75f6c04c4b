/** Steps end and begin at multiples of powers of this. */
const BASE = 4;
/** Up to which power a step begins at a multiple that is not that of the same power. */
const NEAR = BASE ** 2;
/** No step is over more versions. */
const LONGEST = BASE ** 3;

/**
 * From which older versions a step leads to a version, the longest step last. So a reader gets to any version from any
 * older one in few steps:
 *
 * - from the previous version, and from the last multiple of 4; to a multiple of 4, from the last multiple of 16
 * - to a multiple of 4, from all versions since the last one; to one of 16, from all multiples of 4 since the last one
 * - to a multiple of 64, from the last one
 */
export function stepsTo(version: number): number[] {
  const after = new Set<number>([version - 1]);
  for (let span = BASE; span <= LONGEST && version % (span / BASE) === 0; span *= BASE) {
    const last = version - 1 - ((version - 1) % span);
    const ends = version % span === 0;
    if (ends && span <= NEAR) {
      for (let part = version - span / BASE; part > last; part -= span / BASE) after.add(part);
    }
    if (ends || span <= NEAR) after.add(last);
  }
  return [...after].filter((older) => older > 0).sort((a, b) => b - a);
}

/** How many steps lead from a version to a newer one, if all of them were written. */
export function countSteps(older: number, newer: number): number {
  let count = 0;
  for (let version = newer; version > older; count++) {
    version = stepsTo(version).findLast((after) => after >= older)!;
  }
  return count;
}
