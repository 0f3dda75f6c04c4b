import { describeFailure } from "@x/list-store/transport";
import { unlessAborted } from "../abort.ts";
import { ClientError } from "../error.ts";
import { type Answer, successful } from "./answer.ts";
import { type ExchangeOptions, exchange, type HttpAnswer, type HttpRequest } from "./exchange.ts";
import type { Relay } from "./relay.ts";
import type { OnRequest, OutgoingRequest, Purpose, RequestInfo } from "./request.ts";

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
  /** The maximum length of an answer. Answers to searches are shorter. */
  readonly maxResponseBytes: number;
  /**
   * An update request is given up after this many milliseconds without progress, and a search after this many in total.
   */
  readonly timeout: number;
  /** Through which relay requests are sent; `null` to send all of them directly. */
  readonly ohttp: Relay | null;
  readonly now: () => number;
}

/** The maximum length of an answer to a search. */
export const SEARCH_BYTES: number = 4 * 2 ** 20;

/** Sends requests to one server. Redirects are refused, because hash prefixes must not go to another host. */
export function createRequester(options: RequesterOptions): Requester {
  const { server, key, onRequest, maxResponseBytes, timeout, now } = options;
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

  /** Shows a request to `onRequest`, unless the signal is aborted. */
  async function showUnlessAborted(
    request: RequestInfo,
    signal?: AbortSignal | null,
  ): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(show(request), signal ?? undefined);
    signal?.throwIfAborted();
  }

  function countSent({ path, body, ohttp }: RequestInfo, purpose: Purpose): void {
    if (ohttp !== "keys") counts[purpose === "update" ? "updates" : "searches"]++;
    counts.bytesSent += path.length + (body?.length ?? 0);
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

  const exchanging: ExchangeOptions = {
    fetch: options.fetch,
    timeout,
    onReceived(bytes) {
      counts.bytesReceived += bytes;
    },
    describe: (error) => withoutKey(describeFailure(error)),
  };

  /** Shows a request, sends it, and counts it. */
  async function sendTo(
    request: HttpRequest,
    kind: RequestInfo["ohttp"],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { url, method, body } = request;
    const info = { method, host: url.host, path: url.pathname + url.search, body };
    const shown = kind === undefined ? info : { ...info, ohttp: kind };
    const attempt = async (isLast: boolean) => {
      await showUnlessAborted(shown, signal);
      countSent(shown, purpose);
      return exchange(request, exchanging, signal, isLast);
    };
    // After a closed connection, the next attempt gets one of its own.
    return (await attempt(false)) ?? (await attempt(true))!;
  }

  const sendThroughRelay =
    options.ohttp?.open({ server, now, show: showUnlessAborted, exchange: sendTo }) ?? null;

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
      const request = { method: "GET", host, path: pathname + search, body: null } as const;
      await showUnlessAborted(request, init?.signal);
      countSent(request, purpose);
      return options.fetch(input, init);
    },

    async send({ method, target, headers, body }, purpose, signal) {
      const maxBytes =
        purpose === "update" ? maxResponseBytes : Math.min(SEARCH_BYTES, maxResponseBytes);
      const reading = { role: "server", maxBytes } as const;
      const path = base + target;
      const sendDirectly = () => {
        const url = new URL(server.origin + path);
        const mayTakeLong = purpose === "update";
        const request = { ...reading, url, method, headers, body, mayTakeLong };
        return sendTo(request, undefined, purpose, signal);
      };
      if (sendThroughRelay === null) return successful(await sendDirectly(), reading);
      const request = { method, target: path, headers, body };
      return successful(
        await sendThroughRelay(request, purpose, maxBytes, signal, sendDirectly),
        reading,
      );
    },
  };
}
