import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limitConnections } from "../fairness/connections.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import { type Shares, shares } from "../fairness/shares.ts";
import type { MaybePromise } from "../steps.ts";
import { largeBodyOf, MAX_WHOLE_BYTES, readPieces, sendingOf } from "./large-body.ts";
import { limitedMessages } from "./limited-message.ts";
import { readBody } from "./read-body.ts";
import {
  type AnyReply,
  errorReply,
  type LargeReply,
  type Reply,
  type ReplyHead,
  type StreamReply,
} from "./reply.ts";
import { type PlainRequest, ReceivedRequest, type RequestHead } from "./request.ts";
import { sendStream } from "./send-stream.ts";
import type { Traced } from "./trace.ts";
import { type UnreadAnswers, unreadAnswers } from "./unread-answers.ts";

/** Enough for 1000 hash prefixes in a query; Node's own limit is 16 kB. */
const MAX_HEADER_BYTES = 64 * 2 ** 10;
/** How many bytes of bodies may be in memory, until their requests are answered. */
const BODY_BYTES = { total: 96 * 2 ** 20, perClient: 24 * 2 ** 20 };
/** How long a request may take to arrive, in milliseconds. Its headers may take a third of that. */
const REQUEST_TIMEOUT = 30_000;
const KEEP_ALIVE = 60_000;
/** How many requests may wait behind others on their connection. No client that we know sends any. */
const MAX_BEHIND = 32;
/** Requests that waited behind others are answered one at a time. At most one request of each connection waits here. */
const BEHIND = {
  atOnce: 1,
  perClient: Infinity,
  total: Infinity,
  refusal: () => new Error("unreachable"),
};
/** Node sends a body that is a string together with its headers, in one write. */
const SMALL_BODY_BYTES = 1024;

export interface HttpOptions {
  readonly answer: (request: PlainRequest) => MaybePromise<AnyReply>;
  /** Answers a POST while its body arrives, whatever its length; `null` for one whose body is read first. */
  readonly answerStream?: (
    head: RequestHead,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<AnyReply> | null;
  /** Called after each reply with the length of its body in bytes, the milliseconds it took, and its request. */
  readonly onReply: (
    reply: Omit<ReplyHead, "headers">,
    method: string,
    bytes: number,
    milliseconds: number,
    from: Traced,
  ) => void;
  readonly onError: (error: unknown) => void;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The memory for large answers; the other servers of the process share it. */
  readonly unread?: UnreadAnswers;
  /** Whether a trusted proxy sets `X-Forwarded-For` to the address of the client. */
  readonly behindProxy?: boolean;
  /** How long a request may take to arrive, and how long a stream may pause, in milliseconds. */
  readonly requestTimeout?: number;
}

const METHODS = new Set(["GET", "HEAD", "POST"]);

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

/** The error for a request that is not read any further; `null` for other requests. */
function refuse(request: IncomingMessage, { target }: RequestHead): Reply | null {
  const { method = "" } = request;
  if (!METHODS.has(method)) {
    return errorReply("http", 405, "Use GET, HEAD or POST.", { Allow: "GET, HEAD, POST" });
  }
  const hosts = countHosts(request);
  // RFC 9112 §3.2: only HTTP/1.1 requires the header.
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== "1.0")) {
    return errorReply("http", 400, "Expected one Host header.");
  }
  if (!target.startsWith("/")) return errorReply("http", 400, "Expected a path.");
  return null;
}

/** Waits until a request that is behind others on its connection may be answered. Throws if the client has left. */
type Turn = () => Promise<void>;

function replyTo(
  request: IncomingMessage,
  received: ReceivedRequest,
  options: HttpOptions,
  bodies: Shares,
  turn: Turn | null,
): MaybePromise<AnyReply> {
  const refused = refuse(request, received);
  if (refused !== null) return refused;
  if (request.method !== "POST") {
    return turn === null ? options.answer(received) : turn().then(() => options.answer(received));
  }
  const streamed = options.answerStream?.(received, request) ?? null;
  if (streamed !== null) {
    // HTTP/1.0 cannot tell the end of a stream from a connection that was cut.
    if (request.httpVersion === "1.0") return errorReply("http", 505, "Streams need HTTP/1.1.");
    return turn === null ? streamed : Promise.all([streamed, turn()]).then(([reply]) => reply);
  }
  return answerWithBody(request, received, options, bodies, turn);
}

async function answerWithBody(
  request: IncomingMessage,
  received: ReceivedRequest,
  { answer, requestTimeout = REQUEST_TIMEOUT }: HttpOptions,
  bodies: Shares,
  turn: Turn | null,
): Promise<AnyReply> {
  const network = received.network();
  let held = 0;
  const hold = (bytes: number): boolean => {
    if (!bodies.take(network, bytes)) return false;
    held += bytes;
    return true;
  };
  try {
    const body = await readBody(request, requestTimeout, hold);
    if (!(body instanceof Uint8Array)) return body;
    received.body = body;
    await turn?.();
    return await answer(received);
  } finally {
    if (held > 0) bodies.giveBack(network, held);
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/**
 * Waits for the turn of the response to a request behind others on its connection. Returns `false` if the client
 * leaves. Only the connection shows that, because a request is closed as soon as its body has been read.
 */
function hasTurn({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const onClose = () => resolve(false);
    // Any number of requests may wait here, each with a listener.
    socket.setMaxListeners(0).once("close", onClose);
    response.once("socket", () => {
      socket.off("close", onClose);
      resolve(true);
    });
  });
}

/** Sends a reply in parts. Returns the length of its body in bytes. */
function sendStreamReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: StreamReply,
  { requestTimeout = REQUEST_TIMEOUT, onError }: HttpOptions,
): MaybePromise<number> {
  if (request.method !== "HEAD") return sendStream(response, reply, requestTimeout, onError);
  response.writeHead(reply.status, reply.headers).end();
  return 0;
}

/** Sends a reply. Returns the length of its body in bytes. */
function sendReply(request: IncomingMessage, response: ServerResponse, reply: Reply): number {
  const { status, headers, body } = reply;
  // Pass an array, because Node takes twenty times as long to copy a record of headers.
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name]!);
  if (status !== 304) head.push("Content-Length", String(body.length));
  // Otherwise, the unread rest of the body would be read as the next request.
  if (!request.complete && announcesBody(request)) head.push("Connection", "close");
  response.writeHead(status, head);
  if (request.method === "HEAD") response.end();
  else if (body.length <= SMALL_BODY_BYTES) {
    // With `end` alone, Node waits for an empty last part, and then sends both more slowly.
    response.cork();
    response.write(Buffer.from(body).toString("latin1"), "latin1");
    response.uncork();
    response.end();
  } else response.end(body);
  return body.length;
}

/** Turns a reply with a long body into one that is sent piece by piece. */
function asLarge(reply: Reply | LargeReply): LargeReply {
  if ("large" in reply) return reply;
  const { body, ...head } = reply;
  return { ...head, large: largeBodyOf([body]) };
}

const CROWDED: Reply = errorReply("http", 503, "Too many answers wait for their clients.", {
  "Retry-After": "60",
});

/** A request, where its answer goes, and when it arrived, in milliseconds. */
interface Exchange {
  readonly received: ReceivedRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
}

/** An HTTP server that limits what each connection may use. */
export function createHttpServer(options: HttpOptions): Server {
  const { onReply, onError, tls, requestTimeout = REQUEST_TIMEOUT } = options;
  const unread = options.unread ?? unreadAnswers();
  const behindProxy = options.behindProxy ?? false;
  const limits = {
    IncomingMessage: limitedMessages(),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeout / 3,
    // A stream may take any length of time. Other bodies are timed where they are read.
    requestTimeout: 0,
    connectionsCheckingInterval: requestTimeout / 6,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  /** Connections in the middle of a stream. */
  const streaming = new WeakSet<object>();
  const bodies = shares(BODY_BYTES);
  /** How many requests on a connection wait behind another one. */
  const behind = new WeakMap<object, number>();
  const turns = fairQueue(BEHIND);
  /** The turn of a request behind others on its connection; `null` when the connection has too many of them. */
  function turnBehind({ request, response, received }: Exchange): Turn | null {
    const { socket } = request;
    const count = (behind.get(socket) ?? 0) + 1;
    behind.set(socket, count);
    if (count > MAX_BEHIND) return null;
    const turn = hasTurn(request, response).finally(() => {
      behind.set(socket, behind.get(socket)! - 1);
    });
    return async () => {
      if (!(await turn)) throw new Error("The client left");
      // Otherwise, all requests that arrived together would be answered before those of other clients.
      await turns.run(received.network(), () => nextTurn());
    };
  }
  function report(exchange: Exchange, reply: ReplyHead, bytes: number): void {
    const { request, received, start } = exchange;
    onReply(reply, request.method ?? "", bytes, performance.now() - start, received);
  }
  async function sendAsStream(exchange: Exchange, reply: StreamReply): Promise<void> {
    const { request, response } = exchange;
    streaming.add(request.socket);
    const bytes = await sendStreamReply(request, response, reply, options);
    streaming.delete(request.socket);
    // Data that was already written is still sent first.
    if (!server.listening) request.socket.end();
    report(exchange, reply, bytes);
  }
  /** Sends a reply that is too long to be sent as a whole, if there is memory for it. */
  async function sendLarge(exchange: Exchange, reply: Reply | LargeReply): Promise<void> {
    const { request, received } = exchange;
    const { headers, large, ...head } = asLarge(reply);
    const { step, held } = sendingOf(large, tls !== null);
    const size = { length: large.length, held };
    const answer = unread.take(received.network(), size, () => request.socket.destroy());
    if (answer === null) return finish(exchange, CROWDED);
    try {
      const stream = readPieces(large, step, answer.progressed);
      const length = { "Content-Length": String(large.length) };
      await sendAsStream(exchange, { ...head, headers: { ...headers, ...length }, stream });
    } finally {
      answer.end();
    }
  }
  function finish(exchange: Exchange, reply: AnyReply): MaybePromise<void> {
    // A server that stops tells clients to send nothing more on this connection. Otherwise, a proxy would keep it busy.
    if (!server.listening) exchange.response.shouldKeepAlive = false;
    if ("stream" in reply) return sendAsStream(exchange, reply);
    if ("large" in reply || reply.body.length > MAX_WHOLE_BYTES) return sendLarge(exchange, reply);
    report(exchange, reply, sendReply(exchange.request, exchange.response, reply));
  }
  function fail(exchange: Exchange, error: unknown): MaybePromise<void> {
    // A response that had no turn on its connection does not know that the client left.
    if (exchange.response.destroyed || exchange.request.socket.destroyed) return;
    onError(error);
    return finish(exchange, errorReply("http", 500, "The server failed."));
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const received = new ReceivedRequest(request, behindProxy);
    const exchange: Exchange = { received, request, response, start: performance.now() };
    let turn: Turn | null = null;
    if (response.socket === null) {
      turn = turnBehind(exchange);
      if (turn === null) {
        request.socket.destroy();
        return;
      }
    }
    let reply: MaybePromise<AnyReply>;
    try {
      reply = replyTo(request, received, options, bodies, turn);
    } catch (error) {
      fail(exchange, error);
      return;
    }
    if (reply instanceof Promise) {
      reply.then(
        (value) => finish(exchange, value),
        (error) => fail(exchange, error),
      );
    } else finish(exchange, reply);
  };
  const server =
    tls === null
      ? createServer(limits, listener)
      : createTlsServer({ ...limits, ...tls, handshakeTimeout: requestTimeout / 3 }, listener);
  limitConnections(server, behindProxy);
  // Without this, a long answer is cut off if the client closes its side after the request. Node's types lack it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node would drop headers beyond the 2000th, and with them perhaps an API key. Their length is limited anyway.
  server.maxHeadersCount = 0;
  // Close connections of clients that do not read their answer. The time is longer than a body may take, because a slow
  // body gets its own answer.
  server.timeout = 2 * requestTimeout;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Before the TLS handshake, there is no way to answer: `end` would wait for the handshake.
    const isSilent = error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT";
    if (!socket.writable || isSilent || streaming.has(socket)) return socket.destroy();
    const status =
      error.code === "HPE_HEADER_OVERFLOW"
        ? "431 Request Header Fields Too Large"
        : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
          ? "408 Request Timeout"
          : "400 Bad Request";
    return socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}

/**
 * Accepts no new connections, and waits for answers in progress, but not longer than this many milliseconds. Idle
 * connections are kept for `linger` milliseconds: a request may be on its way, and is then answered with
 * `Connection: close`.
 */
export function drain(server: Server, milliseconds: number, linger = 0): Promise<void> {
  return new Promise((resolve) => {
    const closing = setTimeout(() => server.closeAllConnections(), milliseconds);
    const idle = setTimeout(() => server.closeIdleConnections(), linger);
    // The method of HTTP servers would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(closing);
      clearTimeout(idle);
      resolve();
    });
  });
}
