/** An answer to an HTTP request, and what the log and the metrics may know of it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The name of a method or page; never a path that a client chose. */
  readonly route: string;
  /** For the log: counts and kinds. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

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

/** The names of google.rpc.Code, which clients of these APIs know errors by, for the statuses of this server. */
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

/** An error in the form that clients of these APIs read. */
export function errorReply(
  route: string,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const error = { code: status, message, status: ERROR_NAMES[status] };
  return textReply(route, status, `${JSON.stringify({ error })}\n`, {
    "Content-Type": "application/json; charset=utf-8",
    ...headers,
  });
}
