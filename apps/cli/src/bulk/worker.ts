import { parentPort, workerData } from "node:worker_threads";
import type { Block } from "../output/results.ts";
import type { Answer, WorkerJob } from "./check-file.ts";
import { type RangeStart, readRange } from "./read-range.ts";
import { takeRange } from "./shared-cursor.ts";
import { verdictWriter } from "./verdict-writer.ts";

/** A few milliseconds of work: enough to justify a lock and a message, but little memory even if every line is refused. */
const RANGE_BYTES = 2 ** 16;

const port = parentPort!;
const job = workerData as WorkerJob;
const writeVerdicts = verdictWriter(job);
/** A `Buffer`, which finds line endings faster than another `Uint8Array`. */
const buffer = Buffer.allocUnsafeSlow(RANGE_BYTES);
const encoder = new TextEncoder();

const read = (from: RangeStart) => readRange(job.fd, job.size, from, buffer);
const take = () => takeRange(job.cursor, job.size, job.maxOpen, read);

for (let range = take(); range !== null; range = take()) {
  const { number, start, block: lines, next } = range;
  const written = writeVerdicts(lines, next.start - start);
  const out = typeof written.out === "string" ? encoder.encode(written.out) : written.out;
  const block: Block = { ...written, out };
  port.postMessage({ number, block } satisfies Answer, [out.buffer]);
}
