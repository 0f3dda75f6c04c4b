import { hasName } from "@x/sha256-prefix/has-name";
import { decodeMessage, type WireError, writeResponseParts } from "@x/wire";
import { computeThreatListDiff, searchHashes, searchUris } from "@x/wire/web-risk";
import { problemOf } from "../http/http-problem.ts";
import { bodyOf } from "../http/large-answer.ts";
import type { LargeReply, Reply } from "../http/reply.ts";
import { MESSAGE_LIMITS } from "../protocols/message-limits.ts";
import {
  API_ROUTE,
  type CallRunner,
  LARGE_VALUE_BYTES,
  loggedFacts,
  type ServedMethod,
  served,
} from "../protocols/run-calls.ts";
import { computeDiff, searchByPrefix, searchByUri } from "../protocols/web-risk.ts";
import { perform } from "../steps.ts";
import type { GrpcCall } from "./answer-call.ts";
import { CODES, type Code, GrpcProblem } from "./grpc-problem.ts";

export const SERVICE = "/google.cloud.webrisk.v1.WebRiskService";

/** The methods of Web Risk over gRPC, by path. */
const METHODS: ReadonlyMap<string, ServedMethod> = new Map([
  [`${SERVICE}/ComputeThreatListDiff`, served(computeThreatListDiff, computeDiff)],
  [`${SERVICE}/SearchHashes`, served(searchHashes, searchByPrefix)],
  [`${SERVICE}/SearchUris`, served(searchUris, searchByUri)],
]);

/** The gRPC code for each HTTP status. */
const CODE_OF: Readonly<Record<number, Code>> = {
  400: CODES.INVALID_ARGUMENT,
  403: CODES.PERMISSION_DENIED,
  413: CODES.RESOURCE_EXHAUSTED,
  429: CODES.RESOURCE_EXHAUSTED,
  503: CODES.UNAVAILABLE,
};

const FORM = { format: "protobuf", enums: "names" } as const;

/** The error that a gRPC client gets. Internal errors of the server are returned unchanged. */
function grpcProblem(error: unknown): unknown {
  // Other gRPC servers also answer a malformed message with INTERNAL.
  if (
    hasName<WireError>(error, "WireError") &&
    /^(?:truncated|message-malformed)$/.test(error.code)
  ) {
    return new GrpcProblem(CODES.INTERNAL, error.message);
  }
  const problem = problemOf(error);
  if (problem === null) return error;
  const { status, message } = problem;
  return new GrpcProblem(CODE_OF[status] ?? CODES.INTERNAL, message, { route: API_ROUTE, status });
}

/** Answers the calls of Web Risk: reads the message, calls the method, and writes its answer. */
export function webRiskService(calls: CallRunner): (call: GrpcCall) => Promise<Reply | LargeReply> {
  return async (call) => {
    const found = METHODS.get(call.path);
    if (found === undefined) {
      throw new GrpcProblem(CODES.UNIMPLEMENTED, "The server does not have this method.");
    }
    const { method } = found;
    try {
      const asked = decodeMessage(method.request, call.message, MESSAGE_LIMITS);
      const { message, facts } = await perform(calls.run(found, asked, call.key, call));
      const { parts } = writeResponseParts(method, message, FORM, LARGE_VALUE_BYTES);
      const body = bodyOf(parts);
      calls.onAnswered(facts, call);
      const head = { status: 200, headers: {}, route: method.name, facts: loggedFacts(facts) };
      return body instanceof Uint8Array ? { ...head, body } : { ...head, large: body };
    } catch (error) {
      throw grpcProblem(error);
    }
  };
}
