import { readBody, retryAfter, stallWatch } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import { unlessAborted } from "../tasks.ts";

/** A request, exactly as it is sent. */
export interface RequestInfo {
  readonly method: "GET" | "POST";
  /** The host of the server, with its port unless that is the default. */
  readonly host: string;
  /** The path and the query. The query contains the API key, if there is one. */
  readonly path: string;
  readonly body: Uint8Array | null;
  /**
   * The role of the request when a relay is used. `"inner"` is for the server: it is encrypted, and sent only in the
   * `"outer"` request, which goes to the relay. `"keys"` asks for the keys of the server. Not set if the request is
   * sent directly.
   */
  readonly ohttp?: "inner" | "outer" | "keys";
}

/** Called with each request before it is sent. When it returns `false`, throws or rejects, the request is not sent. */
export type OnRequest = (request: RequestInfo) => unknown;

export type Purpose = "update" | "search";

/** A request of a protocol, as `writeRequest` of `@x/wire` returns it. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

const MIB = 2 ** 20;

/** The maximum length of an answer, in bytes after decompression. */
export const MAX_ANSWER_BYTES: Readonly<Record<Purpose, number>> = {
  update: 128 * MIB,
  search: 4 * MIB,
};

/** A request to one host, and how its answer is read. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The role of the host, for messages. */
  readonly role: "server" | "relay" | "host of the keys";
  /** The maximum length of the answer in bytes. */
  readonly maxBytes: number;
  /** Whether the body of an answer with another status than 200 is read, too. */
  readonly readsErrors?: boolean;
  /**
   * Whether the request is given up after a time without progress. Otherwise, the time limit applies to the whole
   * request, because the answer is short, and somebody is waiting for it.
   */
  readonly mayTakeLong: boolean;
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  readonly isRedirect: boolean;
  readonly headers: Pick<Headers, "get">;
  /** The body, which is empty if it was not read, and `null` if it is too long. */
  readonly bytes: Uint8Array | null;
}

export interface SendOptions {
  readonly fetch: typeof fetch;
  readonly timeout: number;
  /** Counts bytes of answers. */
  readonly onReceived: (bytes: number) => void;
  /** Says in words why a request failed. */
  readonly describe: (error: unknown) => string;
}

/** Codes of Node.js for a connection that was closed while a request was sent. Browsers try again themselves. */
const CLOSED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isClosed(error: unknown): boolean {
  return CLOSED.has((error as { cause?: { code?: string } } | null)?.cause?.code ?? "");
}

/**
 * Sends a request once; `null` if it met a connection that the host had just closed, unless this is the last attempt.
 *
 * @throws {ClientError} `server-unreachable` when there is no whole answer.
 */
export async function sendOnce(
  { url, method, headers, body, role, maxBytes, readsErrors, mayTakeLong }: HttpRequest,
  { fetch, timeout, onReceived, describe }: SendOptions,
  signal: AbortSignal,
  isLast: boolean,
): Promise<HttpAnswer | null> {
  const watch = stallWatch(timeout, signal);
  const counting: typeof watch = {
    ...watch,
    progress(bytes) {
      onReceived(bytes);
      if (mayTakeLong) watch.progress(bytes);
    },
  };
  let status: number | null = null;
  try {
    watch.extend(0);
    const sending = fetch(url.href, {
      method,
      headers,
      body,
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: watch.signal,
    });
    const response = await unlessAborted(sending, watch.signal);
    status = response.status;
    // Browsers hide the status of a redirect.
    const isRedirect = response.type === "opaqueredirect" || (status >= 300 && status < 400);
    if (status !== 200 && !readsErrors) {
      response.body?.cancel().catch(() => {});
      return { status, isRedirect, headers: response.headers, bytes: new Uint8Array() };
    }
    const reading = readBody(response, maxBytes, counting);
    const bytes = await unlessAborted(reading, watch.signal);
    return { status, isRedirect, headers: response.headers, bytes };
  } catch (error) {
    signal.throwIfAborted();
    if (!isLast && status === null && isClosed(error)) return null;
    const message = `The ${role} ${url.host} cannot be reached: ${describe(error)}`;
    throw new ClientError("server-unreachable", message, { status });
  } finally {
    watch.end();
  }
}

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

/**
 * Removes the key from a message, because some platforms quote the address in messages. For the same reason, such an
 * error is not passed on as the `cause`.
 */
export function withoutKey(message: string, key: string | null): string {
  if (key === null || key === "") return message;
  const escaped = [encodeURIComponent(key), String(new URLSearchParams({ key })).slice(4)];
  // Some platforms write escapes in lower case.
  const lower = escaped.map((text) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()));
  return [key, ...escaped, ...lower].reduce((text, each) => text.replaceAll(each, "…"), message);
}
