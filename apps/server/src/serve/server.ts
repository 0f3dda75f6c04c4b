import type { Server } from "node:net";
import { Server as TlsServer } from "node:tls";
import { StoreError } from "@x/list-store";
import { type Address, listen } from "./address.ts";
import { type Aside, asideInThread } from "./aside/aside.ts";
import { createGrpcServer } from "./grpc/grpc-server.ts";
import { createHttpServer, drain, type HttpOptions } from "./http/http-server.ts";
import { unreadAnswers } from "./http/unread-answers.ts";
import { type LocalHashes, localHashes } from "./lists/local-hashes.ts";
import type { ServedLists } from "./lists/served-lists.ts";
import type { ServerLog } from "./log.ts";
import { problemsForLog } from "./pages/health.ts";
import { createMetrics } from "./pages/metrics.ts";
import { pollLists } from "./poll-lists.ts";
import { createSite, type Site, type SiteOptions } from "./site.ts";
import { codedUpdates } from "./updates/coded-updates.ts";
import { type MemoryOptions, versionMemory } from "./version-memory.ts";

/** A certificate chain and its key, as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** When the first certificate of the chain expires, in milliseconds since 1970. */
  readonly expires: number;
}

export interface ServerOptions extends SiteOptions, MemoryOptions {
  readonly listen: Address;
  /** Where gRPC is served; without it, it is not. */
  readonly grpc?: Address | undefined;
  /** Where `/metrics`, `/readyz` and `/healthz` are served, without TLS; without it, together with everything else. */
  readonly admin?: Address | undefined;
  readonly tls: Certificate | null;
  /** How many bytes of full hashes may be in memory. */
  readonly hashMemory: number;
  /** The folder for files with all other full hashes. */
  readonly hashFolder: string;
  /** Whether a trusted proxy sets `X-Forwarded-For` to the address of the client. */
  readonly behindProxy: boolean;
  /** Metrics that are measured elsewhere, in the text format of Prometheus. */
  readonly moreMetrics?: () => Promise<string>;
  /** Does the work on long lists; by default in a separate thread. */
  readonly aside?: Aside;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8080`, or `unix:/run/lists.sock`. */
  readonly origin: string;
  /** Such as `http://127.0.0.1:9090`; `null` when gRPC is not served. */
  readonly grpcOrigin: string | null;
  /** Such as `http://127.0.0.1:8081`; `null` when nothing is served apart. */
  readonly adminOrigin: string | null;
  readonly lists: ServedLists;
  /** Updates the lists of other servers now. */
  updateUpstreams(): Promise<void>;
  /** Serves with other settings from now on. Throws if a list that is served now could not be; nothing changes then. */
  reload(options: SiteOptions): Promise<void>;
  /** Counts for the metrics whether settings or a certificate could be read again. */
  onReload(isSuccessful: boolean): void;
  /** New connections get this certificate. */
  useCertificate(certificate: Certificate): void;
  /** Finishes the answers in progress, and stops. Idle connections are kept for `linger` milliseconds. */
  stop(linger?: number): Promise<void>;
}

/** How long answers in progress may still take when the server is told to stop. */
const DRAIN = 10_000;

/** Logs which lists are missing or have a problem at the start. */
function logProblems(
  { lists, options: { keys, optional = new Set() } }: Site,
  log: ServerLog,
): void {
  for (const { message, facts } of problemsForLog(lists)) log.error(message, facts);
  const names = new Set(lists.all().map(({ name }) => name));
  for (const list of keys.lists) {
    // The list may be published later, so the server starts anyway.
    if (!names.has(list)) {
      log.error(`The API keys name the list ${list}, which is not in the store.`, { list });
    }
  }
  for (const list of optional) {
    if (!names.has(list)) log.error(`The optional list ${list} is not in the store.`, { list });
  }
}

/** Reads all lists of a site. Those that it took over from the one before stay as they are. */
async function load(site: Site, before: Site | null): Promise<void> {
  const fresh = site.upstreams.filter((each) => !before?.upstreams.includes(each));
  await Promise.all(fresh.map((each) => each.load()));
  await site.lists.refresh();
}

/** Throws when a list that is served now would no longer be. */
function checkServed(now: Site, next: Site): void {
  const served = new Set(now.lists.all().flatMap((each) => (each.loaded ? [each.name] : [])));
  const lost = next.lists.all().find(({ name, loaded }) => loaded === null && served.has(name));
  if (lost === undefined) return;
  throw new Error(
    `with the new settings, the list ${lost.name} could not be served: ${lost.problem}`,
  );
}

/** Drops the full hashes of lists that are not served after all. */
function dropAll(hashes: LocalHashes, lists: ServedLists): void {
  for (const { loaded } of lists.all()) if (loaded !== null) hashes.drop(loaded);
}

/** Serves the lists of a store until it is stopped. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { log, tls, behindProxy, aside = asideInThread() } = options;
  let certificate = tls;
  let origin = "";
  let isStopping = false;
  let site: Site;
  const hashes = localHashes({
    memory: options.hashMemory,
    folder: options.hashFolder,
    onUnreadable({ entry: { manifest } }, error) {
      const { list, version } = manifest;
      log.error(`Full hashes cannot be read: ${error.message}`, { list, version });
    },
  });
  /** Drops the full hashes of versions that are no longer served. */
  function shown(isChanged: boolean): boolean {
    if (isChanged) hashes.dropOlder(site.stored.lists.all());
    return isChanged;
  }
  const lists: ServedLists = {
    all: () => site.lists.all(),
    refresh: async () => shown(await site.lists.refresh()),
    expire: () => shown(site.lists.expire()),
  };
  const metrics = createMetrics({
    lists,
    upstreams: () => site.upstreams,
    isPrivate: (list) => site.options.keys.isPrivate(list),
    isOptional: (list) => site.isOptional(list),
    more: options.moreMetrics ?? (async () => ""),
    certificateExpires: () => certificate?.expires ?? null,
  });
  const context = {
    aside,
    coded: codedUpdates(aside),
    hashes,
    metrics,
    log,
    memory: versionMemory(options),
    hasAdmin: options.admin !== undefined,
    origin: () => (origin.startsWith("unix:") ? "http://localhost" : origin),
    isStopping: () => isStopping,
  };
  site = createSite(options, context);
  const connection: Omit<HttpOptions, "answer" | "answerStream"> = {
    tls,
    behindProxy,
    unread: unreadAnswers(),
    onReply(reply, method, bytes, milliseconds, from) {
      metrics.onReply(reply, milliseconds / 1000);
      log.request(reply, method, bytes, milliseconds, from);
    },
    onError: (error) => log.error("request failed", { err: withoutInput(error) }),
  };
  const server = createHttpServer({
    ...connection,
    answer: (request) => site.http.answer(request),
    answerStream: (head, body) => site.http.answerStream(head, body),
  });
  const grpc =
    options.grpc === undefined
      ? null
      : createGrpcServer({ ...connection, answer: (call) => site.grpc(call) });
  const admin =
    options.admin === undefined
      ? null
      : createHttpServer({
          ...connection,
          tls: null,
          behindProxy: false,
          answer: (request) => site.admin.answer(request),
        });

  await load(site, null);
  hashes.dropOlder(site.stored.lists.all());
  logProblems(site, log);
  const listening: Server[] = [];
  const begin = async (each: Server, address: Address, isTls: boolean): Promise<string> => {
    const at = await listen(each, address, isTls);
    listening.push(each);
    return at;
  };
  let grpcOrigin: string | null = null;
  let adminOrigin: string | null = null;
  try {
    const isTls = tls !== null;
    origin = await begin(server, options.listen, isTls);
    if (grpc !== null) grpcOrigin = await begin(grpc.server, options.grpc!, isTls);
    if (admin !== null) adminOrigin = await begin(admin, options.admin!, false);
  } catch (error) {
    for (const each of listening) each.close();
    throw error;
  }
  for (const each of site.upstreams) each.start();
  const stopPolling = pollLists(lists, {
    poll: () => site.options.poll,
    log,
    onChange: () => site.forgetAnswers(),
  });
  return {
    origin,
    grpcOrigin,
    adminOrigin,
    lists,
    async updateUpstreams() {
      await Promise.all(site.upstreams.map((each) => each.update()));
    },
    async reload(settings) {
      const before = site;
      const next = createSite(settings, context, before);
      try {
        await load(next, before);
        checkServed(before, next);
      } catch (error) {
        if (next.stored !== before.stored) dropAll(hashes, next.stored.lists);
        throw error;
      } finally {
        // Lists that both have may be newer now.
        before.forgetAnswers();
      }
      site = next;
      hashes.dropOlder(next.stored.lists.all());
      for (const each of next.upstreams) if (!before.upstreams.includes(each)) each.start();
      const gone = before.upstreams.filter((each) => !next.upstreams.includes(each));
      await Promise.all(gone.map((each) => each.stop()));
      logProblems(next, log);
    },
    onReload: metrics.onReload,
    useCertificate(next) {
      for (const each of [server, grpc?.server]) {
        if (each instanceof TlsServer) each.setSecureContext(next);
      }
      certificate = next;
    },
    async stop(linger = 0) {
      isStopping = true;
      const polled = stopPolling();
      await Promise.all([drain(server, DRAIN, linger), grpc?.drain(DRAIN)]);
      // Until then, whoever asks sees that the server still answers.
      if (admin !== null) await drain(admin, DRAIN);
      await Promise.all(site.upstreams.map((each) => each.stop()));
      await polled;
      hashes.close();
      await aside.close();
    },
  };
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
