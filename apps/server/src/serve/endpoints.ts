import cluster from "node:cluster";
import { lstat, unlink } from "node:fs/promises";
import { type AddressInfo, connect, isIPv6, type Server } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { StoreError } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import { unreadAnswers } from "./http/answer-memory.ts";
import { createHttpServer, drain, type HttpOptions } from "./http/http-server.ts";
import type { ServerLog } from "./log.ts";
import type { Metrics } from "./pages/metrics.ts";
import type { Site } from "./site.ts";

/** A certificate chain and its key, as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** When the first certificate of the chain expires, in milliseconds since 1970. */
  readonly expires: number;
}

export interface EndpointOptions {
  readonly listen: Address;
  /**
   * The address at which `/metrics`, `/readyz` and `/healthz` are served without TLS. By default, they are served at
   * `listen`.
   */
  readonly admin?: Address | undefined;
  readonly tls: Certificate | null;
  /** Whether a trusted proxy puts the client's address into `X-Forwarded-For`. */
  readonly behindProxy: boolean;
  readonly log: ServerLog;
}

export interface Origins {
  /** The public origin, such as `http://127.0.0.1:8080` or `unix:/run/lists.sock`; empty before the server listens. */
  origin: string;
  /** The origin for operators, such as `http://127.0.0.1:8081`; `null` if operators have no separate address. */
  adminOrigin: string | null;
}

/** The servers of a site: an HTTP server for everyone and, if it is wanted, another one for operators. */
interface Endpoints {
  readonly origins: Origins;
  /** Whether the server is stopping, and only finishes answers in progress. */
  isStopping(): boolean;
  /** Starts to listen at all endpoints. If one endpoint fails, closes the others and throws. */
  listen(): Promise<void>;
  /** Sets the certificate for new connections. */
  useCertificate(certificate: Certificate): void;
  /** Finishes the answers in progress. Idle connections are kept for `linger` milliseconds. */
  drain(linger: number): Promise<void>;
}

/** How long answers in progress may still take when the server is told to stop, in milliseconds. */
const DRAIN = 10_000;

/** Creates the endpoints, which do not listen yet. */
export function createEndpoints(
  options: EndpointOptions,
  site: () => Site,
  metrics: Metrics,
): Endpoints {
  const { tls, behindProxy, log } = options;
  const shared: Omit<HttpOptions, "answer" | "tls"> = {
    unread: unreadAnswers(),
    onReply(reply, method, bytes, milliseconds) {
      metrics.onReply(reply, milliseconds / 1000);
      log.request(reply, method, bytes, milliseconds);
    },
    onError: (error) => log.error("request failed", { err: withoutInput(error) }),
  };
  const main = createHttpServer({
    ...{ ...shared, tls, behindProxy },
    answer: (request) => site().http.answer(request),
    answerStream: (head, body) => site().http.answerStream(head, body),
  });
  const admin = createHttpServer({
    ...{ ...shared, tls: null },
    answer: (request) => site().answerAdmin(request),
  });
  const origins: Origins = { origin: "", adminOrigin: null };
  let isStopping = false;
  return {
    origins,
    isStopping: () => isStopping,
    async listen() {
      origins.origin = await listen(main, options.listen, tls !== null);
      if (options.admin === undefined) return;
      try {
        origins.adminOrigin = await listen(admin, options.admin, false);
      } catch (error) {
        main.close();
        throw error;
      }
    },
    useCertificate(certificate) {
      if (main instanceof TlsServer) main.setSecureContext(certificate);
    },
    async drain(linger) {
      isStopping = true;
      await drain(main, DRAIN, linger);
      // The operators' server stops last, so that `/healthz` is answered until the other server has stopped.
      if (origins.adminOrigin !== null) await drain(admin, DRAIN);
    },
  };
}

/**
 * An error for the log. Messages of store errors name only files and objects. Other messages may repeat a client's
 * input, so they are left out.
 */
function withoutInput(error: unknown): { type: string; message?: string; stack: string } {
  const { name = "Error", stack = "" } = error instanceof Error ? error : {};
  return {
    type: name,
    ...(hasName<StoreError>(error, "StoreError") && { message: error.message }),
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
  };
}

/** An address that a server can listen on. */
export type Address =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  /** A socket that the parent process opened, as systemd does for a socket unit. */
  | { readonly kind: "inherited"; readonly descriptor: number };

/** Whether a path is a Unix socket that a server left behind when it ended. */
async function isLeftOver(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => null);
  if (!facts?.isSocket()) return false;
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => settle(false));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code === "ECONNREFUSED"));
  });
}

/** Removes a Unix socket that a killed server left behind. */
export async function removeLeftOver(address: Address): Promise<void> {
  if (address.kind === "unix" && (await isLeftOver(address.path))) await unlink(address.path);
}

function begin(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const done = () => {
      server.off("error", reject);
      resolve();
    };
    switch (address.kind) {
      case "tcp":
        return server.listen(address.port, address.host, done);
      case "unix":
        return server.listen(address.path, done);
      case "inherited":
        return server.listen({ fd: address.descriptor }, done);
    }
  });
}

/** The origin of a listening server, such as `http://127.0.0.1:8080` or `unix:/run/lists.sock`. */
function originOf(server: Server, address: Address, isTls: boolean): string {
  const bound = server.address() as AddressInfo | string | null;
  if (bound === null || typeof bound === "string") return `unix:${bound ?? ""}`;
  const host = address.kind === "tcp" ? address.host : bound.address;
  return `${isTls ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${bound.port}`;
}

/** Starts to listen, and returns the origin. Replaces a Unix socket that a killed server left behind. */
export async function listen(server: Server, address: Address, isTls: boolean): Promise<string> {
  // The socket that the main process of several has opened would look as if it were left over, too.
  if (cluster.isPrimary) await removeLeftOver(address);
  await begin(server, address);
  return originOf(server, address, isTls);
}
