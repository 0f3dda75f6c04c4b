import {
  describeFailure,
  exchange,
  type LimitedAnswer,
  retryAfter,
  unlessAborted,
} from "@x/list-store/transport";
import type { OutgoingRequest } from "@x/wire";
import { ClientError } from "../error.ts";

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

/** The numbers of requests, prefixes and bytes of a client. */
export interface RequestCounts {
  /** The number of update requests. */
  updates: number;
  /** The number of requests that search for full hashes. */
  searches: number;
  /** The number of hash prefixes in searches. */
  prefixes: number;
  /** The number of requests that `onRequest` refused. */
  refused: number;
  /** The number of bytes in the paths and bodies that were sent. */
  bytesSent: number;
  /** The number of bytes in the bodies that were received, after decompression. */
  bytesReceived: number;
}

export interface Requester {
  /**
   * Sends a request, and sends it once more only if the host had just closed the connection.
   *
   * @throws {ClientError} unless there is an answer with the HTTP status 200 that is not too long.
   */
  send(
    request: OutgoingRequest,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string }>;
  /**
   * A `fetch` whose requests are shown to `onRequest` and counted, and which returns every answer, whatever its status.
   * The caller counts what it receives.
   */
  fetchFor(purpose: Purpose): typeof fetch;
  /** Everything that was counted until now. Callers count what only they know. */
  readonly counts: RequestCounts;
}

export interface RequesterOptions {
  readonly server: URL;
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly onRequest: OnRequest | null;
  /**
   * An update request is given up after this many milliseconds without progress, and a search after this many in total.
   */
  readonly timeout: number;
  /** The relay through which requests are sent; `null` to send all of them directly. */
  readonly ohttp: Relay | null;
  readonly now: () => number;
}

/** A request to one host. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The maximum length of the answer, in bytes. */
  readonly most: number;
}

/** The hosts that requests are sent to, as messages name them. */
type Role = "server" | "relay" | "host of the keys";

/** A way to send requests through a relay, made by `throughRelay` of `@x/client/ohttp`. */
export interface Relay {
  /** @throws {ClientError} `option-invalid` when the relay is not for this server. */
  readonly open: (context: RelayContext) => SendThroughRelay;
}

/** The parts of a client that a relay uses. */
export interface RelayContext {
  readonly server: URL;
  readonly now: () => number;
  /** Shows a request to `onRequest`, which may refuse it. */
  readonly show: (request: RequestInfo, signal: AbortSignal) => Promise<void>;
  /** Shows a request, sends it, and counts it. */
  readonly exchange: (
    request: HttpRequest,
    to: "relay" | "host of the keys",
    purpose: Purpose,
    signal: AbortSignal,
  ) => Promise<LimitedAnswer>;
}

/** Sends one request of a client through a relay, and returns the answer of the server, whatever its status. */
export type SendThroughRelay = (
  /** The target of the request is the whole path and query. */
  request: OutgoingRequest,
  purpose: Purpose,
  /** The maximum length of the answer, in bytes. */
  most: number,
  signal: AbortSignal,
  /** Sends the request to the server directly, for requests that do not have to go through the relay. */
  sendDirectly: () => Promise<LimitedAnswer>,
) => Promise<LimitedAnswer>;

const MIB = 2 ** 20;

/** The maximum length of an answer of the server, in bytes after decompression. */
const MAX_ANSWER_BYTES: Readonly<Record<Purpose, number>> = { update: 128 * MIB, search: 4 * MIB };

/** The maximum length of an error of a relay. */
const MAX_PROBLEM_BYTES = 2 ** 16;

/** Codes of Node.js for a connection that was closed while a request was sent. Browsers try again themselves. */
const CLOSED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const isClosed = (error: unknown): boolean =>
  CLOSED.has((error as { cause?: { code?: string } } | null)?.cause?.code ?? "");

/**
 * Sends requests to one server. Each request is first shown to `onRequest`, and then counted. Redirects are refused,
 * because hash prefixes must not go to another host. `fetchFor` leaves redirects to stores, which follow those to the
 * same server.
 */
export function createRequester(options: RequesterOptions): Requester {
  const { server, key, fetch, onRequest, timeout, now } = options;
  const counts: RequestCounts = {
    updates: 0,
    searches: 0,
    prefixes: 0,
    refused: 0,
    bytesSent: 0,
    bytesReceived: 0,
  };
  const describe = (error: unknown) => withoutKey(describeFailure(error), key);
  const onReceived = (bytes: number) => {
    counts.bytesReceived += bytes;
  };

  async function ask(request: RequestInfo): Promise<void> {
    if (onRequest === null) return;
    let reason = "";
    try {
      if ((await onRequest(request)) !== false) return;
    } catch (error) {
      reason = `: ${describe(error)}`;
    }
    counts.refused++;
    throw new ClientError("request-refused", `onRequest refused a request${reason}`);
  }

  /** Shows a request to `onRequest`, which may refuse it, unless the signal is aborted. */
  async function show(request: RequestInfo, signal?: AbortSignal | null): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(ask(request), signal ?? undefined);
    signal?.throwIfAborted();
  }

  function countSent({ path, body, ohttp }: RequestInfo, purpose: Purpose): void {
    if (ohttp !== "keys") counts[purpose === "update" ? "updates" : "searches"]++;
    counts.bytesSent += path.length + (body?.length ?? 0);
  }

  /** Shows a request, sends it, and counts it. */
  async function exchangeShown(
    { url, method, headers, body, most }: HttpRequest,
    to: Role,
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<LimitedAnswer> {
    const info = { method, host: url.host, path: url.pathname + url.search, body };
    const shown = to === "server" ? info : { ...info, ohttp: OHTTP[to] };
    for (let isLast = false; ; isLast = true) {
      await show(shown, signal);
      countSent(shown, purpose);
      let status: number | null = null;
      const onStatus = (arrived: number) => {
        status = arrived;
      };
      try {
        return await exchange(
          fetch,
          url.href,
          { method, headers, body, ...PRIVATE },
          {
            ...{ timeout, signal, most, onStatus, onReceived },
            isShort: purpose === "search",
            // The body of an error is read only if it may say that the key is not known.
            mostOfErrors: to === "relay" ? MAX_PROBLEM_BYTES : 0,
          },
        );
      } catch (error) {
        signal.throwIfAborted();
        // After a closed connection, the next attempt gets a new one.
        if (!isLast && status === null && isClosed(error)) continue;
        const message = `The ${to} ${url.host} cannot be reached: ${describe(error)}`;
        throw new ClientError("server-unreachable", message, { status });
      }
    }
  }

  const base = server.pathname.replace(/\/$/, "");
  const context = { server, now, show, exchange: exchangeShown };
  const sendThroughRelay = options.ohttp?.open(context) ?? null;

  return {
    counts,

    fetchFor: (purpose) => async (input, init) => {
      const { host, pathname, search } = new URL(String(input));
      const request = { method: "GET", host, path: pathname + search, body: null } as const;
      await show(request, init?.signal);
      countSent(request, purpose);
      return fetch(input, init);
    },

    async send({ method, target, headers, body }, purpose, signal) {
      const most = MAX_ANSWER_BYTES[purpose];
      const path = base + target;
      const url = new URL(server.origin + path);
      const sendDirectly = () =>
        exchangeShown({ url, method, headers, body, most }, "server", purpose, signal);
      const request = { method, target: path, headers, body };
      const answer =
        sendThroughRelay === null
          ? await sendDirectly()
          : await sendThroughRelay(request, purpose, most, signal, sendDirectly);
      const bytes = successful(answer, "server", most);
      return { bytes, contentType: answer.headers.get("content-type") ?? "" };
    },
  };
}

/** What `onRequest` learns about requests that are not for the server. */
const OHTTP = { relay: "outer", "host of the keys": "keys" } as const;

/** Requests carry nothing that tells clients apart, and leave nothing in the caches of browsers. */
const PRIVATE = {
  redirect: "manual",
  credentials: "omit",
  referrerPolicy: "no-referrer",
  cache: "no-store",
} as const;

/** Whether an HTTP status means that a server is busy or restarting, or that a proxy cannot reach it. */
const isPassing = (status: number) => status >= 500 || [408, 425, 429].includes(status);

/**
 * Returns the body of a successful answer.
 *
 * @throws {ClientError} for any other answer, and for one that is too long.
 */
export function successful(
  { status, headers, bytes }: LimitedAnswer,
  from: Role,
  most: number,
): Uint8Array {
  if (status !== 200) {
    // Browsers hide the status of a redirect, which is then 0.
    const isRedirect = status === 0 || (status >= 300 && status < 400);
    throw new ClientError(
      isPassing(status) ? "server-unreachable" : "server-refused",
      isRedirect
        ? `The ${from} redirects requests (status ${status}), which is not followed`
        : `The ${from} answers with status ${status}`,
      { status, retryAfter: retryAfter(headers) },
    );
  }
  if (bytes === null) {
    throw new ClientError("answer-too-long", `The answer has more than ${most} bytes`);
  }
  return bytes;
}

/**
 * Removes the key from a message, because some platforms quote the address in messages. For the same reason, such an
 * error is not passed on as the `cause`.
 */
function withoutKey(message: string, key: string | null): string {
  if (key === null || key === "") return message;
  const escaped = [encodeURIComponent(key), String(new URLSearchParams({ key })).slice(4)];
  // Some platforms write escapes in lower case.
  const lower = escaped.map((text) => text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()));
  return [key, ...escaped, ...lower].reduce((text, each) => text.replaceAll(each, "…"), message);
}
