import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FairQueue, fairQueue, networkOf, QUEUES, SHARES, shares } from "../fairness.ts";
import { type UnreadAnswers, unreadAnswers } from "./answer-memory.ts";
import { type Answerer, type AnswerOptions, answerRequest } from "./answer-request.ts";
import { ReceivedRequest } from "./request.ts";
import { type Exchange, type Sender, type SendOptions, send, sendFailure } from "./send-reply.ts";

/**
 * The maximum length of request headers in bytes, enough for 1000 hash prefixes in a query. Node's own limit is 16 kB.
 */
const MAX_HEADER_BYTES = 64 * 2 ** 10;
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
function limitsOf(requestTimeout: number) {
  return {
    IncomingMessage: limitedMessages(fairQueue(QUEUES.bodies)),
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
  const limits = limitsOf(requestTimeout);
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
  server.on("request", (request: IncomingMessage, response: ServerResponse): void => {
    // Only a pipelined request has no socket yet.
    if (response.socket === null) {
      endAfterAnswer(request, response);
      return;
    }
    const received = new ReceivedRequest(request, behindProxy);
    const exchange: Exchange = { received, request, response, start: performance.now() };
    answerRequest(request, received, answerer).then(
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

/**
 * Closes the connection of a pipelined request after the answer to the request before it. Clients ask again for what
 * was not answered (RFC 9112 §9.3.2). If requests were answered while they wait for each other, their answers could
 * fill the memory. No client that we know pipelines requests.
 */
function endAfterAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  socket.pause();
  response.once("socket", () => socket.destroySoon());
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
  const open = shares({ total, perClient: behindProxy ? total : perClient });
  server.on("connection", (socket: Socket) => {
    const network = behindProxy ? "" : networkOf(socket.remoteAddress ?? "");
    if (!open.take(network)) {
      socket.destroy();
      return;
    }
    socket.once("close", () => open.giveBack(network));
  });
}

/** After this many bytes of a body, its connection waits for a turn before more is read. Node reads 64 kB at a time. */
const TURN_BYTES = 2 ** 15;
const TURN_PIECES = 256;

/**
 * Returns a message class that limits how much time the server spends on reading bodies.
 *
 * Clients take turns sending long bodies. Otherwise, the server would read everything that all connections have sent
 * before it answers a client. A client that sends a body in chunks that are too short is cut off.
 */
function limitedMessages(turns: FairQueue): typeof IncomingMessage {
  return class LimitedMessage extends MessageWithShortNames {
    #pieces = 0;
    #bytes = 0;
    /** The pieces and bytes that have arrived since the last turn. */
    #turnPieces = 0;
    #turnBytes = 0;
    #isCutOff = false;

    override push(piece: Uint8Array | null): boolean {
      // The parser still passes on data that it has already read.
      if (this.destroyed) return true;
      if (this.#isCutOff) {
        // Otherwise, Node would read the next request on the connection.
        if (piece === null) this.destroy();
        return false;
      }
      if (piece === null) return super.push(piece);
      this.#pieces++;
      this.#bytes += piece.length;
      if (areTooShort(this.#pieces, this.#bytes)) {
        this.#isCutOff = true;
        setTimeout(() => this.destroy(), CUT_OFF_AFTER);
        return false;
      }
      this.#turnPieces++;
      this.#turnBytes += piece.length;
      // If `push` returns `false`, Node reads nothing more until it calls `_read`.
      return super.push(piece) && !this.#mustWait();
    }

    override _read(size: number): void {
      if (this.#isCutOff) return;
      if (this.#mustWait()) this.#readInTurn(size);
      else super._read(size);
    }

    async #readInTurn(size: number): Promise<void> {
      await turns.run(networkOf(this.socket.remoteAddress ?? ""), () => nextTurn());
      this.#turnPieces = 0;
      this.#turnBytes = 0;
      if (!this.complete && !this.#isCutOff) super._read(size);
    }

    #mustWait(): boolean {
      return this.#turnBytes >= TURN_BYTES || this.#turnPieces >= TURN_PIECES;
    }
  };
}

/*
 * A body may not come in chunks of a few bytes, because each chunk costs Node more time than a kilobyte does. A client
 * that sends many short chunks is cut off after a delay. Without the delay, the client would connect again at once and
 * send the same body.
 */

/**
 * A body may have this many pieces of any length. For each further piece, it must have {@link MIN_PIECE_BYTES} bytes.
 */
const FREE_PIECES = 1024;
const MIN_PIECE_BYTES = 8;
/** If a client sends shorter pieces, no more is read from it, and it is cut off after this many milliseconds. */
const CUT_OFF_AFTER: number = 1000;

/** Whether the pieces of a body that have arrived so far are too short. */
function areTooShort(pieces: number, bytes: number): boolean {
  return bytes < MIN_PIECE_BYTES * (pieces - FREE_PIECES);
}

/** The maximum length of a header name, in characters. The server reads no header with a longer name. */
const MAX_NAME_LENGTH = 256;

const HEADERS = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers")!;

/**
 * A message whose long header names are truncated.
 *
 * Node makes each name the key of an object, and V8 keeps all keys in one table. V8 computes the hash of a string of
 * more than 16 383 characters from its length alone, so each name of that length would be compared with all the others.
 */
class MessageWithShortNames extends IncomingMessage {
  areNamesShort = false;
}

Object.defineProperty(MessageWithShortNames.prototype, "headers", {
  ...HEADERS,
  get(this: MessageWithShortNames) {
    if (!this.areNamesShort) {
      this.areNamesShort = true;
      const { rawHeaders } = this;
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i]!;
        if (name.length > MAX_NAME_LENGTH) rawHeaders[i] = name.slice(0, MAX_NAME_LENGTH);
      }
    }
    return HEADERS.get!.call(this);
  },
});
