// Runs one candidate in a thread of its own, as in a program that does nothing else. The garbage of one
// candidate, and what it leaves in the caches of the engine, do not slow the others down.
import { parentPort, workerData } from "node:worker_threads";
import { candidates } from "./candidates.js";

const { name, rawHashes, runs } = workerData;
const candidate = candidates[name](rawHashes);

parentPort.on("message", (index) => {
  const run = runs[index];
  const start = process.hrtime.bigint();
  const result = candidate(run);
  parentPort.postMessage({ result, nanoseconds: Number(process.hrtime.bigint() - start) });
});
