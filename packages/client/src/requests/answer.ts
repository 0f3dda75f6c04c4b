import { retryAfter } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import type { HttpAnswer, HttpRequest } from "./send-once.ts";

/** A successful answer, with the HTTP status 200. */
export interface Answer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Whether an HTTP status means that a server is busy or restarting, or that a proxy cannot reach it. */
const isPassing = (status: number) => status >= 500 || [408, 425, 429].includes(status);

/**
 * Returns the body and the type of a successful answer.
 *
 * @throws {ClientError} for any other answer, and for one that is too long.
 */
export function successful(
  { status, isRedirect, headers, bytes }: HttpAnswer,
  { role, maxBytes }: Pick<HttpRequest, "role" | "maxBytes">,
): Answer {
  if (status !== 200) {
    throw new ClientError(
      isPassing(status) ? "server-unreachable" : "server-refused",
      isRedirect
        ? `The ${role} redirects requests (status ${status}), which is not followed`
        : `The ${role} answers with status ${status}`,
      { status, retryAfter: retryAfter(headers) },
    );
  }
  if (bytes === null) {
    throw new ClientError("answer-too-long", `The answer has more than ${maxBytes} bytes`);
  }
  return { bytes, contentType: headers.get("content-type") ?? "" };
}
