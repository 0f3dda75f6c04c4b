import { parentPort, workerData } from "node:worker_threads";
import picocolors from "picocolors";
import { checking } from "../checking.ts";
import { evaluateAll } from "../evaluate.ts";
import { givenLines } from "../given.ts";
import type { Answer, Job } from "./messages.ts";
import { type RangeStart, readRange } from "./read-range.ts";

/** Some milliseconds of work: little to hold in memory, much to send a message for. */
const RANGE_BYTES = 2 ** 18;

const port = parentPort!;
const job = workerData as Job;
const evaluate = checking(job.lists, picocolors.createColors(job.colour));
const buffer = new Uint8Array(RANGE_BYTES);
const encoder = new TextEncoder();

port.on("message", (from: RangeStart) => {
  const { lines, next } = readRange(job.fd, job.size, from, buffer);
  port.postMessage({ kind: "read", next } satisfies Answer);
  const findings = evaluateAll(givenLines(lines), evaluate, job);
  const out = encoder.encode(findings.out);
  const block = { ...findings, out, octets: next.start - from.start };
  port.postMessage({ kind: "done", block } satisfies Answer, [out.buffer]);
});
