import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix/batch";
import type { EngineChoice } from "./model/engine.ts";
import type { Answer, Asked, FromWorker, Question, ToWorker } from "./model/messages.ts";
import type { Row } from "./model/row.ts";
import { scriptUrl } from "./script-url.ts";
import workerUrl from "./workers/page-worker.ts?worker&url";

export interface CheckHandlers {
  readonly onRows: (rows: readonly Row[], done: number, total: number) => void;
  readonly onFinished: (isCancelled: boolean, engine: HashEngine, milliseconds: number) => void;
  readonly onFailed: (message: string) => void;
}

/** The worker, as the page sees it. */
export interface WorkerClient {
  /** Checks the lines of `bytes`. Returns a function that stops it. */
  check(
    bytes: Uint8Array,
    lists: { readonly lists: readonly PrefixList[]; readonly safeLists: readonly PrefixList[] },
    engine: EngineChoice,
    handlers: CheckHandlers,
  ): () => void;
  /** Rejects when the question cannot be answered. */
  ask<Q extends Question>(question: Q, asked: Asked<Q>): Promise<Answer<Q>>;
}

/** Starts the worker at once. Later, the request for it would show when somebody began to work. */
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
    if (isBroken) fail(message.job);
    else worker.postMessage(message);
  };

  return {
    check(bytes, lists, engine, { onRows, onFinished, onFailed }) {
      const job = ++jobs;
      listeners.set(job, (message) => {
        if (message.kind === "rows") return onRows(message.rows, message.done, message.total);
        listeners.delete(job);
        if (message.kind === "finished") {
          onFinished(message.isCancelled, message.engine, message.milliseconds);
        } else if (message.kind === "failed") {
          onFailed(message.message);
        }
      });
      send({ kind: "check", job, bytes, ...lists, engine });
      return () => send({ kind: "cancel", job });
    },
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
