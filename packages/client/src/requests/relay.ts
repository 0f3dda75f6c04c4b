import type { OutgoingRequest, Purpose, RequestInfo } from "./request.ts";
import type { HttpAnswer, HttpRequest } from "./send-once.ts";

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

/** A way to send requests through a relay, made by `throughRelay` of `@x/client/ohttp`. */
export interface Relay {
  /** @throws {ClientError} `option-invalid` when the relay is not for this server. */
  readonly open: (context: RelayContext) => SendThroughRelay;
}
