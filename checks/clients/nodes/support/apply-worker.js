import { parentPort } from "node:worker_threads";
import { applyListJob } from "../../../../packages/client/dist/index.js";

parentPort.on("message", (job) => parentPort.postMessage(applyListJob(job)));
