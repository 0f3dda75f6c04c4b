import { describeFailure, readBody, retryAfter, stallWatch } from "@x/list-store/transport";
import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";

/** A request, exactly as it is sent. */
export interface RequestInfo {
  readonly method: "GET" | "POST";
  /** The host of the server, with its port unless that is the default. */
  readonly host: string;
  /** The path and the query. The query contains the API key, if there is one. */
  readonly path: string;
  readonly body: Uint8Array | null;
}

/** Called with each request before it is sent. When it returns `false`, throws or rejects, the request is not sent. */
export type OnRequest = (request: RequestInfo) => unknown;

export type Purpose = "update" | "search";

/** A request of a protocol: what `writeRequest` of `@x/wire` returns. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** A successful answer, with the HTTP status 200. */
export interface Answer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** What the client has sent and received. */
export interface RequestCounts {
  /** The number of update requests. */
  readonly updates: number;
  /** The number of requests that search for full hashes. */
  readonly searches: number;
  /** The number of hash prefixes in searches, including decoys. */
  readonly prefixes: number;
  /** How many of these were decoys. */
  readonly decoys: number;
  /** The number of requests that `onRequest` refused. */
  readonly refused: number;
  /** The number of bytes in the paths and bodies that were sent. */
  readonly bytesSent: number;
  /** The number of bytes in the bodies that were received, after decompression. */
  readonly bytesReceived: number;
}

export interface Requester {
  /**
   * Sends one request, and does not try again if it fails.
   *
   * @throws {ClientError} unless there is an answer with the HTTP status 200 that is not too long.
   */
  send(request: OutgoingRequest, purpose: Purpose, signal: AbortSignal): Promise<Answer>;
  /** A `fetch` whose requests are shown to `onRequest` and counted. It returns every answer, whatever its status. */
  fetchFor(purpose: Purpose): typeof fetch;
  /** Counts bytes of answers to requests of `fetchFor`. */
  countReceived(bytes: number): void;
  countPrefixes(prefixes: number, decoys: number): void;
  counts(): RequestCounts;
}

export interface RequesterOptions {
  readonly server: URL;
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly onRequest: OnRequest | null;
  readonly maxBytes: Readonly<Record<Purpose, number>>;
  /**
   * An update request is given up after this many milliseconds without progress, and a search after this many in total.
   */
  readonly timeout: number;
}

/** The maximum length of an answer to a search. */
export const SEARCH_BYTES: number = 4 * 2 ** 20;

/** Whether an HTTP status means that a server is busy or restarting, or that a proxy cannot reach it. */
const isPassing = (status: number) => status >= 500 || [408, 425, 429].includes(status);

/** Codes of Node.js for a connection that was closed while a request was sent. Browsers try again themselves. */
const CLOSED = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function isClosed(error: unknown): boolean {
  return CLOSED.has((error as { cause?: { code?: string } } | null)?.cause?.code ?? "");
}

/** Sends requests to one server. Redirects are refused, because hash prefixes must not go to another host. */
export function createRequester(options: RequesterOptions): Requester {
  const { server, key, onRequest, maxBytes, timeout } = options;
  const counts = {
    updates: 0,
    searches: 0,
    prefixes: 0,
    decoys: 0,
    refused: 0,
    bytesSent: 0,
    bytesReceived: 0,
  };
  const base = server.pathname.replace(/\/$/, "");

  /**
   * Removes the key from a message, because some platforms quote the address in messages. For the same reason, such an
   * error is not passed on as the `cause`.
   */
  function withoutKey(message: string): string {
    if (key === null || key === "") return message;
    const escaped = [encodeURIComponent(key), String(new URLSearchParams({ key })).slice(4)];
    // Some platforms write escapes in lower case.
    const lower = escaped.map((text) =>
      text.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
    );
    return [key, ...escaped, ...lower].reduce((text, each) => text.replaceAll(each, "…"), message);
  }

  /** Shows a request to `onRequest`, and counts it unless it is refused. */
  async function admit(
    request: RequestInfo,
    purpose: Purpose,
    signal?: AbortSignal | null,
  ): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(show(request), signal ?? undefined);
    signal?.throwIfAborted();
    counts[purpose === "update" ? "updates" : "searches"]++;
    counts.bytesSent += request.path.length + (request.body?.length ?? 0);
  }

  async function show(request: RequestInfo): Promise<void> {
    if (onRequest === null) return;
    let reason = "";
    try {
      if ((await onRequest(request)) !== false) return;
    } catch (error) {
      reason = `: ${withoutKey(describeFailure(error))}`;
    }
    counts.refused++;
    throw new ClientError("request-refused", `onRequest refused a request${reason}`);
  }

  /** Sends a request; `null` if it met a connection that the server had just closed, unless this is the last attempt. */
  async function attempt(
    { method, target, headers, body }: OutgoingRequest,
    purpose: Purpose,
    signal: AbortSignal,
    isLast: boolean,
  ): Promise<Answer | null> {
    const path = base + target;
    await admit({ method, host: server.host, path, body }, purpose, signal);
    const watch = stallWatch(timeout, signal);
    const counting: typeof watch = {
      ...watch,
      progress(bytes) {
        counts.bytesReceived += bytes;
        // A search is short, and somebody is waiting for it, so the time limit applies to the whole search.
        if (purpose === "update") watch.progress(bytes);
      },
    };
    let status: number | null = null;
    try {
      watch.extend(0);
      const sending = options.fetch(server.origin + path, {
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
      if (status !== 200) {
        response.body?.cancel().catch(() => {});
        // Browsers hide the status of a redirect.
        const isRedirect = response.type === "opaqueredirect" || (status >= 300 && status < 400);
        throw new ClientError(
          isPassing(status) ? "server-unreachable" : "server-refused",
          isRedirect
            ? `The server redirects requests (status ${status}), which is not followed`
            : `The server answers with status ${status}`,
          { status, retryAfter: retryAfter(response.headers) },
        );
      }
      const reading = readBody(response, maxBytes[purpose], counting);
      const bytes = await unlessAborted(reading, watch.signal);
      if (bytes === null) {
        const most = maxBytes[purpose];
        throw new ClientError("answer-too-long", `The answer has more than ${most} bytes`);
      }
      return { bytes, contentType: response.headers.get("content-type") ?? "" };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ClientError) throw error;
      if (!isLast && status === null && isClosed(error)) return null;
      const message = `The server ${server.host} cannot be reached: ${withoutKey(describeFailure(error))}`;
      throw new ClientError("server-unreachable", message, { status });
    } finally {
      watch.end();
    }
  }

  return {
    counts: () => ({ ...counts }),

    countPrefixes(prefixes, decoys) {
      counts.prefixes += prefixes;
      counts.decoys += decoys;
    },

    countReceived(bytes) {
      counts.bytesReceived += bytes;
    },

    fetchFor: (purpose) => async (input, init) => {
      const { host, pathname, search } = new URL(String(input));
      await admit(
        { method: "GET", host, path: pathname + search, body: null },
        purpose,
        init?.signal,
      );
      return options.fetch(input, init);
    },

    async send(request, purpose, signal) {
      // The next request gets a connection of its own.
      const answer = await attempt(request, purpose, signal, false);
      return answer ?? (await attempt(request, purpose, signal, true))!;
    },
  };
}
