import { markCommon } from "../http/large-answer.ts";
import type { UpdateSource } from "../list-update.ts";
import { buffersIn } from "../worker-thread/moved-buffers.ts";

/** Keeps the results that are made from a source, for as long as the source exists. */
export interface MadeOnce {
  /**
   * Returns the result for a source. The result is made only once, but after a failure, the next client tries again.
   */
  once<Value>(source: UpdateSource, form: string, make: () => Promise<Value>): Promise<Value>;
  /** The forms in which results of a source are kept. */
  formsOf(source: UpdateSource): readonly string[];
}

/** The results that were made from a source, by form. */
type Kept = Map<string, Promise<unknown>>;

export function madeOnce(): MadeOnce {
  const bySource = new WeakMap<UpdateSource, Kept>();
  return {
    once(source, form, make) {
      const kept: Kept = bySource.get(source) ?? new Map();
      bySource.set(source, kept);
      const known = kept.get(form) as ReturnType<typeof make> | undefined;
      if (known !== undefined) return known;
      const made = make().then((value) => {
        for (const buffer of buffersIn(value)) markCommon(buffer);
        return value;
      });
      kept.set(form, made);
      made.catch(() => kept.delete(form));
      return made;
    },
    formsOf: (source) => [...(bySource.get(source)?.keys() ?? [])],
  };
}
