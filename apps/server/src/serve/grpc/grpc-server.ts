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
import type { HttpOptions } from "../http/http-server.ts";
import {
  COPIED_BYTES,
  largeBodyOf,
  MAX_PIECE_BYTES,
  MAX_WHOLE_BYTES,
  readPieces,
  wholeBody,
} from "../http/large-body.ts";
import type { LargeReply, Reply } from "../http/reply.ts";
import { type Client, clientOf } from "../http/request.ts";
import { writePieces } from "../http/send-stream.ts";
import { traceOf } from "../http/trace.ts";
import { unreadAnswers } from "../http/unread-answers.ts";
import type { MaybePromise } from "../steps.ts";
import { type CallHead, CODES, type Code, GrpcProblem, REFUSED } from "./grpc-problem.ts";
import { headOfMessage, readMessage } from "./read-message.ts";

/*
 * Answers calls with one message and one answer. This uses no library, because those that we know need the message of
 * an answer in one piece, and copy it. With @connectrpc/connect-node, 1800 calls for a list of ten million entries
 * whose answers were not read made other clients wait for 116 ms, and took 505 MB.
 */

/** How many calls one connection may have in progress. Clients wait before they make another. */
const MAX_CALLS = 32;
/** A connection may bring many calls at once. They begin one at a time, and other clients are answered between them. */
const TURNS = {
  atOnce: 1,
  perClient: 1000,
  total: 10_000,
  refusal: () => new Error("Too many calls are waiting"),
};
const MAX_HEADER_BYTES = 16 * 2 ** 10;
/** How long a request may take to arrive, and how long a client may read nothing of an answer, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
/** How long a connection without calls stays open. Clients keep theirs for the next call. */
const KEEP_ALIVE = 5 * 60_000;
const CONTENT_TYPE = /^application\/grpc(?:\+proto)?$/;
const TIMEOUT = /^(\d{1,8})([HMSmun])$/;
/** The units in which gRPC gives timeouts, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** A call whose message has arrived. */
export interface GrpcCall extends Client {
  /** The path of the method: `/package.Service/Method`. */
  readonly path: string;
  /** The API key in the metadata; `null` when there is none. */
  readonly key: string | null;
  readonly message: Uint8Array;
}

/** A server that speaks only gRPC. */
export interface GrpcServer {
  readonly server: Http2Server | Http2SecureServer;
  /** Accepts no new calls, and waits for answers in progress, but not longer than this many milliseconds. */
  drain(milliseconds: number): Promise<void>;
}

/** Like the options of the HTTP server, but for calls. */
export interface GrpcOptions extends Omit<HttpOptions, "answer" | "answerStream"> {
  /** Returns the message with which a call is answered. Throws a {@link GrpcProblem} if there is none. */
  readonly answer: (call: GrpcCall) => MaybePromise<Reply | LargeReply>;
}

/** A call, and the state of its answer. */
interface OpenCall {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly client: Client;
  readonly start: number;
  head: CallHead;
  /** How many bytes of the answer were handed to the connection. */
  bytes: number;
}

/** How long the client waits for an answer, in milliseconds. */
function timeoutOf({ headers }: OpenCall): number {
  const given = headers["grpc-timeout"];
  if (given === undefined) return Infinity;
  const [, count, unit] = TIMEOUT.exec(String(given)) ?? [];
  if (count === undefined) {
    throw new GrpcProblem(CODES.INVALID_ARGUMENT, "The grpc-timeout cannot be read.");
  }
  return Number(count) * UNITS[unit!]!;
}

function checkEncoding({ headers }: OpenCall): void {
  const encoding = headers["grpc-encoding"] ?? "identity";
  if (encoding === "identity") return;
  throw new GrpcProblem(CODES.UNIMPLEMENTED, "Send messages without compression.");
}

/** Whether nobody waits for the answer any more. */
function isGone({ destroyed, closed }: ServerHttp2Stream): boolean {
  return destroyed || closed;
}

/** Begins the answer to a call. The code is sent at the end of the answer. */
function respond(stream: ServerHttp2Stream, code: Code, message = ""): void {
  stream.respond(
    { ":status": 200, "content-type": "application/grpc+proto" },
    {
      waitForTrailers: true,
    },
  );
  stream.once("wantTrailers", () => {
    stream.sendTrailers({
      "grpc-status": String(code),
      ...(message !== "" && { "grpc-message": encodeURIComponent(message) }),
    });
  });
}

/** A gRPC server that limits what one connection may ask for. */
export function createGrpcServer(options: GrpcOptions): GrpcServer {
  const { onReply, onError, tls, behindProxy = false, requestTimeout = REQUEST_TIMEOUT } = options;
  const unread = options.unread ?? unreadAnswers();
  const turns = fairQueue(TURNS);

  async function answer(call: OpenCall): Promise<void> {
    const { stream, headers, client, start } = call;
    try {
      const timeout = timeoutOf(call);
      checkEncoding(call);
      const message = await readMessage(stream);
      const key = headers["x-goog-api-key"]?.toString() ?? null;
      const reply = await options.answer({ ...client, path: headers[":path"]!, key, message });
      // The client hung up, and nothing waits to be read.
      if (isGone(stream)) return;
      if (performance.now() - start > timeout) {
        throw new GrpcProblem(CODES.DEADLINE_EXCEEDED, "The deadline has passed.", reply);
      }
      await send(call, reply);
    } catch (error) {
      refuse(call, error);
    }
  }

  async function send(call: OpenCall, reply: Reply | LargeReply): Promise<void> {
    const { stream, client } = call;
    const body = "large" in reply ? reply.large : largeBodyOf([reply.body]);
    const { length, ownBytes } = body;
    const size = { length, held: Math.min(length, MAX_PIECE_BYTES) + ownBytes };
    const memory = unread.take(client.network(), size, () =>
      stream.close(constants.NGHTTP2_CANCEL),
    );
    if (memory === null) {
      const head = { route: REFUSED.route, status: 429 };
      const message = "Too many answers are waiting for their clients.";
      throw new GrpcProblem(CODES.RESOURCE_EXHAUSTED, message, head);
    }
    stream.once("close", () => memory.end());
    call.head = reply;
    respond(stream, CODES.OK);
    const head = headOfMessage(body.length);
    if (body.length <= MAX_WHOLE_BYTES) {
      call.bytes = body.length;
      stream.end(Buffer.concat([head, wholeBody(body)]));
      return;
    }
    stream.write(head);
    await writePieces(stream, readPieces(body, COPIED_BYTES, memory.progressed), (bytes) => {
      call.bytes += bytes;
    });
  }

  function refuse(call: OpenCall, error: unknown): void {
    const { stream } = call;
    if (stream.headersSent) {
      stream.close(constants.NGHTTP2_CANCEL);
      return;
    }
    let problem = error;
    if (!(problem instanceof GrpcProblem)) {
      onError(error);
      const head = { route: REFUSED.route, status: 500 };
      problem = new GrpcProblem(CODES.INTERNAL, "The server failed.", head);
    }
    const { code, message, head } = problem as GrpcProblem;
    call.head = head;
    if (isGone(stream)) return;
    respond(stream, code, message);
    // The rest of the request is dropped, so that the stream can end.
    stream.resume().end();
  }

  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
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
    if (headers[":method"] !== "POST" || !CONTENT_TYPE.test(headers["content-type"] ?? "")) {
      stream.respond({ ":status": 415 }, { endStream: true });
      stream.resume();
      return;
    }
    const begin = async () => {
      // Many calls are cancelled while they wait.
      if (!isGone(stream)) await nextTurn();
      if (!isGone(stream)) answer(call).catch(onError);
    };
    turns.run(client.network(), begin).catch(() => {
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
  return {
    server,
    drain: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const session of sessions) session.destroy();
        }, milliseconds);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        for (const session of sessions) session.close();
      }),
  };
}
