import { Worker } from "node:worker_threads";
import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { sharePrefixList } from "@x/prefix-list";
import type { EvaluatePart } from "../evaluate.ts";
import type { Block, InputPart } from "../output/results.ts";
import type { ListCheck } from "./list-evaluator.ts";

/** Four blocks keep each thread busy while the main thread writes output, and take little memory. */
const OPEN_BLOCKS_PER_THREAD = 4;

/** A part of the input for a thread to evaluate, and the number of bytes that were read for that part. */
export interface Question {
  readonly part: InputPart;
  readonly bytes: number;
}

/** A thread that answers questions in order. */
interface Thread {
  readonly ask: (question: Question) => Promise<Block>;
  /** The number of questions that the thread has not answered yet. */
  readonly open: () => number;
  readonly end: () => Promise<unknown>;
}

function startThread(workerData: ListCheck): Thread {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
  const waiting: { resolve: (block: Block) => void; reject: (error: Failure) => void }[] = [];
  /** The reason why the thread has ended; `null` while it answers questions. */
  let failure: Failure | null = null;
  const rejectAll = (error: Failure): void => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  const fail = (reason: string): void => {
    failure ??= new Failure(`cannot check: ${reason}`);
    rejectAll(failure);
  };
  worker.on("message", (block: Block) => waiting.shift()!.resolve(block));
  worker.on("error", (error) => fail(reasonOf(error)));
  worker.on("exit", () => fail("a thread ended"));
  return {
    ask({ part, bytes }) {
      const answer = new Promise<Block>((resolve, reject) => waiting.push({ resolve, reject }));
      // The promise may be rejected before anything awaits it.
      answer.catch(() => {});
      if (failure !== null) rejectAll(failure);
      if ("place" in part) {
        worker.postMessage({ part, bytes } satisfies Question);
      } else {
        // The bytes of a block are valid only until the next block is read.
        const copy = new Uint8Array(part.bytes);
        const question: Question = { part: { ...part, bytes: copy }, bytes };
        worker.postMessage(question, [copy.buffer]);
      }
      return answer;
    },
    open: () => waiting.length,
    end: () => worker.terminate(),
  };
}

/** Threads that evaluate parts of the input and share the lists. */
export interface Threads {
  readonly evaluatePart: EvaluatePart;
  /** The maximum number of parts to evaluate at the same time. */
  readonly mostOpen: number;
  readonly end: () => Promise<unknown>;
}

export function startThreads(count: number, check: ListCheck): Threads {
  const lists = check.lists.map(sharePrefixList);
  const safeLists = check.safeLists.map(sharePrefixList);
  const threads = Array.from({ length: count }, () => startThread({ ...check, lists, safeLists }));
  return {
    evaluatePart(part, bytes) {
      const idlest = threads.reduce((a, b) => (b.open() < a.open() ? b : a));
      return idlest.ask({ part, bytes });
    },
    mostOpen: count * OPEN_BLOCKS_PER_THREAD,
    end: () => Promise.all(threads.map((thread) => thread.end())),
  };
}
