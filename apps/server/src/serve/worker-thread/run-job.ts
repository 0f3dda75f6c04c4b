import { Worker } from "node:worker_threads";
import { StoreError, type StoreErrorCode } from "@x/list-store";
import { buffersIn, JOBS, type JobAnswer, type JobName, type Jobs, type SentJob } from "./jobs.ts";

/** Runs jobs on lists, if possible in another thread, so that clients do not wait for them. */
export interface Aside {
  /**
   * Runs a job, and returns its result. `entries` is the length of the list or difference that the job works on. The
   * buffers of `taken` may be moved to another thread without a copy, so the caller must not use them afterwards.
   */
  run<Name extends JobName>(
    name: Name,
    entries: number,
    argument: Parameters<Jobs[Name]>[0],
    taken?: readonly Uint8Array[],
  ): Promise<ReturnType<Jobs[Name]>>;
  /** Ends the thread. Unfinished jobs fail. */
  close(): Promise<void>;
}

/** A job on up to this many entries takes about a millisecond, so it runs at once in the calling thread. */
const MAX_ENTRIES_AT_ONCE = 2 ** 14;
/** How long the thread waits for another job before it ends and frees its memory, in milliseconds. */
const IDLE = 2000;

const ENDED = "The thread that works on lists has ended";

/** Runs every job at once, in the calling thread. */
export const AT_ONCE: Aside = {
  run: async (name, _entries, argument) => doJob(name, argument),
  close: async () => {},
};

function doJob<Name extends JobName>(
  name: Name,
  argument: Parameters<Jobs[Name]>[0],
): ReturnType<Jobs[Name]> {
  return JOBS[name](argument as never) as ReturnType<Jobs[Name]>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Options for tests: the thread's idle time in milliseconds and the module that it runs. */
interface ThreadOptions {
  readonly idle?: number;
  readonly module?: URL;
}

/** Runs long jobs one after the other in a separate thread, which exists only while it is needed. */
export function asideInThread({
  idle = IDLE,
  module = new URL("./worker.js", import.meta.url),
}: ThreadOptions = {}): Aside {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let last = 0;

  function rest(of: Worker): void {
    of.unref();
    timer = setTimeout(() => void close(), idle).unref();
  }

  function onAnswer(answer: JobAnswer): void {
    const job = waiting.get(answer.id);
    // The message may come from a thread that was told to end.
    if (job === undefined) return;
    waiting.delete(answer.id);
    if (waiting.size === 0 && worker !== null) rest(worker);
    if ("value" in answer) job.resolve(answer.value);
    else job.reject(errorOf(answer.error));
  }

  function started(): Worker {
    // The worker runs without the export conditions of tests, which read packages from their sources.
    const thread = new Worker(module, { execArgv: [] });
    const lose = (error: Error) => {
      if (worker === thread) forget(error);
    };
    return thread
      .on("message", onAnswer)
      .on("error", lose)
      .on("exit", () => lose(new Error(ENDED)));
  }

  /** Forgets the thread, and rejects its unfinished jobs. The next long job starts a new thread. */
  function forget(error: Error): void {
    worker = null;
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { reject } of lost) reject(error);
  }

  async function close(): Promise<void> {
    clearTimeout(timer);
    const ending = worker;
    forget(new Error(ENDED));
    await ending?.terminate();
  }

  return {
    async run(name, entries, argument, taken = []) {
      if (entries <= MAX_ENTRIES_AT_ONCE) return doJob(name, argument);
      clearTimeout(timer);
      worker ??= started();
      worker.ref();
      const id = last++;
      worker.postMessage({ id, name, argument } satisfies SentJob<typeof name>, buffersIn(taken));
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      });
    },
    close,
  };
}

function errorOf({ name, code, message }: { name: string; code: string; message: string }): Error {
  return name === "StoreError"
    ? new StoreError(code as StoreErrorCode, message)
    : new Error(message);
}
