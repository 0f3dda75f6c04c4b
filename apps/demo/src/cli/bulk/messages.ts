import type { PrefixList } from "@x/prefix-list";
import type { Block, EvaluateOptions } from "../evaluate.ts";
import type { RangeStart } from "./read-range.ts";

/** What every worker is started with. */
export interface Job extends EvaluateOptions {
  /** Open in the main thread; threads share it. */
  readonly fd: number;
  readonly size: number;
  /** In shared memory. */
  readonly lists: readonly PrefixList[];
  readonly colour: boolean;
}

/**
 * What a worker answers to a {@link RangeStart}: where its range ends, as soon as it is known, so that another
 * worker can start there; then what came out of it.
 */
export type Answer =
  | { readonly kind: "read"; readonly next: RangeStart }
  | { readonly kind: "done"; readonly block: Block };
