import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { setImmediate as nextTurn } from "node:timers/promises";
import { networkOf } from "../fairness/client-network.ts";
import { limitConnections } from "../fairness/connections.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import {
  type ClientNames,
  clientOf,
  type HttpOptions,
  type PlainRequest,
} from "../http/http-server.ts";
import { wholeBody } from "../http/large-body.ts";
import { errorReply, type LargeReply, type Reply } from "../http/reply.ts";
import { type UnreadAnswer, unreadAnswers } from "../http/unread-answers.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { createGrpcListener } from "./grpc-service.ts";

/** How many calls one connection may have under way. Clients keep others until then. */
const MAX_CALLS = 32;
/** A connection brings many calls at once. They begin one at a time, and others are answered between them. */
const TURNS = {
  ...{ atOnce: 1, perClient: 1000, total: 10_000 },
  refusal: () => new Error("Too many calls are waiting"),
};
const MAX_HEADER_BYTES = 16 * 2 ** 10;
/** How many copies of a message the library holds. */
const COPIES = 2;
/** How long a request may take to arrive, and how long a client may read nothing of an answer, in milliseconds. */
const REQUEST_TIMEOUT = 30_000;
/** How long a connection without calls stays open. Clients keep theirs for the next call. */
const KEEP_ALIVE = 5 * 60_000;
const CONTENT_TYPE = /^application\/grpc(?:\+proto)?$/;
/** Hours, minutes, or more than a day in seconds. */
const LONG_DEADLINE = /^\d+[HM]$|^\d{6,}S$/;
const ROUTE = "grpc";

const EMPTY = new Uint8Array(0);

const REFUSED: Reply = errorReply(ROUTE, 400, "The call was refused.");
const CROWDED: Reply = errorReply(ROUTE, 429, "Too many answers are waiting for their clients.");
const FAILED: Reply = errorReply(ROUTE, 500, "The server failed.");

/** A server for gRPC alone. */
export interface GrpcServer {
  readonly server: Http2Server | Http2SecureServer;
  /** Takes no new calls, and waits for the answers that are under way, at most so many milliseconds. */
  drain(milliseconds: number): Promise<void>;
}

/** The options of the HTTP server, but each call is answered as a whole. */
export interface GrpcOptions extends Omit<HttpOptions, "answer" | "answerStream"> {
  readonly answer: (request: PlainRequest) => MaybePromise<Reply | LargeReply>;
}

/** A server for gRPC that bounds what one connection may ask for. */
export function createGrpcServer(options: GrpcOptions): GrpcServer {
  const { onReply, onError, tls, behindProxy = false, requestTimeout = REQUEST_TIMEOUT } = options;
  const replies = new WeakMap<object, Reply>();
  const unread = options.unread ?? unreadAnswers();
  /** The memory of the answers that are being read, by their requests. */
  const taken = new WeakMap<object, UnreadAnswer>();
  const turns = fairQueue(TURNS);

  function namesOf({ headers, stream }: Http2ServerRequest): ClientNames {
    const get = (name: string) => headers[name]?.toString() ?? null;
    return clientOf({ get }, stream.session?.socket.remoteAddress, behindProxy);
  }

  /** The GET for a call. It has no headers but the API key: others, such as `If-None-Match`, mean nothing in gRPC. */
  function getFor(target: string, key: string | null, request: Http2ServerRequest): PlainRequest {
    return {
      method: "GET",
      target,
      headers: { get: (name) => (name === "x-goog-api-key" ? key : null), getAll: () => [] },
      body: EMPTY,
      client: () => namesOf(request).client,
      network: () => networkOf(namesOf(request).address),
    };
  }

  /** What a call is answered with: an answer, or an error that the server makes itself. */
  async function answer(asGet: PlainRequest): Promise<Reply | LargeReply> {
    try {
      return await options.answer(asGet);
    } catch (error) {
      onError(error);
      return FAILED;
    }
  }

  /** The reply in one piece, for which there must be memory: the library sends a message as a whole. */
  function whole(
    reply: Reply | LargeReply,
    network: string,
    { stream }: Http2ServerRequest,
  ): { readonly reply: Reply; readonly memory: UnreadAnswer | null } {
    const length = "large" in reply ? reply.large.length : reply.body.length;
    const memory = unread.take(network, COPIES * length, () => {
      stream.close(constants.NGHTTP2_CANCEL);
    });
    if (memory === null) return { reply: CROWDED, memory };
    if ("body" in reply) return { reply, memory };
    const { large, ...head } = reply;
    return { reply: { ...head, body: wholeBody(large) }, memory };
  }

  const answerCall = createGrpcListener(async (target, key, message) => {
    const request = message as Http2ServerRequest;
    const asGet = getFor(target, key, request);
    const answered = await answer(asGet);
    // Many calls may have waited for one list, and each has its copy of the answer made.
    if ("large" in answered) await turns.run(asGet.network(), () => nextTurn()).catch(() => {});
    // The client hung up, and nothing waits to be read.
    if (request.stream.destroyed) return REFUSED;
    const { reply, memory } = whole(answered, asGet.network(), request);
    replies.set(request, reply);
    if (memory !== null) taken.set(request, memory);
    return reply;
  });

  function listener(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const start = performance.now();
    const { stream, method, headers } = request;
    const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
    const timer = setTimeout(cancel, requestTimeout);
    stream.once("end", () => clearTimeout(timer));
    stream.setTimeout(requestTimeout, cancel);
    stream.once("close", () => {
      clearTimeout(timer);
      const reply = replies.get(request);
      const bytes = reply?.body.length ?? 0;
      taken.get(request)?.end();
      onReply(reply ?? REFUSED, "gRPC", bytes, performance.now() - start);
    });
    // A request may be answered before all of it arrived. Its rest is dropped, so that the stream can end.
    stream.once("wantTrailers", () => stream.removeAllListeners("data").resume());
    if (method !== "POST" || !CONTENT_TYPE.test(headers["content-type"] ?? "")) {
      response.writeHead(415).end();
      return;
    }
    // No call takes so long, and a timer that is too long for Node ends at once.
    if (LONG_DEADLINE.test(String(headers["grpc-timeout"]))) delete headers["grpc-timeout"];
    const begin = async () => {
      // Many calls are cancelled while they wait.
      if (!stream.destroyed) await nextTurn();
      if (stream.destroyed) return;
      try {
        answerCall(request, response);
      } catch {
        // The library throws when the host in the request is not the host of a URL.
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      }
    };
    turns.run(networkOf(namesOf(request).address), begin).catch(() => {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
  }

  const settings = { maxConcurrentStreams: MAX_CALLS, maxHeaderListSize: MAX_HEADER_BYTES };
  const server =
    tls === null
      ? createServer({ settings }, listener)
      : createSecureServer({ settings, ...tls, handshakeTimeout: requestTimeout / 3 }, listener);
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
