import { parentPort, workerData } from "node:worker_threads";
import { sharePrefixList } from "@x/prefix-list";
import { readList } from "./list-files.ts";

// If `readList` throws, the other thread gets the error as an `error` event of the worker.
parentPort!.postMessage(sharePrefixList(await readList(workerData as string)));
