const AT_ONCE = 8;

/**
 * Calls a function for each item, with at most eight calls at a time, and returns the results in order. Items are taken
 * only when they are needed. When a call fails, no more calls are started, and the error is thrown.
 */
export async function inParallel<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const iterator =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const results: Result[] = [];
  let next = 0;
  let isOver = false;
  const work = async () => {
    try {
      while (!isOver) {
        const index = next++;
        const item = await iterator.next();
        if (item.done) break;
        results[index] = await run(item.value);
      }
    } finally {
      isOver = true;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return results;
}
