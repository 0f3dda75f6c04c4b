/**
 * Yields the items of arrays one by one. It does what `for await (const some of arrays) yield* some` in an async
 * generator does, but in a third of the time: an item that is already there needs one promise, not several.
 */
export function oneByOne<Item>(
  arrays: AsyncGenerator<readonly Item[], void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let items: readonly Item[] = [];
  let index = 0;
  /** Calls that have to wait are answered in order. */
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    waiting++;
    const result = last.then(run);
    const end = () => void waiting--;
    last = result.then(end, end);
    return result;
  }

  async function nextOfArrays(): Promise<IteratorResult<Item, void>> {
    while (index === items.length) {
      const next = await arrays.next();
      if (next.done) return next;
      items = next.value;
      index = 0;
    }
    return { done: false, value: items[index++]! };
  }

  function drop(): void {
    items = [];
    index = 0;
  }

  return {
    next() {
      if (waiting > 0 || index === items.length) return inTurn(nextOfArrays);
      return Promise.resolve({ done: false, value: items[index++]! });
    },
    return: (value) =>
      inTurn(async () => {
        drop();
        await arrays.return(undefined);
        return { done: true, value: await value };
      }),
    throw: (error) =>
      inTurn(async () => {
        drop();
        await arrays.throw(error);
        return { done: true, value: undefined };
      }),
    [Symbol.asyncIterator]() {
      return this;
    },
  } as AsyncGenerator<Item, void, undefined>;
}
