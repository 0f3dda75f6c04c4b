import { parentPort, workerData } from "node:worker_threads";
import picocolors from "picocolors";
import { checking } from "../checking.ts";
import { evaluateAll } from "../evaluate.ts";
import { givenLines } from "../given.ts";
import type { Answer, WorkerJob } from "./messages.ts";
import { type RangeStart, readRange } from "./read-range.ts";
import { takeRange } from "./shared-cursor.ts";

/** Some ten milliseconds of work: little to hold in memory, much to take a lock and send a message for. */
const RANGE_BYTES = 2 ** 19;

const port = parentPort!;
const job = workerData as WorkerJob;
const evaluate = checking(job.lists, picocolors.createColors(job.colour));
const buffer = new Uint8Array(RANGE_BYTES);
const encoder = new TextEncoder();

const read = (from: RangeStart) => readRange(job.fd, job.size, from, buffer);
const take = () => takeRange(job.cursor, job.size, job.maxOpen, read);

for (let range = take(); range !== null; range = take()) {
  const { number, start, lines, next } = range;
  const findings = evaluateAll(givenLines(lines()), evaluate, job);
  const out = encoder.encode(findings.out);
  const block = { ...findings, out, octets: next.start - start };
  port.postMessage({ number, block } satisfies Answer);
}
