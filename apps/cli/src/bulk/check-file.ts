import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { printable } from "@x/explain/printable";
import { RECOGNITION_BYTES } from "@x/list-source";
import { sharePrefixList } from "@x/prefix-list";
import { Failure, failTo, reasonOf } from "../failure.ts";
import { refuseForeignInput } from "../input/foreign-input.ts";
import type { Block } from "../output/results.ts";
import { markWritten, type SharedCursor, sharedCursor } from "./shared-cursor.ts";
import type { WriterOptions } from "./verdict-writer.ts";

const OPEN_RANGES_PER_WORKER = 3;

/** The data that each worker gets at its start. The lists are in shared memory. */
export interface WorkerJob extends WriterOptions {
  /** The open file, which threads share. */
  readonly fd: number;
  /** The length of the file in bytes. */
  readonly size: number;
  readonly cursor: SharedCursor;
  /** How many ranges may be taken but not yet written. This makes workers wait for a slow reader of the results. */
  readonly maxOpen: number;
}

/** A worker's answer for each range. */
export interface Answer {
  /** The index of the range in the file. */
  readonly number: number;
  readonly block: Block;
}

function notInParts(file: string): Failure {
  return new Failure(`--workers needs a file that can be read in parts: ${printable(file)}`);
}

async function beginningOf(handle: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(RECOGNITION_BYTES), 0, null, 0);
  return buffer.subarray(0, bytesRead);
}

/** Checks the lines of a file in several threads, which share the lists. @throws {Failure} */
export async function* checkFile(
  file: string,
  workers: number,
  options: WriterOptions,
): AsyncGenerator<Block> {
  const handle = await open(file).catch(failTo(`read ${printable(file)}`));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notInParts(file);
    const lists = options.lists.map(sharePrefixList);
    const safeLists = options.safeLists.map(sharePrefixList);
    const beginning = await beginningOf(handle);
    // Some files, such as those in /proc, have a length of 0, although they are not empty.
    if (beginning.length > stats.size) throw notInParts(file);
    refuseForeignInput(beginning, printable(file), "URL");
    const maxOpen = workers * OPEN_RANGES_PER_WORKER;
    const shared = { lists, safeLists, fd: handle.fd, size: stats.size, cursor: sharedCursor() };
    yield* checkInWorkers({ ...options, ...shared, maxOpen }, workers);
  } finally {
    await handle.close();
  }
}

/** The results of the workers, in the order of the file. @throws {Failure} when the file cannot be read to its end. */
async function* checkInWorkers(workerData: WorkerJob, count: number): AsyncGenerator<Block> {
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
        markWritten(workerData.cursor);
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
