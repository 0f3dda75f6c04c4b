/**
 * A step that skips versions begins or ends at a multiple of this number. The longest steps begin at a multiple of its
 * square.
 */
const SPAN = 4;

/** The last multiple of a number below a version; 0 when there is none. */
const lastMultiple = (of: number, version: number) => version - 1 - ((version - 1) % of);

/**
 * The older versions from which a step leads to a version, the longest step last. With these steps, a reader gets from
 * any version to any newer one in few steps. More steps would take more room in the store than they are worth.
 */
export function stepsTo(version: number): number[] {
  const after = [version - 1, lastMultiple(SPAN, version)];
  if (version % SPAN === 0) after.push(version - SPAN + 1, lastMultiple(SPAN ** 2, version));
  if (version % SPAN ** 2 === 0) after.push(version - 2 * SPAN, version - 3 * SPAN);
  return [...new Set(after)].filter((older) => older > 0).sort((a, b) => b - a);
}

/** The number of steps that lead from a version to a newer one, if the publisher has written all of them. */
export function countSteps(older: number, newer: number): number {
  let count = 0;
  for (let version = newer; version > older; count++) {
    version = stepsTo(version).findLast((after) => after >= older)!;
  }
  return count;
}
