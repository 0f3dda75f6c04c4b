import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";
import { Server as TlsServer } from "node:tls";
import { createGrpcServer, type GrpcServer } from "./grpc/grpc-server.ts";
import { unreadAnswers } from "./http/answer-memory.ts";
import { createHttpServer, type HttpOptions } from "./http/http-server.ts";
import { type Address, listen } from "./listen.ts";
import type { ServerLog } from "./log.ts";
import { withoutInput } from "./logged-error.ts";
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
  /** The address of the gRPC server; without an address, gRPC is not served. */
  readonly grpc?: Address | undefined;
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
  /** The origin for gRPC, such as `http://127.0.0.1:9090`; `null` if gRPC is not served. */
  grpcOrigin: string | null;
  /** The origin for operators, such as `http://127.0.0.1:8081`; `null` if operators have no separate address. */
  adminOrigin: string | null;
}

/** The servers of a site: an HTTP server for everyone and, if they are wanted, others for gRPC and for operators. */
export interface Endpoints {
  readonly main: HttpServer;
  readonly grpc: GrpcServer | null;
  readonly admin: HttpServer | null;
  readonly origins: Origins;
  /** Whether the server is stopping, and only finishes answers in progress. */
  isStopping: boolean;
}

/** Creates the endpoints, which do not listen yet. */
export function createEndpoints(
  { grpc, admin, tls, behindProxy, log }: EndpointOptions,
  site: () => Site,
  metrics: Metrics,
): Endpoints {
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
  return {
    main: createHttpServer({
      ...connection,
      answer: (request) => site().http.answer(request),
      answerStream: (head, body) => site().http.answerStream(head, body),
    }),
    grpc:
      grpc === undefined
        ? null
        : createGrpcServer({ ...connection, answer: (call) => site().grpc(call) }),
    admin:
      admin === undefined
        ? null
        : createHttpServer({
            ...connection,
            tls: null,
            behindProxy: false,
            answer: (request) => site().admin.answer(request),
          }),
    origins: { origin: "", grpcOrigin: null, adminOrigin: null },
    isStopping: false,
  };
}

/** Starts to listen at all endpoints. If one endpoint fails, closes the others and throws. */
export async function listenAtAll(
  { main, grpc, admin, origins }: Endpoints,
  options: EndpointOptions,
): Promise<void> {
  const listening: Server[] = [];
  const begin = async (server: Server, address: Address, isTls: boolean): Promise<string> => {
    const at = await listen(server, address, isTls);
    listening.push(server);
    return at;
  };
  try {
    const isTls = options.tls !== null;
    origins.origin = await begin(main, options.listen, isTls);
    if (grpc !== null) origins.grpcOrigin = await begin(grpc.server, options.grpc!, isTls);
    if (admin !== null) origins.adminOrigin = await begin(admin, options.admin!, false);
  } catch (error) {
    for (const each of listening) each.close();
    throw error;
  }
}

/** Sets the certificate for new connections. */
export function useCertificate({ main, grpc }: Endpoints, certificate: Certificate): void {
  for (const each of [main, grpc?.server]) {
    if (each instanceof TlsServer) each.setSecureContext(certificate);
  }
}
