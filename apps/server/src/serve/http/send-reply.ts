import cluster from "node:cluster";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { UnreadAnswers } from "./answer-memory.ts";
import { largeBodyOf, MAX_WHOLE_BYTES, readPieces, sendingOf } from "./large-answer.ts";
import {
  type AnyReply,
  errorReply,
  HttpProblem,
  type LargeReply,
  type Reply,
  type ReplyHead,
  type StreamReply,
} from "./reply.ts";
import type { ReceivedRequest } from "./request.ts";

export interface SendOptions {
  /** Called after each reply with the length of its body in bytes, and the milliseconds it took. */
  readonly onReply: (
    reply: Omit<ReplyHead, "headers">,
    method: string,
    bytes: number,
    milliseconds: number,
  ) => void;
  readonly onError: (error: unknown) => void;
}

/** The parts of a server that are needed to send its replies. */
export interface Sender extends SendOptions {
  readonly server: Server;
  readonly isTls: boolean;
  /** The memory for large answers. */
  readonly unread: UnreadAnswers;
  /** The connections on which a stream is being sent. */
  readonly streaming: WeakSet<object>;
  /** How long a stream may pause, in milliseconds. */
  readonly requestTimeout: number;
}

/** A request, its response, and the time when the request arrived, according to `performance.now()`. */
export interface Exchange {
  readonly received: ReceivedRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: number;
}

/** A body of up to this many bytes is sent as a string: Node sends strings together with the headers, in one write. */
const SMALL_BODY_BYTES = 1024;

/** Answers that nobody reads are cut off after five seconds, if others need their memory. */
const CROWDED: Reply = errorReply("http", 503, "Too many answers are waiting for their clients.", {
  "Retry-After": "5",
});

/**
 * Of several processes, a busy one accepts fewer connections. So one answer in a thousand ends its connection, and the
 * client's next connection is likely to go to a process that has less to do.
 */
const MOVING = 1 / 1000;

function announcesBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

/** Sends a stream. Returns the length of its body in bytes, which is 0 for HEAD. */
function sendStreamReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: StreamReply,
  { requestTimeout, onError }: Sender,
): number | Promise<number> {
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
  if (status !== 304 && status !== 204) head.push("Content-Length", String(body.length));
  // Otherwise, the unread rest of the request's body would be read as the next request.
  if (!request.complete && announcesBody(request)) head.push("Connection", "close");
  response.writeHead(status, head);
  if (request.method === "HEAD") response.end();
  else if (body.length <= SMALL_BODY_BYTES) {
    // `end(body)` is slower: Node waits for an empty last part before it sends the body.
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

function report({ onReply }: Sender, exchange: Exchange, reply: ReplyHead, bytes: number): void {
  const { request, start } = exchange;
  onReply(reply, request.method ?? "", bytes, performance.now() - start);
}

async function sendAsStream(sender: Sender, exchange: Exchange, reply: StreamReply): Promise<void> {
  const { request, response } = exchange;
  sender.streaming.add(request.socket);
  const bytes = await sendStreamReply(request, response, reply, sender);
  sender.streaming.delete(request.socket);
  // Data that was already written is still sent first.
  if (!sender.server.listening) request.socket.end();
  report(sender, exchange, reply, bytes);
}

/** Sends a long reply piece by piece, or the status 503 if there is no memory for it. */
async function sendLarge(
  sender: Sender,
  exchange: Exchange,
  reply: Reply | LargeReply,
): Promise<void> {
  const { request, received } = exchange;
  const { headers, large, ...head } = asLarge(reply);
  const { step, held } = sendingOf(large, sender.isTls);
  const size = { length: large.length, held };
  const answer = sender.unread.take(received.network(), size, () => request.socket.destroy());
  if (answer === null) return send(sender, exchange, CROWDED);
  try {
    const stream = readPieces(large, step, answer.progressed);
    const length = { "Content-Length": String(large.length) };
    await sendAsStream(sender, exchange, { ...head, headers: { ...headers, ...length }, stream });
  } finally {
    answer.end();
  }
}

/** Sends a reply: as a whole if it is short, otherwise piece by piece or as a stream. */
export function send(sender: Sender, exchange: Exchange, reply: AnyReply): void | Promise<void> {
  // A stopping server tells clients to send nothing more on the connection. Otherwise, a proxy would keep the
  // connection busy.
  const isMoving = cluster.isWorker && Math.random() < MOVING;
  if (!sender.server.listening || isMoving) exchange.response.shouldKeepAlive = false;
  if ("stream" in reply) return sendAsStream(sender, exchange, reply);
  if ("large" in reply || reply.body.length > MAX_WHOLE_BYTES) {
    return sendLarge(sender, exchange, reply);
  }
  report(sender, exchange, reply, sendReply(exchange.request, exchange.response, reply));
}

/** Reports an error, and answers its request with status 500. */
export function sendFailure(
  sender: Sender,
  exchange: Exchange,
  error: unknown,
): void | Promise<void> {
  // If earlier responses are unfinished, only the socket shows that the client left.
  if (exchange.response.destroyed || exchange.request.socket.destroyed) return;
  sender.onError(error);
  return send(sender, exchange, errorReply("http", 500, "The server failed."));
}

function drainedOrClosed(receiver: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      receiver.off("drain", done).off("close", done);
      resolve();
    };
    receiver.on("drain", done).on("close", done);
  });
}

/**
 * Writes pieces as fast as the client reads them, and ends the stream. Stops when the client leaves.
 *
 * `onWritten` is called with the length of each piece in bytes.
 */
async function writePieces(
  receiver: Writable,
  pieces: AsyncIterable<Uint8Array>,
  onWritten: (bytes: number) => void,
): Promise<void> {
  for await (const piece of pieces) {
    onWritten(piece.length);
    if (!receiver.write(piece) && !receiver.destroyed) await drainedOrClosed(receiver);
    if (receiver.destroyed) return;
  }
  receiver.end();
}

/**
 * Sends a stream as fast as the client reads it. Returns its length in bytes.
 *
 * The connection is cut when nothing has been received or sent for `pause` milliseconds or when the stream throws.
 * `onError` is called with errors of the stream that are not an {@link HttpProblem}.
 */
async function sendStream(
  response: ServerResponse,
  { status, headers, stream }: StreamReply,
  pause: number,
  onError: (error: unknown) => void,
): Promise<number> {
  const { socket } = response;
  socket?.setTimeout(pause);
  response.writeHead(status, headers);
  // Some clients wait for the status before they send the body.
  if (response.req.method === "POST") response.flushHeaders();
  let bytes = 0;
  try {
    await writePieces(response, stream, (written) => {
      bytes += written;
    });
  } catch (error) {
    // Errors that occur after the client left are not reported.
    if (!response.destroyed && !(error instanceof HttpProblem)) onError(error);
    // The bytes written so far are sent, but not the mark that ends a complete answer.
    socket?.destroySoon();
  }
  return bytes;
}
