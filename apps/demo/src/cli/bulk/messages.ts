import type { PrefixList } from "@x/prefix-list";
import type { Block, EvaluateOptions } from "../evaluate.ts";
import type { SharedCursor } from "./shared-cursor.ts";

/** What every worker is started with. */
export interface Job extends EvaluateOptions {
  /** Open in the main thread; threads share it. */
  readonly fd: number;
  readonly size: number;
  /** In shared memory. */
  readonly lists: readonly PrefixList[];
  readonly colour: boolean;
}

export interface WorkerJob extends Job {
  readonly cursor: SharedCursor;
  /** Ranges that may be taken and not written: when the reader of the results is slow, workers wait. */
  readonly maxOpen: number;
}

/** What a worker answers for each range. */
export interface Answer {
  /** Of the range, from 0, in the order of the file. */
  readonly number: number;
  readonly block: Block;
}
