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
