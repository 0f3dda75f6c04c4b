import type { AddressInfo, Server } from "node:net";
import { isIPv6 } from "node:net";
import { type Storage, StoreError } from "@x/list-store";
import { createAnswering } from "./answering.ts";
import { createApi } from "./api.ts";
import type { ApiKeys } from "./api-keys.ts";
import { type Aside, asideInThread } from "./aside/aside.ts";
import { createExport } from "./export/export.ts";
import { createGrpcServer } from "./grpc/grpc-server.ts";
import { webRiskService } from "./grpc/web-risk-service.ts";
import { createHttpServer, drain, type HttpOptions } from "./http/http-server.ts";
import { unreadAnswers } from "./http/unread-answers.ts";
import { fullHashFinder } from "./lists/find-full-hashes.ts";
import type { Prepare } from "./lists/list-keeper.ts";
import { listedSinceFinder } from "./lists/listed-since.ts";
import { type LocalHashes, localHashes } from "./lists/local-hashes.ts";
import type { ServedLists } from "./lists/served-lists.ts";
import { storedLists } from "./lists/stored-lists.ts";
import { createLookUp } from "./look-up/look-up.ts";
import { problemsForLog } from "./pages/health.ts";
import { createListedSince } from "./pages/listed-since.ts";
import { createMetrics } from "./pages/metrics.ts";
import { NO_OPERATOR, type Operator } from "./pages/operator.ts";
import { pollLists } from "./poll-lists.ts";
import { createCallRunner } from "./protocols/run-calls.ts";
import { createRoutes, dispatch, METHODS } from "./routes.ts";
import { type CodedUpdates, codedUpdates } from "./updates/coded-updates.ts";
import { prepareUpdates } from "./updates/prepare-updates.ts";
import { joinLists } from "./upstream/join-lists.ts";
import { type UpstreamOptions, upstreamLists } from "./upstream/upstream-lists.ts";
import { type MemoryOptions, versionMemory } from "./version-memory.ts";

export interface ServerOptions extends MemoryOptions {
  readonly storage: Storage;
  readonly publicKeys: readonly string[];
  readonly keys: ApiKeys;
  readonly host: string;
  readonly port: number;
  /** The port for gRPC; without one, gRPC is not served. */
  readonly grpcPort?: number | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Other servers whose lists this server fetches and serves. */
  readonly upstreams?: readonly UpstreamOptions[];
  /** Serves only these lists; by default, all lists in the storage. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The server is ready even if one of these lists has a problem. */
  readonly optional?: ReadonlySet<string> | undefined;
  /** How many bytes of full hashes may be in memory. */
  readonly hashMemory: number;
  /** The folder for files with all other full hashes. */
  readonly hashFolder: string;
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  /** Durations in milliseconds. */
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  /** Whether a trusted proxy sets `X-Forwarded-For` to the address of the client. */
  readonly behindProxy: boolean;
  /** Who runs the server, for its pages. */
  readonly operator?: Operator;
  /** Does the work on long lists; by default in a separate thread. */
  readonly aside?: Aside;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Such as `http://127.0.0.1:9090`; `null` when gRPC is not served. */
  readonly grpcOrigin: string | null;
  readonly lists: ServedLists;
  /** Updates the lists of other servers now. */
  updateUpstreams(): Promise<void>;
  /** Finishes the answers in progress, and stops. */
  stop(): Promise<void>;
}

/** How long answers in progress may still take when the server is told to stop. */
const DRAIN = 10_000;

/** The lists of the store and those of other servers. */
function keptLists(options: ServerOptions, aside: Aside, coded: CodedUpdates, hashes: LocalHashes) {
  const { window, log } = options;
  const prepare: Prepare = (...versions) => prepareUpdates(coded, ...versions);
  const upstreams = (options.upstreams ?? []).map((each) =>
    upstreamLists(each, { window, aside, log, prepare }),
  );
  const remember = versionMemory(options);
  const stored = storedLists({
    ...options,
    aside,
    hashes,
    prepare,
    onLoaded(list, version) {
      log.info("list loaded", { list, version: version.version });
      remember(list, version);
    },
  });
  return { lists: joinLists(stored, upstreams), upstreams };
}

/** Logs which lists are missing or have a problem at the start. */
function logProblems(lists: ServedLists, { keys, optional, log }: ServerOptions): void {
  for (const problem of problemsForLog(lists)) log.error(problem);
  const names = new Set(lists.all().map(({ name }) => name));
  for (const name of keys.lists) {
    // The list may be published later, so the server starts anyway.
    if (!names.has(name))
      log.error(`The API keys name the list ${name}, which is not in the store.`);
  }
  for (const name of optional ?? []) {
    if (!names.has(name)) log.error(`The optional list ${name} is not in the store.`);
  }
}

/** Serves the lists of a store until it is stopped. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { storage, keys, window, log, tls, grpcPort } = options;
  const { operator = NO_OPERATOR, optional = new Set(), aside = asideInThread() } = options;
  const coded = codedUpdates(aside);
  const hashes = localHashes({ memory: options.hashMemory, folder: options.hashFolder });
  const { lists, upstreams } = keptLists(options, aside, coded, hashes);
  const isOptional = (list: string) => optional.has(list);
  const metrics = createMetrics(lists, upstreams, { isPrivate: keys.isPrivate, isOptional });
  const answering = createAnswering({
    ...{ lists, keys, wait: options.wait, cache: options.cache, now: Date.now },
    findFullHashes: fullHashFinder(hashes),
    codedUpdates: coded,
  });
  const calls = createCallRunner(answering, metrics.onAnswered);
  const api = createApi(answering, calls, METHODS);
  const lookUp = createLookUp(answering, metrics.onLookUp);
  const files = createExport(answering, storage);
  const findListedSince = listedSinceFinder({ window });
  const listedSince = createListedSince(answering, findListedSince, operator);
  let origin = "";
  const routes = createRoutes({
    ...{ api, lookUp, files, metrics, listedSince, operator, isOptional, lists, keys },
    origin: () => origin,
  });
  const connection: Omit<HttpOptions, "answer" | "answerStream"> = {
    tls,
    behindProxy: options.behindProxy,
    unread: unreadAnswers(),
    onReply(reply, method, bytes, milliseconds) {
      metrics.onReply(reply, milliseconds / 1000);
      log.request(reply, method, bytes, milliseconds);
    },
    onError: (error) => log.error("request failed", { err: withoutInput(error) }),
  };
  const server = createHttpServer({ ...connection, ...dispatch(routes, api) });
  const grpc =
    grpcPort === undefined
      ? null
      : createGrpcServer({ ...connection, answer: webRiskService(calls) });

  await Promise.all(upstreams.map((each) => each.load()));
  await lists.refresh();
  logProblems(lists, options);
  origin = await listen(server, options.port, options);
  const grpcOrigin =
    grpc === null
      ? null
      : await listen(grpc.server, grpcPort!, options).catch((error) => {
          server.close();
          throw error;
        });
  for (const each of upstreams) each.start();
  const stopPolling = pollLists(lists, { poll: options.poll, log, onChange: api.forgetAnswers });
  return {
    origin,
    grpcOrigin,
    lists,
    async updateUpstreams() {
      await Promise.all(upstreams.map((each) => each.update()));
    },
    async stop() {
      const polled = stopPolling();
      await Promise.all([drain(server, DRAIN), grpc?.drain(DRAIN)]);
      await Promise.all(upstreams.map((each) => each.stop()));
      await polled;
      hashes.close();
      await aside.close();
    },
  };
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

/** An error for the log. Messages of store errors name files and objects. Others may repeat input, and are left out. */
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
