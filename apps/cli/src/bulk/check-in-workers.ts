import { Worker } from "node:worker_threads";
import { Failure, reasonOf } from "../failure.ts";
import type { Block } from "../output/results.ts";
import type { Answer, Job, WorkerJob } from "./messages.ts";
import { markWritten, sharedCursor } from "./shared-cursor.ts";

const OPEN_RANGES_PER_WORKER = 3;

/**
 * Checks the lines of a file in several threads, and yields the results in the order of the file.
 *
 * @throws {Failure} when the file cannot be read to its end.
 */
export async function* checkInWorkers(job: Job, count: number): AsyncGenerator<Block> {
  const cursor = sharedCursor();
  const workerData: WorkerJob = { ...job, cursor, maxOpen: count * OPEN_RANGES_PER_WORKER };
  const url = new URL("./worker.js", import.meta.url);
  const workers = Array.from({ length: count }, () => new Worker(url, { workerData }));

  const blocks = new Map<number, Block>();
  let running = count;
  let failure: Failure | null = null;
  let wake: () => void = () => {};
  for (const worker of workers) {
    worker.on("message", ({ number, block }: Answer) => {
      blocks.set(number, block);
      wake();
    });
    worker.on("error", (error) => {
      failure ??= new Failure(`cannot check the file: ${reasonOf(error)}`);
      wake();
    });
    worker.on("exit", () => {
      running--;
      wake();
    });
  }
  try {
    for (let number = 0; ; ) {
      const block = blocks.get(number);
      if (failure !== null) throw failure;
      if (block !== undefined) {
        blocks.delete(number++);
        yield block;
        markWritten(cursor);
      } else if (running > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        return;
      }
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
