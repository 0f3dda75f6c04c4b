/** A value, or a promise of it when something must be read first. Most answers do not have to wait. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Calls `next` with the value, at once or when the promise is fulfilled. */
export function whenReady<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `next` with one item after another, each time when the previous call is done. */
export function forEachInTurn<Item>(
  items: readonly Item[],
  next: (item: Item) => MaybePromise<void>,
): MaybePromise<void> {
  for (let i = 0; i < items.length; i++) {
    const done = next(items[i]!);
    if (done instanceof Promise) return finishInTurn(done, items.slice(i + 1), next);
  }
}

async function finishInTurn<Item>(
  first: Promise<void>,
  rest: readonly Item[],
  next: (item: Item) => MaybePromise<void>,
): Promise<void> {
  await first;
  for (const item of rest) await next(item);
}
