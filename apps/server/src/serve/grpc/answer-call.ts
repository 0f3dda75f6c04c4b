import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { UnreadAnswers } from "../http/answer-memory.ts";
import {
  COPIED_BYTES,
  largeBodyOf,
  MAX_PIECE_BYTES,
  MAX_WHOLE_BYTES,
  readPieces,
  wholeBody,
} from "../http/large-answer.ts";
import type { LargeReply, Reply } from "../http/reply.ts";
import type { Client } from "../http/request.ts";
import { writePieces } from "../http/send-stream.ts";
import type { MaybePromise } from "../steps.ts";
import { type CallHead, CODES, type Code, GrpcProblem, REFUSED } from "./grpc-problem.ts";
import { headOfMessage, readMessage } from "./read-message.ts";

const TIMEOUT = /^(\d{1,8})([HMSmun])$/;
/** The units of the `grpc-timeout` header, in milliseconds. */
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

/** Answers the calls to a gRPC server. */
export interface CallAnswerer {
  /** Returns the answer to a call. Throws a {@link GrpcProblem} if the call fails. */
  readonly answer: (call: GrpcCall) => MaybePromise<Reply | LargeReply>;
  readonly onError: (error: unknown) => void;
  /** The memory for answers that clients have not read yet. */
  readonly unread: UnreadAnswers;
}

/** A call, and the state of its answer. */
export interface OpenCall {
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

/** Whether the client no longer waits for the answer. */
export function isGone({ destroyed, closed }: ServerHttp2Stream): boolean {
  return destroyed || closed;
}

/** Begins the answer to a call. The status code follows in the trailers. */
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

/** Reads the message of a call, and answers the call. */
export async function answerCall(call: OpenCall, answerer: CallAnswerer): Promise<void> {
  const { stream, headers, client, start } = call;
  try {
    const timeout = timeoutOf(call);
    checkEncoding(call);
    const message = await readMessage(stream);
    const key = headers["x-goog-api-key"]?.toString() ?? null;
    const reply = await answerer.answer({ ...client, path: headers[":path"]!, key, message });
    // The client hung up, so nobody would read the answer.
    if (isGone(stream)) return;
    if (performance.now() - start > timeout) {
      throw new GrpcProblem(CODES.DEADLINE_EXCEEDED, "The deadline has passed.", reply);
    }
    await send(call, reply, answerer.unread);
  } catch (error) {
    refuse(call, error, answerer.onError);
  }
}

async function send(
  call: OpenCall,
  reply: Reply | LargeReply,
  unread: UnreadAnswers,
): Promise<void> {
  const { stream, client } = call;
  const body = "large" in reply ? reply.large : largeBodyOf([reply.body]);
  const { length, ownBytes } = body;
  const size = { length, held: Math.min(length, MAX_PIECE_BYTES) + ownBytes };
  const memory = unread.take(client.network(), size, () => stream.close(constants.NGHTTP2_CANCEL));
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

function refuse(call: OpenCall, error: unknown, onError: (error: unknown) => void): void {
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
