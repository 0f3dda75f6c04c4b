import { Server as TlsServer } from "node:tls";
import type { StoreError } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import { unreadAnswers } from "./http/answer-memory.ts";
import { createHttpServer, drain, type HttpOptions } from "./http/http-server.ts";
import { type Address, listen } from "./listen.ts";
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
