import { type Answer, successful } from "./answer.ts";
import { MAX_ANSWER_BYTES } from "./answer-limit.ts";
import type { Relay } from "./relay.ts";
import type { OutgoingRequest, Purpose } from "./request.ts";
import { createSender, type RequestCounts, type SenderOptions } from "./show-and-count.ts";

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

export interface RequesterOptions extends SenderOptions {
  readonly server: URL;
  /** The relay through which requests are sent; `null` to send all of them directly. */
  readonly ohttp: Relay | null;
  readonly now: () => number;
}

/**
 * Sends requests to one server. Redirects are refused, because hash prefixes must not go to another host. `fetchFor`
 * leaves redirects to stores, which follow those to the same server.
 */
export function createRequester(options: RequesterOptions): Requester {
  const { server, fetch, now } = options;
  const { counts, show, countSent, exchange } = createSender(options);
  const base = server.pathname.replace(/\/$/, "");
  const sendThroughRelay = options.ohttp?.open({ server, now, show, exchange }) ?? null;

  return {
    counts: () => ({ ...counts }),

    countPrefixes(prefixes) {
      counts.prefixes += prefixes;
    },

    countReceived(bytes) {
      counts.bytesReceived += bytes;
    },

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
