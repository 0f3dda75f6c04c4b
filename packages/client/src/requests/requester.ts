import { describeFailure } from "@x/list-store/transport";
import { ClientError } from "../error.ts";
import { unlessAborted } from "../tasks.ts";
import {
  type Answer,
  type HttpAnswer,
  type HttpRequest,
  MAX_ANSWER_BYTES,
  type OnRequest,
  type OutgoingRequest,
  type Purpose,
  type RequestInfo,
  sendOnce,
  successful,
  withoutKey,
} from "./http.ts";

/** The numbers of requests, prefixes and bytes of a client. */
export interface RequestCounts {
  /** The number of update requests. */
  readonly updates: number;
  /** The number of requests that search for full hashes. */
  readonly searches: number;
  /** The number of hash prefixes in searches. */
  readonly prefixes: number;
  /** The number of requests that `onRequest` refused. */
  readonly refused: number;
  /** The number of bytes in the paths and bodies that were sent. */
  readonly bytesSent: number;
  /** The number of bytes in the bodies that were received, after decompression. */
  readonly bytesReceived: number;
}

export interface Requester {
  /**
   * Sends a request, and sends it once more only if the host had just closed the connection.
   *
   * @throws {ClientError} unless there is an answer with the HTTP status 200 that is not too long.
   */
  send(request: OutgoingRequest, purpose: Purpose, signal: AbortSignal): Promise<Answer>;
  /**
   * A `fetch` whose requests are shown to `onRequest` and counted, and which returns every answer, whatever its status.
   */
  fetchFor(purpose: Purpose): typeof fetch;
  /** Counts bytes of answers to requests of `fetchFor`. */
  countReceived(bytes: number): void;
  countPrefixes(prefixes: number): void;
  counts(): RequestCounts;
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
    kind: "outer" | "keys",
    purpose: Purpose,
    signal: AbortSignal,
  ) => Promise<HttpAnswer>;
}

/** Sends one request of a client through a relay, and returns the answer of the server, whatever its status. */
export type SendThroughRelay = (
  /** The target of the request is the whole path and query. */
  request: OutgoingRequest,
  purpose: Purpose,
  maxBytes: number,
  signal: AbortSignal,
  /** Sends the request to the server directly, for requests that do not have to go through the relay. */
  sendDirectly: () => Promise<HttpAnswer>,
) => Promise<HttpAnswer>;

const NO_COUNTS: RequestCounts = {
  updates: 0,
  searches: 0,
  prefixes: 0,
  refused: 0,
  bytesSent: 0,
  bytesReceived: 0,
};

/**
 * Sends requests to one server. Each request is first shown to `onRequest`, and then counted. Redirects are refused,
 * because hash prefixes must not go to another host. `fetchFor` leaves redirects to stores, which follow those to the
 * same server.
 */
export function createRequester(options: RequesterOptions): Requester {
  const { server, key, fetch, onRequest, timeout, now } = options;
  const counts: { -readonly [Count in keyof RequestCounts]: RequestCounts[Count] } = {
    ...NO_COUNTS,
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
  async function exchange(
    request: HttpRequest,
    kind: RequestInfo["ohttp"],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { url, method, body } = request;
    const info = { method, host: url.host, path: url.pathname + url.search, body };
    const shown = kind === undefined ? info : { ...info, ohttp: kind };
    const attempt = async (isLast: boolean) => {
      await show(shown, signal);
      countSent(shown, purpose);
      return sendOnce(request, { fetch, timeout, onReceived, describe }, signal, isLast);
    };
    // After a closed connection, the next attempt gets a new one.
    return (await attempt(false)) ?? (await attempt(true))!;
  }

  const base = server.pathname.replace(/\/$/, "");
  const sendThroughRelay = options.ohttp?.open({ server, now, show, exchange }) ?? null;

  return {
    counts: () => ({ ...counts }),

    countPrefixes(prefixes) {
      counts.prefixes += prefixes;
    },

    countReceived: onReceived,

    fetchFor: (purpose) => async (input, init) => {
      const { host, pathname, search } = new URL(String(input));
      const request = { method: "GET", host, path: pathname + search, body: null } as const;
      await show(request, init?.signal);
      countSent(request, purpose);
      return fetch(input, init);
    },

    async send({ method, target, headers, body }, purpose, signal) {
      const maxBytes = MAX_ANSWER_BYTES[purpose];
      const reading = { role: "server", maxBytes } as const;
      const path = base + target;
      const sendDirectly = () => {
        const url = new URL(server.origin + path);
        const mayTakeLong = purpose === "update";
        const request = { ...reading, url, method, headers, body, mayTakeLong };
        return exchange(request, undefined, purpose, signal);
      };
      const request = { method, target: path, headers, body };
      const answer =
        sendThroughRelay === null
          ? await sendDirectly()
          : await sendThroughRelay(request, purpose, maxBytes, signal, sendDirectly);
      return successful(answer, reading);
    },
  };
}
