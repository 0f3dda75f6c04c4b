import { Worker } from "node:worker_threads";
import { Failure } from "@x/command-line";
import { reasonOf } from "@x/command-line/node";
import { sharePrefixList } from "@x/prefix-list";
import type { Block, InputPart } from "../output/results.ts";
import type { WriterOptions } from "./verdict-writer.ts";

/** Enough blocks to keep each thread busy while the main thread writes output. Blocks take little memory. */
const OPEN_BLOCKS_PER_THREAD = 4;

/** A request to a thread: a part of the input, and how many bytes were read for it. */
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

function startThread(workerData: WriterOptions): Thread {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData });
  const waiting: { resolve: (block: Block) => void; reject: (error: Failure) => void }[] = [];
  /** Why the thread has stopped answering; `null` while it answers. */
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

/** Passes items on. If an error ends them, calls `onFailure` with the error instead of throwing it. */
async function* untilFailure<T>(
  items: AsyncIterable<T>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    onFailure(error);
  }
}

/** Checks parts of the input in several threads, which share the lists. Returns the results in order. @throws {Failure} */
export async function* checkInThreads(
  questions: AsyncIterable<Question>,
  count: number,
  options: WriterOptions,
): AsyncGenerator<Block> {
  const lists = options.lists.map(sharePrefixList);
  const safeLists = options.safeLists.map(sharePrefixList);
  const threads = Array.from({ length: count }, () =>
    startThread({ ...options, lists, safeLists }),
  );
  const answers: Promise<Block>[] = [];
  /** The error that ended the reading of the input. It is thrown after the results for what was read before. */
  let failure: { readonly error: unknown } | null = null;
  const fail = (error: unknown): void => {
    failure = { error };
  };
  try {
    for await (const question of untilFailure(questions, fail)) {
      const idlest = threads.reduce((a, b) => (b.open() < a.open() ? b : a));
      answers.push(idlest.ask(question));
      if (answers.length >= count * OPEN_BLOCKS_PER_THREAD) yield await answers.shift()!;
    }
    for (const answer of answers) yield await answer;
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
}
