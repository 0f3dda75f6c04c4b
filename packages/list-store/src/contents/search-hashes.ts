/**
 * The index of the first of `count` ascending items that is not below the one searched for; `count` when all are below.
 *
 * Hashes are spread evenly, so `guess` is nearly right. The search starts at `guess`, with steps that double, and reads
 * only a few memory locations. `firstStep` is the usual error of the guess. After a bad guess, the search takes about
 * twice as many steps as a binary search.
 */
export function firstNotBelow(
  count: number,
  guess: number,
  isBelow: (index: number) => boolean,
  firstStep: number = 1 + (Math.sqrt(count) >>> 1),
): number {
  let low = Math.min(count, Math.max(0, Math.floor(guess)));
  for (let step = firstStep; low > 0 && !isBelow(low - 1); step *= 2) low = Math.max(0, low - step);
  let high = low;
  for (let step = firstStep; high < count && isBelow(high); step *= 2) {
    low = high + 1;
    high = Math.min(count, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
