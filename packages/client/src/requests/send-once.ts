import { readBody, stallWatch } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import { unlessAborted } from "../tasks.ts";

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
