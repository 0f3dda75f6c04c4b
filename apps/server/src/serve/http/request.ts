import type { IncomingMessage } from "node:http";
import { networkOf } from "../fairness.ts";

/** The sender of a request. */
export interface Client {
  /** Identifies the client as far as possible, by address and program. */
  client(): string;
  /** Returns the client's network. Limits apply to networks, because a client cannot freely choose its own. */
  network(): string;
}

/** A request without its body. */
export interface RequestHead extends Client {
  readonly method: string;
  /** The path, and the query when there is one. */
  readonly target: string;
  readonly path: string;
  /** The query without its question mark; empty when there is none. */
  readonly query: string;
  readonly headers: {
    get(name: string): string | null;
    /** Each value of a header that may be given more than once. */
    getAll(name: string): readonly string[];
  };
}

/** A request whose body has been read. */
export interface PlainRequest extends RequestHead {
  readonly body: Uint8Array;
}

/** The scheme and the authority of a target, and the slash after them. */
const ORIGIN = /^https?:\/\/[^/?#]+\/?/i;

/** A target without its origin. Clients may send whole URLs (RFC 9112 §3.2.2), but only proxies need the host. */
function withoutOrigin(target: string): string {
  return target.startsWith("/") ? target : target.replace(ORIGIN, "/");
}

/** Splits a target at its first question mark into path and query. */
export function splitTarget(target: string): Pick<RequestHead, "target" | "path" | "query"> {
  const mark = target.indexOf("?");
  if (mark < 0) return { target, path: target, query: "" };
  return { target, path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * The sender of a message with these headers from this address. Behind a trusted proxy, the last address in
 * `X-Forwarded-For` is the one that the nearest proxy saw.
 */
function clientOf(
  header: (name: string) => string | null,
  remoteAddress: string | undefined,
  behindProxy: boolean,
): Client {
  const address = (): string => {
    const forwarders = behindProxy ? header("x-forwarded-for") : null;
    return forwarders?.slice(forwarders.lastIndexOf(",") + 1).trim() ?? remoteAddress ?? "";
  };
  let client: string | undefined;
  return {
    client: () => (client ??= `${address()} ${header("user-agent") ?? ""}`),
    network: () => networkOf(address()),
  };
}

const EMPTY = new Uint8Array(0);
const NONE: readonly string[] = [];

/** A request whose headers Node has read. The body is empty until all of it has arrived. */
export class ReceivedRequest implements PlainRequest {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers = this;
  body: Uint8Array = EMPTY;
  readonly #message: IncomingMessage;
  readonly #behindProxy: boolean;
  /** The headers are kept, because Node's getter is slow. */
  #headers: IncomingMessage["headers"] | null = null;
  #sender: Client | null = null;

  constructor(message: IncomingMessage, behindProxy: boolean) {
    const { target, path, query } = splitTarget(withoutOrigin(message.url!));
    this.method = message.method === "HEAD" ? "GET" : message.method!;
    this.target = target;
    this.path = path;
    this.query = query;
    this.#message = message;
    this.#behindProxy = behindProxy;
  }

  get(name: string): string | null {
    this.#headers ??= this.#message.headers;
    return (this.#headers[name] as string | undefined) ?? null;
  }

  getAll(name: string): readonly string[] {
    // `headersDistinct` makes a record of all headers, so it is used only if the header is there.
    return this.get(name) === null ? NONE : (this.#message.headersDistinct[name] ?? NONE);
  }

  /** The IDs of the request, for the log. */
  trace(): string {
    return traceOf((name) => this.get(name));
  }

  client(): string {
    return this.#client().client();
  }

  network(): string {
    return this.#client().network();
  }

  #client(): Client {
    this.#sender ??= clientOf(
      (name) => this.get(name),
      this.#message.socket.remoteAddress,
      this.#behindProxy,
    );
    return this.#sender;
  }
}

/** The part of a request from which the log takes IDs. */
export interface Traced {
  /** The IDs of the request, as members of a JSON object; empty if there are none. */
  trace(): string;
}

/** 1 to 128 letters, digits, `-` or `_`: nothing that could be a URL, or that would need an escape in a log. */
const REQUEST_ID = /^[\w-]{1,128}$/;

/** The `traceparent` header (W3C Trace Context §3.2). Versions later than 00 may have more parts. */
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * The IDs by which other programs know a request, as members of a JSON object for the log: those in the headers
 * `X-Request-Id` and `traceparent`, if they are valid. Empty if there are none.
 */
export function traceOf(header: (name: string) => string | null): string {
  const members: string[] = [];
  const id = header("x-request-id");
  if (id !== null && REQUEST_ID.test(id)) members.push(`"request_id":"${id}"`);
  const [, version, trace, span, rest] = TRACE_PARENT.exec(header("traceparent") ?? "") ?? [];
  if (version !== undefined && (version !== "00" || rest === undefined)) {
    members.push(`"trace_id":"${trace}","span_id":"${span}"`);
  }
  return members.join();
}
