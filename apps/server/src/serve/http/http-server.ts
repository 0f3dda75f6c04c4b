import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FairQueue, fairQueue, networkOf, QUEUES, SHARES, shares } from "../fairness.ts";
import { type UnreadAnswers, unreadAnswers } from "./answer-memory.ts";
import { type Answerer, type AnswerOptions, answerRequest } from "./answer-request.ts";
import { limitedMessages } from "./limited-messages.ts";
import { ReceivedRequest } from "./request.ts";
import { type Exchange, type Sender, type SendOptions, send, sendFailure } from "./send-reply.ts";

/**
 * The maximum length of request headers in bytes, enough for 1000 hash prefixes in a query. Node's own limit is 16 kB.
 */
const MAX_HEADER_BYTES = 64 * 2 ** 10;
/** How many pipelined requests may wait on a connection. No client that we know pipelines requests. */
const MAX_BEHIND = 32;
/** How long a request may take to arrive, in milliseconds. The headers may take a third of this time. */
const REQUEST_TIMEOUT = 30_000;
const KEEP_ALIVE = 60_000;

export interface HttpOptions extends AnswerOptions, SendOptions {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The memory for large answers, which all servers of the process share. */
  readonly unread?: UnreadAnswers;
  /** Whether a trusted proxy puts the client's address into `X-Forwarded-For`. */
  readonly behindProxy?: boolean;
  /** How long a request may take to arrive, and how long a stream may pause, in milliseconds. */
  readonly requestTimeout?: number;
}

/** The limits, as options for Node's HTTP servers. */
function limitsOf(requestTimeout: number, turns: FairQueue) {
  return {
    IncomingMessage: limitedMessages(turns),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: requestTimeout / 3,
    // A stream may take any length of time. `readBody` has a timeout for other bodies.
    requestTimeout: 0,
    connectionsCheckingInterval: requestTimeout / 6,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
}

/** Answers bytes that are not a valid request, and closes the connection. */
function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  streaming: WeakSet<object>,
): void {
  // Before the TLS handshake, there is no way to answer: `end` would wait for the handshake.
  const isSilent = error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT";
  if (!socket.writable || isSilent || streaming.has(socket)) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  const headers = "Connection: close\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *";
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`);
}

/** Creates an HTTP server that limits connections, memory and time for each client. */
export function createHttpServer(options: HttpOptions): Server {
  const { tls, behindProxy = false, requestTimeout = REQUEST_TIMEOUT } = options;
  const turns = fairQueue(QUEUES.messages);
  const limits = limitsOf(requestTimeout, turns);
  const server =
    tls === null
      ? createServer(limits)
      : createTlsServer({ ...limits, ...tls, handshakeTimeout: requestTimeout / 3 });
  const answerer: Answerer = { ...options, bodies: shares(SHARES.bodies), requestTimeout };
  const sender: Sender = {
    server,
    isTls: tls !== null,
    streaming: new WeakSet(),
    requestTimeout,
    unread: options.unread ?? unreadAnswers(),
    onReply: options.onReply,
    onError: options.onError,
  };
  const behind = requestsBehind(turns);
  server.on("request", (request: IncomingMessage, response: ServerResponse): void => {
    const received = new ReceivedRequest(request, behindProxy);
    const exchange: Exchange = { received, request, response, start: performance.now() };
    const turn = response.socket === null ? behind(exchange) : AT_ONCE;
    if (turn === null) {
      request.socket.destroy();
      return;
    }
    answerRequest(request, received, answerer, turn).then(
      (reply) => send(sender, exchange, reply),
      (error) => sendFailure(sender, exchange, error),
    );
  });
  limitConnections(server, behindProxy);
  // Without `httpAllowHalfOpen`, a long answer is cut off if the client closes its side after the request. Node's types
  // lack this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node would drop headers beyond the 2000th, and with them perhaps an API key. The total length of headers is limited
  // anyway.
  server.maxHeadersCount = 0;
  // Close connections of clients that do not read their answer. The time is longer than a body may take, because a slow
  // body is answered with 408.
  server.timeout = 2 * requestTimeout;
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseBytes(error, socket, sender.streaming);
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
    // `close` of an HTTP server would close idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(closing);
      clearTimeout(idle);
      resolve();
    });
  });
}

/** Waits until a request may be answered. Throws if the client has left. */
type Turn = () => Promise<void>;

const AT_ONCE: Turn = async () => {};

/**
 * Returns a function that makes pipelined requests wait for the one before, and returns `null` if too many wait on a
 * connection.
 */
function requestsBehind(turns: FairQueue): (exchange: Exchange) => Turn | null {
  const counts = new WeakMap<object, number>();
  return ({ request, response, received }) => {
    const { socket } = request;
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    if (count > MAX_BEHIND) return null;
    const turn = hasTurn(request, response).finally(() => {
      counts.set(socket, counts.get(socket)! - 1);
    });
    return async () => {
      if (!(await turn)) throw new Error("The client left");
      // Otherwise, all requests that arrived together would be answered before those of other clients.
      await turns.run(received.network(), () => nextTurn());
    };
  };
}

/**
 * Waits until all earlier responses on the connection are finished. Returns `false` if the client leaves, which only
 * the socket shows: a request is closed as soon as its body has been read.
 */
function hasTurn({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const onClose = () => resolve(false);
    // Each waiting request adds a listener to the socket, so the usual limit on listeners is too low.
    socket.setMaxListeners(0).once("close", onClose);
    response.once("socket", () => {
      socket.off("close", onClose);
      resolve(true);
    });
  });
}

/**
 * Closes connections beyond two limits: one for the whole server and one for each client. The limit for clients does
 * not apply behind a proxy.
 */
export function limitConnections(
  server: Pick<NetServer, "on"> & { maxConnections?: number },
  behindProxy: boolean,
  { total, perClient } = SHARES.connections,
): void {
  server.maxConnections = total;
  if (behindProxy) return;
  const open = shares({ total, perClient });
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    if (!open.take(network)) {
      socket.destroy();
      return;
    }
    socket.once("close", () => open.giveBack(network));
  });
}
