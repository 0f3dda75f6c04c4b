import { hasName } from "@x/sha256-prefix/has-name";
import type { WireError } from "@x/wire";

/** A wrong field of a request, as in `google.rpc.BadRequest`. */
export interface FieldViolation {
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
export function problemOf(error: unknown): HttpProblem | null {
  if (error instanceof HttpProblem) return error;
  return hasName<WireError>(error, "WireError")
    ? new HttpProblem(statusOf(error), error.message)
    : null;
}
