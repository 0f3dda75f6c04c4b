import { hasName } from "@x/sha256-prefix/has-name";
import type { WireError } from "@x/wire";
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

/** A wrong field of a request, as in `google.rpc.BadRequest`. */
interface FieldViolation {
  /** The path of the field in the request's message, such as `urls[1]`. */
  readonly field: string;
  readonly description: string;
}

/** Thrown for requests that get an error status. The message is sent to the client. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of the request that are wrong; empty if the message says it all. */
  readonly fields: readonly FieldViolation[];

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    fields: readonly FieldViolation[] = [],
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }
}

function statusOf({ code }: WireError): number {
  if (code === "path-unknown") return 404;
  if (code === "http-method-wrong") return 405;
  return code === "message-too-large" ? 413 : 400;
}

/** The problem that the client is told about; `null` for an internal error of the server. */
function problemOf(error: unknown): HttpProblem | null {
  if (error instanceof HttpProblem) return error;
  return hasName<WireError>(error, "WireError")
    ? new HttpProblem(statusOf(error), error.message)
    : null;
}

/**
 * The headers of an answer for one client, which no cache may keep. `readable` is the header from `cross-origin.ts`
 * that says which pages may read the answer.
 */
export function privateHeaders(contentType: string, readable: Headers): Record<string, string> {
  return {
    ...readable,
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
  };
}

type Headers = Readonly<Record<string, string>>;

/**
 * Returns a function that makes the headers of an answer. All caches, or only those of clients, may keep the answer
 * until it expires or, if it has no expiry time, for `maxAge` milliseconds.
 */
export function cachedHeaders(
  caches: "public" | "private",
  maxAge: number,
): (contentType: string, etag: string | null, expires: number | null) => Headers {
  const usual = memoized((contentType: string) => ({
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": `${caches}, max-age=${Math.floor(maxAge / 1000)}`,
    // Clients without a key get the public lists, and clients with a key may get more. The content type of a POST that
    // is sent as a GET decides the format of the answer.
    ...FOR_ALL_ORIGINS,
    Vary: "Accept, Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
  }));

  return (contentType, etag, expires) => {
    const headers = usual(contentType);
    if (etag === null && expires === null) return headers;
    return {
      ...headers,
      ...(etag !== null && { ETag: etag }),
      // Send a time rather than `max-age`, which would start again each time this server sends the answer.
      ...(expires !== null && {
        "Cache-Control": caches,
        Expires: new Date(expires).toUTCString(),
      }),
    };
  };
}

/*
 * Which pages of other origins may read answers (Fetch Standard, "CORS protocol"). Answers about public lists and
 * errors have constant headers, so that caches can keep them for all origins.
 */

/** The header of an answer that pages of all origins may read. */
export const FOR_ALL_ORIGINS = { "Access-Control-Allow-Origin": "*" } as const;

/** The origins whose pages may read answers about private lists, such as `https://app.example`; `*` means all. */
export type Origins = ReadonlySet<string>;

export const NO_ORIGINS: Origins = new Set();

/**
 * The header that says which pages may read an answer; empty if only pages of the server's own origin may. The result
 * depends on the request, so no cache may keep an answer about a private list.
 */
export function readableBy(
  isPrivate: boolean,
  origins: Origins,
  headers: { get(name: string): string | null },
): Headers {
  if (!isPrivate || origins.has("*")) return FOR_ALL_ORIGINS;
  if (origins.size === 0) return {};
  const origin = headers.get("origin");
  return origin !== null && origins.has(origin) ? { "Access-Control-Allow-Origin": origin } : {};
}

/** The methods that the server answers, as a value of the `Allow` header. */
export const METHODS_ALLOWED = "GET, HEAD, POST, OPTIONS";

/**
 * The headers of the answer to OPTIONS, which browsers send before a request with an API key or a message in its body.
 * They are the same for all paths, because the answer to the request itself decides who may read it.
 */
export const PREFLIGHT_HEADERS: Headers = {
  ...FOR_ALL_ORIGINS,
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": "Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
  "Access-Control-Max-Age": "86400",
  Allow: METHODS_ALLOWED,
};

/** Makes a function that keeps its results, for arguments with only a few different values. */
export function memoized<Argument, Value>(
  make: (argument: Argument) => Value,
): (argument: Argument) => Value {
  const made = new Map<Argument, Value>();
  return (argument) => {
    let value = made.get(argument);
    if (value === undefined) {
      value = make(argument);
      made.set(argument, value);
    }
    return value;
  };
}
