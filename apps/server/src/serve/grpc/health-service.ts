import { hasName } from "@x/sha256-prefix/has-name";
import { decodeMessage, encodeMessage, type MessageType, type WireError } from "@x/wire";
import type { CallAnswerer } from "./answer-call.ts";
import { CODES, GrpcProblem } from "./grpc-problem.ts";
import { SERVICE as WEB_RISK } from "./web-risk-service.ts";

/*
 * The service `grpc.health.v1.Health`, with which load balancers check whether a gRPC server is ready. Only `Check` is
 * implemented. As the protocol says, clients treat a server without `Watch` as healthy.
 */

const CHECK = "/grpc.health.v1.Health/Check";
const ROUTE = "grpc.health";
const STATUS = { SERVING: 1, NOT_SERVING: 2 } as const;

const request: MessageType<{ readonly service: string }> = {
  fields: { service: { number: 1, kind: "string" } },
};
const response: MessageType<{ readonly status: keyof typeof STATUS | null }> = {
  fields: { status: { number: 1, kind: "enum", names: STATUS } },
};

const LIMITS = { maxBytes: 1024, maxValues: 16 };

/** The service that a message asks about; empty for the whole server. */
function serviceIn(message: Uint8Array): string {
  try {
    return decodeMessage(request, message, LIMITS).service;
  } catch (error) {
    if (!hasName<WireError>(error, "WireError")) throw error;
    throw new GrpcProblem(CODES.INVALID_ARGUMENT, error.message, { route: ROUTE, status: 400 });
  }
}

/** Answers whether the server is ready. All other calls go to `others`. */
export function withHealthService(
  isReady: () => boolean,
  others: CallAnswerer["answer"],
): CallAnswerer["answer"] {
  return (call) => {
    if (call.path !== CHECK) return others(call);
    const service = serviceIn(call.message);
    if (service !== "" && `/${service}` !== WEB_RISK) {
      const head = { route: ROUTE, status: 404 };
      throw new GrpcProblem(CODES.NOT_FOUND, "The server does not have this service.", head);
    }
    const body = encodeMessage(response, { status: isReady() ? "SERVING" : "NOT_SERVING" });
    return { route: ROUTE, status: 200, headers: {}, body };
  };
}
