import type { AddressInfo, Server } from "node:net";
import { isIPv6 } from "node:net";
import { StoreError } from "../store/error.ts";
import { rememberSeen, type SeenVersions } from "../store/seen-versions.ts";
import type { Storage } from "../store/storage/storage.ts";
import { createAnswering } from "./answering.ts";
import { API_METHODS, type Api, createApi } from "./api.ts";
import type { ApiKeys } from "./api-keys.ts";
import { type Aside, asideInThread } from "./aside/aside.ts";
import { createExport } from "./export/export.ts";
import { EXPORT_OPERATIONS } from "./export/operations.ts";
import {
  createHttpServer,
  drain,
  type HttpOptions,
  type PlainRequest,
} from "./http/http-server.ts";
import type { LargeReply, Reply } from "./http/reply.ts";
import { unreadAnswers } from "./http/unread-answers.ts";
import { fullHashFinder } from "./lists/find-full-hashes.ts";
import { type ServedLists, servedLists } from "./lists/served-lists.ts";
import type { ServerLog } from "./log.ts";
import { createLookUp } from "./look-up/look-up.ts";
import { LOOK_UP_OPERATIONS } from "./look-up/operations.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { methodOperation } from "./open-api/method-operation.ts";
import { openApiDocument } from "./open-api/open-api-document.ts";
import type { Operation } from "./open-api/operation.ts";
import { problemsForLog } from "./pages/health.ts";
import { createMetrics } from "./pages/metrics.ts";
import { PAGES, type PageContext, pageOperations } from "./pages/pages.ts";
import type { GrpcOptions, GrpcServer } from "./web-risk/grpc-server.ts";

export interface ServerOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  readonly keys: ApiKeys;
  readonly seen: SeenVersions;
  /** Where the highest versions seen are remembered; `null` for nowhere. */
  readonly seenFile: string | null;
  readonly host: string;
  readonly port: number;
  /** The port for gRPC; without one, gRPC is not served. */
  readonly grpcPort?: number | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Clients get differences from this many newest versions. */
  readonly window: number;
  /** Durations in milliseconds. */
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  /** Whether a trusted proxy sets `X-Forwarded-For` to the address of the client. */
  readonly behindProxy: boolean;
  readonly log: ServerLog;
  /** Does the work on long lists; in a thread of its own by default. */
  readonly aside?: Aside;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Such as `http://127.0.0.1:9090`; `null` when gRPC is not served. */
  readonly grpcOrigin: string | null;
  readonly lists: ServedLists;
  /** Finishes the answers in progress, and stops. */
  stop(): Promise<void>;
}

/** All that the server answers, in the order of its OpenAPI document. */
const OPERATIONS: readonly Operation[] = [
  ...pageOperations(),
  ...LOOK_UP_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...API_METHODS.map(methodOperation),
];

/** How long answers in progress may take after the server was told to stop. */
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
    port,
    grpcPort,
    tls,
    behindProxy,
    aside = asideInThread(),
  } = options;
  const remember = versionMemory(options);
  const lists = servedLists({
    storage,
    publicKeys,
    window,
    seen,
    aside,
    onLoaded(list, version) {
      log.info({ list, version: version.version }, "list loaded");
      remember(list, version);
    },
  });
  const metrics = createMetrics(lists, keys.isPrivate);
  const findFullHashes = fullHashFinder(storage, lists.reportLost);
  const answering = createAnswering({
    lists,
    keys,
    wait,
    cache,
    findFullHashes,
    aside,
    now: Date.now,
  });
  const api = createApi(answering, metrics.onAnswered);
  const lookUp = createLookUp(answering, metrics.onLookUp);
  const answerExport = createExport(answering, storage);

  let origin = "";
  let apiDocument: Uint8Array | null = null;
  function openApi(): Uint8Array {
    apiDocument ??= Buffer.from(JSON.stringify(openApiDocument(OPERATIONS)));
    return apiDocument;
  }
  const routes: Routes = { api, lists, metrics, keys, origin: () => origin, openApi };
  const connection: Omit<HttpOptions, "answer"> = {
    tls,
    behindProxy,
    unread: unreadAnswers(),
    onReply(reply, method, bytes, milliseconds) {
      metrics.onReply(reply, milliseconds / 1000);
      log.request(reply, method, bytes, milliseconds);
    },
    onError: (error) => log.error({ err: withoutInput(error) }, "request failed"),
  };
  const server = createHttpServer({
    ...connection,
    answer: (request) => lookUp.answer(request) ?? answerExport(request) ?? answer(request, routes),
    answerStream: lookUp.answerStream,
  });
  const grpc =
    grpcPort === undefined ? null : await loadGrpcServer({ ...connection, answer: api.answer });

  await lists.refresh();
  for (const problem of problemsForLog(lists)) log.error(problem);
  const names = new Set(lists.all().map(({ name }) => name));
  for (const name of keys.lists) {
    // The list may be published later, so the server starts anyway.
    if (!names.has(name))
      log.error(`The API keys name the list ${name}, which is not in the store.`);
  }
  origin = await listen(server, port, options);
  const grpcOrigin =
    grpc === null
      ? null
      : await listen(grpc.server, grpcPort!, options).catch((error) => {
          server.close();
          throw error;
        });
  const polling = pollLists(lists, api, options);
  return {
    origin,
    grpcOrigin,
    lists,
    async stop() {
      polling.stop();
      await Promise.all([drain(server, DRAIN), grpc?.drain(DRAIN)]);
      await polling.stopped;
      await aside.close();
    },
  };
}

/** Loaded only when it is used, because it needs libraries that nothing else needs. */
async function loadGrpcServer(options: GrpcOptions): Promise<GrpcServer> {
  const { createGrpcServer } = await import("./web-risk/grpc-server.ts");
  return createGrpcServer(options);
}

/** Begins to listen, and returns the origin. */
async function listen(server: Server, port: number, { host, tls }: ServerOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const name = isIPv6(host) ? `[${host}]` : host;
  return `${tls === null ? "http" : "https"}://${name}:${bound.port}`;
}

/** Errors of the store name files and objects. Other messages may repeat input, so they are left out. */
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

/** Remembers each version that was seen; writes one at a time. */
function versionMemory({ seen, seenFile, log }: ServerOptions) {
  /** All of them are written each time: somebody may have removed the file meanwhile. */
  const all = new Map(seen);
  let queue = Promise.resolve();
  let hasWarned = false;
  return (list: string, version: { version: number; hash: string }): void => {
    if (seenFile === null) return;
    all.set(list, version);
    queue = queue
      .then(() => rememberSeen(seenFile, all))
      .catch((error) => {
        if (!hasWarned)
          log.warn(`The highest versions seen cannot be written down: ${(error as Error).message}`);
        hasWarned = true;
      });
  };
}

/** How often, at least, it is checked that no list has expired, in milliseconds. */
const EXPIRY_CHECK = 1000;
/** The longest time that Node's timers can wait. */
const MAX_TIMER = 2 ** 31 - 1;

/** How long until a list expires: none is served after that. */
function timeLeft(lists: ServedLists): number {
  const expiries = lists.all().map(({ loaded }) => loaded?.entry.manifest.expires ?? Infinity);
  return Math.max(0, Math.min(...expiries) - Date.now());
}

/** Looks for new versions at regular intervals. */
function pollLists(
  lists: ServedLists,
  api: Api,
  { poll, log }: ServerOptions,
): { stop(): void; stopped: Promise<void> } {
  let timer: NodeJS.Timeout;
  let expiry: NodeJS.Timeout;
  let wake: () => void = () => {};
  let isStopped = false;
  let problems = problemsForLog(lists).join();
  async function run(): Promise<void> {
    while (!isStopped) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, Math.min(poll, timeLeft(lists), MAX_TIMER));
      });
      if (isStopped) return;
      try {
        if (await lists.refresh()) api.forgetAnswers();
      } catch (error) {
        log.error(`The store cannot be read: ${(error as Error).message}`);
      }
      const now = problemsForLog(lists);
      if (now.join() !== problems) for (const problem of now) log.error(problem);
      problems = now.join();
    }
  }
  /** The store may take any time to answer, and a list expires meanwhile. */
  function watchExpiry(): void {
    if (lists.expire()) api.forgetAnswers();
    // A list that is loaded meanwhile may expire sooner.
    expiry = setTimeout(watchExpiry, Math.min(timeLeft(lists) + 1, EXPIRY_CHECK));
  }
  watchExpiry();
  return {
    stopped: run(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(expiry);
      wake();
    },
  };
}

interface Routes extends PageContext {
  readonly api: Api;
}

/** In characters. The paths of most other requests are longer. */
const LONGEST_PAGE_PATH = Math.max(...[...PAGES.keys()].map(({ length }) => length));

function answer(request: PlainRequest, routes: Routes): MaybePromise<Reply | LargeReply> {
  if (request.method !== "GET") return routes.api.answer(request);
  const query = request.target.indexOf("?");
  const end = query < 0 ? request.target.length : query;
  const page = end > LONGEST_PAGE_PATH ? undefined : PAGES.get(request.target.slice(0, end));
  return page?.answer(routes) ?? routes.api.answer(request);
}
