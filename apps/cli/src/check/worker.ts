import { parentPort, workerData } from "node:worker_threads";
import type { Block, InputPart } from "../output/results.ts";
import { evaluatePartWithLists, type ListCheck } from "./list-evaluator.ts";
import type { Question } from "./threads.ts";

const port = parentPort!;
const evaluatePart = evaluatePartWithLists(workerData as ListCheck);
const encoder = new TextEncoder();

/** Turns the bytes of a block into a `Buffer`, in which line ends are found faster than in a plain `Uint8Array`. */
function withBuffer(part: InputPart): InputPart {
  if ("place" in part) return part;
  const { buffer, byteOffset, length } = part.bytes;
  return { ...part, bytes: Buffer.from(buffer, byteOffset, length) };
}

port.on("message", async ({ part, bytes }: Question) => {
  const written = await evaluatePart(withBuffer(part), bytes);
  const out = typeof written.out === "string" ? encoder.encode(written.out) : written.out;
  const block: Block = { ...written, out };
  port.postMessage(block, [out.buffer]);
});
