import type { Remote } from "comlink";
import type { Tasks } from "./workers/page-worker.ts";
import workerUrl from "./workers/page-worker.ts?worker&url";

/** The part of Trusted Types that is used here. Not every browser has Trusted Types. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The only way in which this page turns text into a script URL. It permits only scripts from the page's own server. */
const policy = trustedTypes?.createPolicy("urlhash", {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`${url} is not a script of this page`);
  },
});

/** Converts the URL of a script so that the browser accepts it for starting a worker. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}

export type Task = keyof Tasks;
export type Asked<T extends Task> = Parameters<Tasks[T]>[0];
export type TaskResult<T extends Task> = Awaited<ReturnType<Tasks[T]>>;

// The worker starts at once: a later request for its script would tell the server when the user began to work.
const worker = new Worker(scriptUrl(workerUrl), { type: "module" });
/** The library that calls the tasks is loaded separately, because the first answer does not need it. */
const tasks = import("comlink").then(
  ({ wrap }) => wrap<Tasks>(worker) as Remote<Record<Task, (asked: unknown) => unknown>>,
);

const unanswered = new Set<(error: Error) => void>();
let isBroken = false;

// If its script could not be loaded, the worker never answers.
worker.addEventListener("error", () => {
  isBroken = true;
  for (const reject of unanswered) reject(new Error("the worker of this page does not run"));
});

/** Asks the worker to do a task. Rejects when the task fails or the worker does not run. */
export function ask<T extends Task>(task: T, asked: Asked<T>): Promise<TaskResult<T>> {
  return new Promise<TaskResult<T>>((resolve, reject) => {
    if (isBroken) return reject(new Error("the worker of this page does not run"));
    unanswered.add(reject);
    const answer = tasks.then((all) => all[task](asked) as Promise<TaskResult<T>>);
    answer.finally(() => unanswered.delete(reject)).then(resolve, reject);
  });
}
