const AT_ONCE = 8;

/**
 * Calls a function for each item, with at most eight calls at a time, and returns the results in order. When a call
 * fails, no more calls are started, and the error is thrown.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const all = [...items];
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    try {
      while (next < all.length) {
        const index = next++;
        results[index] = await run(all[index]!);
      }
    } catch (error) {
      next = all.length;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return results;
}
