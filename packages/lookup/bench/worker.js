// Runs one candidate in its own thread, as in a program that does nothing else. The garbage of one candidate and its
// entries in the engine's caches do not slow down the others.
import { parentPort, workerData } from "node:worker_threads";
import { candidates } from "./candidates.js";

const { name, root, rawHashes, runs } = workerData;
const { checker } = await import(`${root}packages/lookup/dist/index.js`);
const { prefixList } = await import(`${root}packages/prefix-list/dist/index.js`);
const candidate = candidates[name](rawHashes, checker, prefixList);

/** The number of listed URLs in a run, and the time of the run. */
function time(run) {
  const start = process.hrtime.bigint();
  let result = 0;
  candidate(run, () => {
    result++;
  });
  return { result, nanoseconds: Number(process.hrtime.bigint() - start) };
}

/** The indices of the listed URLs of a run. */
function verdicts(run) {
  const listed = [];
  candidate(run, (index) => {
    listed.push(index);
  });
  return listed.join();
}

parentPort.on("message", ({ index, isTimed }) => {
  parentPort.postMessage(isTimed ? time(runs[index]) : verdicts(runs[index]));
});
