import { Worker } from "node:worker_threads";
import type { Block } from "../evaluate.ts";
import { Failure, reasonOf } from "../failure.ts";
import type { Answer, Job } from "./messages.ts";
import type { RangeStart } from "./read-range.ts";

/** Blocks that may wait for their turn, for each worker: when the reader is slow, the workers wait too. */
const WAITING_PER_WORKER = 2;

/**
 * Checks the lines of a file in several threads, and yields what came out in the order of the file.
 *
 * A worker that has nothing to do takes the next range of the file, and says first of all where its last
 * line ends, so that another can start there.
 *
 * @throws {Failure} when the file cannot be read to its end.
 */
export async function* checkInWorkers(job: Job, count: number): AsyncGenerator<Block> {
  const workers = Array.from(
    { length: count },
    () => new Worker(new URL("./worker.js", import.meta.url), { workerData: job }),
  );
  const idle = [...workers];
  const maxOpen = count * (1 + WAITING_PER_WORKER);
  const blocks = new Map<number, Block>();
  let [started, yielded] = [0, 0];
  /** `null` while it is not known where the range that was started last ends. */
  let next: RangeStart | null = { start: 0, linesBefore: 0 };
  let failure: Failure | null = null;
  let wake: () => void = () => {};

  const startNext = (): void => {
    if (next === null || next.start >= job.size || started - yielded >= maxOpen) return;
    const worker = idle.pop();
    if (worker === undefined) return;
    const range = started++;
    const onAnswer = (answer: Answer): void => {
      if (answer.kind === "read") {
        next = answer.next;
      } else {
        worker.off("message", onAnswer);
        idle.push(worker);
        blocks.set(range, answer.block);
        wake();
      }
      startNext();
    };
    worker.on("message", onAnswer);
    worker.postMessage(next);
    next = null;
  };

  for (const worker of workers) {
    worker.on("error", (error) => {
      failure ??= new Failure(`cannot check the file: ${reasonOf(error)}`);
      wake();
    });
  }
  try {
    startNext();
    while (started > yielded) {
      const block = blocks.get(yielded);
      if (failure !== null) throw failure;
      if (block === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      blocks.delete(yielded);
      yield block;
      yielded++;
      startNext();
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
