import { parentPort, workerData } from "node:worker_threads";
import { sharePrefixList } from "@x/prefix-list";
import { Failure } from "../failure.ts";
import { readList } from "./list-files.ts";
import type { LoadedList } from "./watch-lists.ts";

async function load(file: string): Promise<LoadedList> {
  try {
    return { list: sharePrefixList(await readList(file)), problem: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { list: null, problem: error.message };
  }
}

parentPort!.postMessage(await load(workerData as string));
