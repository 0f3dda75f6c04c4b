import type { Block } from "../output/results.ts";
import type { SharedCursor } from "./shared-cursor.ts";
import type { WriterOptions } from "./verdict-writer.ts";

/** The work of all workers. The lists are in shared memory. */
export interface Job extends WriterOptions {
  /** The open file, which threads share. */
  readonly fd: number;
  /** The length of the file in bytes. */
  readonly size: number;
}

/** What each worker is started with. */
export interface WorkerJob extends Job {
  readonly cursor: SharedCursor;
  /** How many ranges may be taken and not yet written. It makes workers wait for a slow reader of the results. */
  readonly maxOpen: number;
}

/** What a worker answers for each range. */
export interface Answer {
  /** The index of the range in the file. */
  readonly number: number;
  readonly block: Block;
}
