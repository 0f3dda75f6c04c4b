import { parentPort, workerData } from "node:worker_threads";
import type { Block } from "../output/results.ts";
import type { Answer, WorkerJob } from "./messages.ts";
import { type RangeStart, readRange } from "./read-range.ts";
import { takeRange } from "./shared-cursor.ts";
import { verdictWriter } from "./verdict-writer.ts";

/** A few milliseconds of work: worth a lock and a message, and little memory even if each line is refused at length. */
const RANGE_BYTES = 2 ** 16;

const port = parentPort!;
const job = workerData as WorkerJob;
const writeVerdicts = verdictWriter(job);
const buffer = new Uint8Array(RANGE_BYTES);
const encoder = new TextEncoder();

const read = (from: RangeStart) => readRange(job.fd, job.size, from, buffer);
const take = () => takeRange(job.cursor, job.size, job.maxOpen, read);

for (let range = take(); range !== null; range = take()) {
  const { number, start, blocks, next } = range;
  const written = blocks.map((block) => writeVerdicts(block, 0));
  const sum = (count: "inputs" | "listed" | "refused"): number =>
    written.reduce((total, block) => total + block[count], 0);
  const out = encoder.encode(written.map(({ out }) => out).join(""));
  const block: Block = {
    out,
    errors: written.map(({ errors }) => errors).join(""),
    inputs: sum("inputs"),
    listed: sum("listed"),
    refused: sum("refused"),
    bytes: next.start - start,
  };
  port.postMessage({ number, block } satisfies Answer, [out.buffer]);
}
