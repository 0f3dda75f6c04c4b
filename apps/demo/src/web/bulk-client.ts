import type { PrefixList } from "@x/prefix-list";
import type { HashEngine } from "@x/sha256-prefix";
import type { EngineChoice } from "./model/link.ts";
import type { FromWorker, ToWorker } from "./model/messages.ts";
import type { ReadList } from "./model/read-list.ts";
import type { Row } from "./model/row.ts";
import { scriptUrl } from "./script-url.ts";
import bulkUrl from "./workers/bulk.ts?worker&url";

export interface CheckHandlers {
  readonly onRows: (rows: readonly Row[], done: number, total: number) => void;
  readonly onFinished: (isCancelled: boolean, engine: HashEngine, milliseconds: number) => void;
  readonly onFailed: (message: string) => void;
}

/** The page's side of the worker. */
export interface BulkClient {
  /** Checks the lines of `octets`; gives what stops it. */
  check(
    octets: Uint8Array,
    lists: readonly PrefixList[],
    engine: EngineChoice,
    handlers: CheckHandlers,
  ): () => void;
  /** Rejects with what is wrong with the file. */
  readList(octets: Uint8Array, name: string): Promise<ReadList>;
}

/** Starts the worker at once: later it would be a request that tells when somebody began to work. */
export function startBulkClient(): BulkClient {
  const worker = new Worker(scriptUrl(bulkUrl), { type: "module" });
  const listeners = new Map<number, (message: FromWorker) => void>();
  let jobs = 0;
  let isBroken = false;
  const fail = (job: number): void =>
    listeners.get(job)?.({ kind: "failed", job, message: "the worker of this page does not run" });
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) =>
    listeners.get(data.job)?.(data),
  );
  // A script that could not be loaded answers nothing: not what it was asked, and not what it will be.
  worker.addEventListener("error", () => {
    isBroken = true;
    for (const job of [...listeners.keys()]) fail(job);
  });
  const ask = (message: ToWorker): void => {
    if (isBroken) fail(message.job);
    else worker.postMessage(message);
  };

  return {
    check(octets, lists, engine, { onRows, onFinished, onFailed }) {
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
      ask({ kind: "check", job, octets, lists, engine });
      return () => ask({ kind: "cancel", job });
    },
    readList(octets, name) {
      const job = ++jobs;
      return new Promise((resolve, reject) => {
        listeners.set(job, (message) => {
          listeners.delete(job);
          if (message.kind === "list") resolve({ list: message.list, badLines: message.badLines });
          else if (message.kind === "failed") reject(new Error(message.message));
        });
        ask({ kind: "read-list", job, octets, name });
      });
    },
  };
}
