import { FOR_ALL_ORIGINS } from "./cross-origin.ts";
import { type FieldViolation, problemOf } from "./http-problem.ts";
import type { LargeBody } from "./large-answer.ts";

/** The status and headers of an answer, and the facts that the log and the metrics may contain. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of a method or page; never a path that a client chose. */
  readonly route: string;
  /** The counts and kinds for the log, as a record or as the members of a JSON object. */
  readonly facts?: Readonly<Record<string, unknown>> | string;
}

export interface Reply extends ReplyHead {
  readonly body: Uint8Array;
}

/** An answer that is sent piece by piece, as fast as the client reads it. */
export interface LargeReply extends ReplyHead {
  readonly large: LargeBody;
}

/** An answer that is sent while it is made. */
export interface StreamReply extends ReplyHead {
  /** If the stream throws, the connection is cut, so that nobody mistakes a part of the answer for the whole. */
  readonly stream: AsyncIterable<Uint8Array>;
}

export type AnyReply = Reply | LargeReply | StreamReply;

export function textReply(
  route: string,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    route,
    status,
    body: Buffer.from(text),
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  };
}

/** The names in google.rpc.Code for HTTP statuses. Clients of Google's APIs recognize errors by these names. */
const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  413: "RESOURCE_EXHAUSTED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** An error in the JSON form of Google's APIs. Pages of all origins may read it, and when to try again. */
export function errorReply(
  route: string,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  fieldViolations: readonly FieldViolation[] = [],
): Reply {
  const details = [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations }];
  const error = {
    ...{ code: status, message, status: ERROR_NAMES[status] },
    ...(fieldViolations.length > 0 && { details }),
  };
  return textReply(route, status, `${JSON.stringify({ error })}\n`, {
    "Content-Type": "application/json; charset=utf-8",
    ...FOR_ALL_ORIGINS,
    ...("Retry-After" in headers && { "Access-Control-Expose-Headers": "Retry-After" }),
    ...headers,
  });
}

/** The error reply for an `HttpProblem` or a `WireError`. Other errors are rethrown. */
export function problemReply(route: string, error: unknown): Reply {
  const problem = problemOf(error);
  if (problem === null) throw error;
  return errorReply(route, problem.status, problem.message, problem.headers, problem.fields);
}
