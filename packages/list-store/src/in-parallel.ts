const AT_ONCE = 8;

/**
 * Calls a function for each item, eight at a time. When a call fails, no more calls are started, and its error is
 * thrown.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items].reverse();
  const work = async () => {
    try {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
    } catch (error) {
      left.length = 0;
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
