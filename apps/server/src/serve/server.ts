import type { AddressInfo } from "node:net";
import { isIPv6 } from "node:net";
import { StoreError } from "../store/error.ts";
import { rememberSeen, type SeenVersions } from "../store/seen-versions.ts";
import type { Storage } from "../store/storage/storage.ts";
import { type Api, createApi } from "./api.ts";
import type { ApiKeys } from "./api-keys.ts";
import { createHttpServer, drain, type PlainRequest } from "./http/http-server.ts";
import type { Reply } from "./http/reply.ts";
import { fullHashFinder } from "./lists/find-full-hashes.ts";
import { type ServedLists, servedLists } from "./lists/served-lists.ts";
import type { ServerLog } from "./log.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { healthReply, problemsOf, readyReply } from "./pages/health.ts";
import { createMetrics, type Metrics } from "./pages/metrics.ts";
import { statusPage } from "./pages/status-page.ts";

export interface ServerOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  readonly keys: ApiKeys;
  readonly seen: SeenVersions;
  /** Where the highest versions seen are remembered; `null` for nowhere. */
  readonly seenFile: string | null;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Differences are answered from so many newest versions. */
  readonly window: number;
  /** Durations in milliseconds. */
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  /** Whether clients are told apart by `X-Forwarded-For`, which a proxy of one's own sets. */
  readonly behindProxy: boolean;
  readonly log: ServerLog;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly lists: ServedLists;
  /** Finishes the answers that are under way, and stops. */
  stop(): Promise<void>;
}

/** How long answers that are under way may take after the server was told to stop. */
const DRAIN = 10_000;

/** Serves the lists of a store until it is stopped. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    storage,
    publicKeys,
    keys,
    seen,
    window,
    wait,
    cache,
    log,
    host,
    port,
    tls,
    behindProxy,
  } = options;
  const remember = versionMemory(options);
  const lists = servedLists({
    storage,
    publicKeys,
    window,
    seen,
    onLoaded(list, version) {
      log.info({ list, version: version.version }, "list loaded");
      remember(list, version);
    },
  });
  const metrics = createMetrics(lists, keys.isPrivate);
  const api = createApi(
    {
      lists,
      keys,
      wait,
      cache,
      findFullHashes: fullHashFinder(storage, lists.reportLost),
      now: Date.now,
    },
    metrics.onAnswered,
  );

  let origin = "";
  const routes: Routes = { api, lists, metrics, keys, origin: () => origin };
  const server = createHttpServer({
    tls,
    behindProxy,
    answer: (request) => answer(request, routes),
    onReply(reply, method, bytes, milliseconds) {
      metrics.onReply(reply, milliseconds / 1000);
      log.request(reply, method, bytes, milliseconds);
    },
    onError: (error) => log.error({ err: withoutInput(error) }, "request failed"),
  });

  await lists.refresh();
  for (const problem of problemsOf(lists)) log.error(problem);
  const names = new Set(lists.all().map(({ name }) => name));
  for (const name of keys.lists) {
    // It may be published later, and so this is no reason not to start.
    if (!names.has(name))
      log.error(`The API keys name the list ${name}, which is not in the store.`);
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const polling = pollLists(lists, api, options);
  const bound = server.address() as AddressInfo;
  const name = isIPv6(host) ? `[${host}]` : host;
  origin = `${tls === null ? "http" : "https"}://${name}:${bound.port}`;
  return {
    origin,
    lists,
    async stop() {
      polling.stop();
      await drain(server, DRAIN);
      await polling.stopped;
    },
  };
}

/** Errors of the store name files and objects. The messages of others may repeat input, and are left out. */
function withoutInput(error: unknown): { type: string; message?: string; stack: string } {
  const { name = "Error", stack = "" } = error instanceof Error ? error : {};
  return {
    type: name,
    ...(error instanceof StoreError && { message: error.message }),
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
  };
}

/** Writes down each version seen, one after the other. */
function versionMemory({ seenFile, log }: ServerOptions) {
  let queue = Promise.resolve();
  let hasWarned = false;
  return (list: string, version: { version: number; hash: string }): void => {
    if (seenFile === null) return;
    queue = queue
      .then(() => rememberSeen(seenFile, list, version))
      .catch((error) => {
        if (!hasWarned)
          log.warn(`The versions seen cannot be remembered: ${(error as Error).message}`);
        hasWarned = true;
      });
  };
}

/** Looks for new versions again and again. */
function pollLists(
  lists: ServedLists,
  api: Api,
  { poll, log }: ServerOptions,
): { stop(): void; stopped: Promise<void> } {
  let timer: NodeJS.Timeout;
  let wake: () => void = () => {};
  let isStopped = false;
  let problems = problemsOf(lists).join();
  async function run(): Promise<void> {
    while (!isStopped) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, poll);
      });
      if (isStopped) return;
      try {
        if (await lists.refresh()) api.forgetAnswers();
      } catch (error) {
        log.error(`The store cannot be read: ${(error as Error).message}`);
      }
      const now = problemsOf(lists);
      if (now.join() !== problems) for (const problem of now) log.error(problem);
      problems = now.join();
    }
  }
  return {
    stopped: run(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      wake();
    },
  };
}

interface Routes {
  readonly api: Api;
  readonly lists: ServedLists;
  readonly metrics: Metrics;
  readonly keys: ApiKeys;
  readonly origin: () => string;
}

async function metricsReply(metrics: Metrics): Promise<Reply> {
  return {
    route: "metrics",
    status: 200,
    headers: { "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
    body: Buffer.from(await metrics.text()),
  };
}

function answer(request: PlainRequest, routes: Routes): MaybePromise<Reply> {
  const { api, lists, metrics, keys, origin } = routes;
  const query = request.target.indexOf("?");
  switch (query < 0 ? request.target : request.target.slice(0, query)) {
    case "/healthz":
      return healthReply();
    case "/readyz":
      return readyReply(lists, keys.isPrivate);
    case "/metrics":
      return metricsReply(metrics);
    case "/": {
      const publicLists = lists.all().filter(({ name }) => !keys.isPrivate(name));
      return statusPage(publicLists, origin(), Date.now());
    }
    default:
      return api.answer(request);
  }
}
