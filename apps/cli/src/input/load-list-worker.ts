import { parentPort, workerData } from "node:worker_threads";
import { sharePrefixList } from "@x/prefix-list";
import { readList } from "./list-files.ts";

// An error that this throws reaches the other thread as an event of the worker.
parentPort!.postMessage(sharePrefixList(await readList(workerData as string)));
