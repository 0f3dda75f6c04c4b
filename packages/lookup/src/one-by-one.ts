/** The prototype of all iterators, with `Symbol.iterator` and, on newer platforms, functions such as `map`. */
const ITERATOR: object = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())),
);

/**
 * Yields the items of arrays one by one. A generator with `yield*` would do the same, but pass each item through every
 * nested generator.
 */
export function oneByOne<Item>(
  arrays: Generator<readonly Item[], void, undefined>,
): Generator<Item, void, undefined> {
  let items: readonly Item[] = [];
  let index = 0;

  function drop(): void {
    items = [];
    index = 0;
  }

  const own = {
    next(): IteratorResult<Item, void> {
      while (index === items.length) {
        drop();
        const next = arrays.next();
        if (next.done) return next;
        items = next.value;
      }
      return { done: false, value: items[index++]! };
    },
    return(value: undefined): IteratorResult<Item, void> {
      drop();
      arrays.return();
      return { done: true, value };
    },
    throw(error: unknown): IteratorResult<Item, void> {
      drop();
      arrays.throw(error);
      return { done: true, value: undefined };
    },
  };
  return Object.assign(Object.create(ITERATOR), own);
}
