import type { PrefixList } from "@x/prefix-list";
import type { EngineChoice } from "./model/engine.ts";
import type {
  Answer,
  Asked,
  CheckProgress,
  FromWorker,
  Question,
  ToWorker,
} from "./model/messages.ts";
import { scriptUrl } from "./script-url.ts";
import workerUrl from "./workers/page-worker.ts?worker&url";

export interface CheckHandlers {
  readonly onProgress: (progress: CheckProgress) => void;
  readonly onFinished: (progress: CheckProgress, isCancelled: boolean) => void;
  readonly onFailed: (message: string) => void;
}

/** The worker, as the page sees it. */
export interface WorkerClient {
  /** Checks the lines of a source. Returns the number of the check, which questions about its rows need. */
  check(
    source: Blob,
    lists: { readonly lists: readonly PrefixList[]; readonly safeLists: readonly PrefixList[] },
    engine: EngineChoice,
    handlers: CheckHandlers,
  ): number;
  /** Stops a check. Its results stay. */
  cancel(job: number): void;
  /** Rejects when the question cannot be answered. */
  ask<Q extends Question>(question: Q, asked: Asked<Q>): Promise<Answer<Q>>;
}

/** Starts the worker at once. A later request for its script would tell the server when the user began to work. */
export function startWorkerClient(): WorkerClient {
  const worker = new Worker(scriptUrl(workerUrl), { type: "module" });
  const listeners = new Map<number, (message: FromWorker) => void>();
  let jobs = 0;
  let isBroken = false;
  const fail = (job: number): void =>
    listeners.get(job)?.({ kind: "failed", job, message: "the worker of this page does not run" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) =>
    listeners.get(data.job)?.(data),
  );
  // A script that could not be loaded never answers.
  worker.addEventListener("error", () => {
    isBroken = true;
    for (const job of [...listeners.keys()]) fail(job);
  });
  const send = (message: ToWorker): void => {
    if (isBroken) queueMicrotask(() => fail(message.job));
    else worker.postMessage(message);
  };

  return {
    check(source, lists, engine, { onProgress, onFinished, onFailed }) {
      const job = ++jobs;
      listeners.set(job, (message) => {
        if (message.kind === "progress") return onProgress(message.progress);
        listeners.delete(job);
        if (message.kind === "finished") onFinished(message.progress, message.isCancelled);
        else if (message.kind === "failed") onFailed(message.message);
      });
      send({ kind: "check", job, source, ...lists, engine });
      return job;
    },
    cancel: (job) => send({ kind: "cancel", job }),
    ask<Q extends Question>(question: Q, asked: Asked<Q>) {
      const job = ++jobs;
      return new Promise<Answer<Q>>((resolve, reject) => {
        listeners.set(job, (message) => {
          listeners.delete(job);
          if (message.kind === "answer") resolve(message.answer as Answer<Q>);
          else if (message.kind === "failed") reject(new Error(message.message));
        });
        send({ kind: "ask", job, question, asked } as ToWorker);
      });
    },
  };
}
