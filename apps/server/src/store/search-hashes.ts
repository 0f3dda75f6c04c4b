/**
 * The first of `count` ascending items that is not below what is searched for; `count` when all are below.
 *
 * Hashes are spread evenly, so that `guess` is nearly right: the search begins there, with steps that double, and reads
 * a few places of memory instead of twenty. A wrong guess costs twice the steps of a binary search.
 */
export function firstNotBelow(
  count: number,
  guess: number,
  isBelow: (index: number) => boolean,
): number {
  const firstStep = 1 + (Math.sqrt(count) >>> 1);
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
