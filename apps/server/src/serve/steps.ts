/** A value, or a promise of the value if something must be read first. Most answers do not have to wait. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Work that may have to wait. The code looks like an async function, with `function*` and `yield*` instead of `async`
 * and `await`, but work that need not wait is done at once, without a promise.
 */
// biome-ignore lint/suspicious/noExplicitAny: the value of the promise that was yielded last
export type Steps<Result> = Generator<Promise<unknown>, Result, any>;

/** Waits for the value of a promise. Returns any other value at once. */
export function* ready<Value>(value: MaybePromise<Value>): Steps<Value> {
  return value instanceof Promise ? yield value : value;
}

/** Does the work, and returns a promise only if the work has to wait. */
export function perform<Result>(steps: Steps<Result>): MaybePromise<Result> {
  const { done, value } = steps.next();
  return done ? value : performRest(steps, value);
}

async function performRest<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  let waiting = first;
  for (;;) {
    const resume = await waiting.then(
      (value) => () => steps.next(value),
      (error) => () => steps.throw(error),
    );
    const { done, value } = resume();
    if (done) return value;
    waiting = value;
  }
}
