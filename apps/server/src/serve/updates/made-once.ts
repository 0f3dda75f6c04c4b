import { markCommon } from "../http/large-answer.ts";
import type { UpdateSource } from "../list-update.ts";
import { type MaybePromise, perform, ready, type Steps } from "../steps.ts";
import { buffersIn } from "../worker-thread/moved-buffers.ts";

/** Keeps the results that are made from a source, for as long as the source exists. */
export interface MadeOnce {
  /**
   * Returns the result for a source. The result is made only once, but after a failure, the next client tries again.
   */
  once<Value>(
    source: UpdateSource,
    form: string,
    make: () => MaybePromise<Value>,
  ): MaybePromise<Value>;
  /** The forms in which results of a source are kept. */
  formsOf(source: UpdateSource): readonly string[];
}

/** The results that were made from a source, by form. */
type Kept = Map<string, MaybePromise<unknown>>;

/** Returns a result after marking its memory as shared by many answers. */
function* marked<Value>(made: MaybePromise<Value>): Steps<Value> {
  const value = yield* ready(made);
  for (const buffer of buffersIn(value)) markCommon(buffer);
  return value;
}

export function madeOnce(): MadeOnce {
  const bySource = new WeakMap<UpdateSource, Kept>();
  return {
    once(source, form, make) {
      const kept: Kept = bySource.get(source) ?? new Map();
      bySource.set(source, kept);
      if (kept.has(form)) return kept.get(form) as ReturnType<typeof make>;
      const made = perform(marked(make()));
      kept.set(form, made);
      if (made instanceof Promise) {
        made.then(
          (value) => kept.set(form, value),
          () => kept.delete(form),
        );
      }
      return made;
    },
    formsOf: (source) => [...(bySource.get(source)?.keys() ?? [])],
  };
}
