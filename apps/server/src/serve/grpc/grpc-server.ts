import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limitConnections } from "../fairness/connections.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import { unreadAnswers } from "../http/answer-memory.ts";
import type { HttpOptions } from "../http/http-server.ts";
import { clientOf } from "../http/request.ts";
import { traceOf } from "../http/trace.ts";
import { answerCall, type CallAnswerer, isGone, type OpenCall } from "./answer-call.ts";
import { REFUSED } from "./grpc-problem.ts";

/*
 * Serves unary calls. This server uses no gRPC library, because those that we know need each answer in one piece, and
 * copy it. With @connectrpc/connect-node, 1800 calls for a list of ten million entries, made without reading the
 * answers, kept other clients waiting for 116 ms and took 505 MB.
 */

/** How many calls one connection may have in progress. Clients wait before they make more calls. */
const MAX_CALLS = 32;
/** A connection may bring many calls at once. Calls begin one at a time, and other clients are answered in between. */
const TURNS = {
  atOnce: 1,
  perClient: 1000,
  total: 10_000,
  refusal: () => new Error("Too many calls are waiting"),
};
const MAX_HEADER_BYTES = 16 * 2 ** 10;
/** How long a request may take to arrive, and how long a client may read nothing of an answer, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
/** How long a connection without calls stays open, in milliseconds. Clients reuse their connections. */
const KEEP_ALIVE = 5 * 60_000;
const CONTENT_TYPE = /^application\/grpc(?:\+proto)?$/;

export interface GrpcServer {
  readonly server: Http2Server | Http2SecureServer;
  /** Accepts no new calls, and waits for answers in progress, but not longer than this many milliseconds. */
  drain(milliseconds: number): Promise<void>;
}

/** The options of the HTTP server, but with a function that answers calls. */
export interface GrpcOptions
  extends Omit<HttpOptions, "answer" | "answerStream">,
    Pick<CallAnswerer, "answer"> {}

/** Begins a call, which is reported when it ends, and cancelled if its request takes too long. */
function openCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { onReply, behindProxy = false, requestTimeout = REQUEST_TIMEOUT }: GrpcOptions,
): OpenCall {
  const header = (name: string) => headers[name]?.toString() ?? null;
  const client = clientOf(header, stream.session?.socket.remoteAddress, behindProxy);
  const start = performance.now();
  const call: OpenCall = { stream, headers, client, start, head: REFUSED, bytes: 0 };
  const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
  const timer = setTimeout(cancel, requestTimeout);
  stream.setTimeout(requestTimeout, cancel);
  stream.once("end", () => clearTimeout(timer));
  // Errors of a stream come from its client, so they are not reported.
  stream.on("error", () => {});
  stream.once("close", () => {
    clearTimeout(timer);
    onReply(call.head, "gRPC", call.bytes, performance.now() - start, {
      trace: () => traceOf(header),
    });
  });
  return call;
}

/** Accepts no new sessions, and waits for calls in progress, but not longer than this many milliseconds. */
function drain(
  server: Http2Server | Http2SecureServer,
  sessions: ReadonlySet<ServerHttp2Session>,
  milliseconds: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const session of sessions) session.destroy();
    }, milliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const session of sessions) session.close();
  });
}

/** Creates a gRPC server that limits the connections and calls of each client. */
export function createGrpcServer(options: GrpcOptions): GrpcServer {
  const { answer, onError, tls, behindProxy = false, requestTimeout = REQUEST_TIMEOUT } = options;
  const answerer = { answer, onError, unread: options.unread ?? unreadAnswers() };
  const turns = fairQueue(TURNS);

  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const call = openCall(stream, headers, options);
    if (headers[":method"] !== "POST" || !CONTENT_TYPE.test(headers["content-type"] ?? "")) {
      stream.respond({ ":status": 415 }, { endStream: true });
      stream.resume();
      return;
    }
    const begin = async () => {
      // The call may have been cancelled while it waited.
      if (!isGone(stream)) await nextTurn();
      if (!isGone(stream)) answerCall(call, answerer).catch(onError);
    };
    turns.run(call.client.network(), begin).catch(() => {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
  }

  const settings = { maxConcurrentStreams: MAX_CALLS, maxHeaderListSize: MAX_HEADER_BYTES };
  const server =
    tls === null
      ? createServer({ settings })
      : createSecureServer({ settings, ...tls, handshakeTimeout: requestTimeout / 3 });
  server.on("stream", onStream);
  limitConnections(server, behindProxy);
  server.setTimeout(KEEP_ALIVE);
  server.on("timeout", (session: ServerHttp2Session) => session.close());
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  return { server, drain: (milliseconds) => drain(server, sessions, milliseconds) };
}
