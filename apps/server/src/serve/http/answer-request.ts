import type { IncomingMessage } from "node:http";
import type { Shares } from "../fairness.ts";
import {
  type AnyReply,
  errorReply,
  METHODS_ALLOWED,
  PREFLIGHT_HEADERS,
  type Reply,
} from "./reply.ts";
import type { PlainRequest, ReceivedRequest, RequestHead } from "./request.ts";

export interface AnswerOptions {
  readonly answer: (request: PlainRequest) => AnyReply | Promise<AnyReply>;
  /**
   * Answers a POST request while its body, which may have any length, arrives. Returns `null` if the body must be read
   * first.
   */
  readonly answerStream?: (
    head: RequestHead,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<AnyReply> | null;
}

/** The functions that answer the requests to a server, with their limits. */
export interface Answerer extends AnswerOptions {
  /** The memory for request bodies, in bytes. */
  readonly bodies: Shares;
  /** How long a body may take to arrive, in milliseconds. */
  readonly requestTimeout: number;
}

const METHODS = new Set(["GET", "HEAD", "POST"]);

const PREFLIGHT: Reply = {
  route: "preflight",
  status: 204,
  headers: PREFLIGHT_HEADERS,
  body: new Uint8Array(0),
};

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

/**
 * The reply to OPTIONS, and the error reply to a request whose method, Host header or target is refused; `null` for
 * other requests.
 */
function refuse(request: IncomingMessage, { target }: RequestHead): Reply | null {
  const { method = "" } = request;
  if (!METHODS.has(method)) {
    if (method === "OPTIONS") return PREFLIGHT;
    return errorReply("http", 405, "Use GET, HEAD or POST.", { Allow: METHODS_ALLOWED });
  }
  const hosts = countHosts(request);
  // Only HTTP/1.1 requires the Host header (RFC 9112 §3.2).
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== "1.0")) {
    return errorReply("http", 400, "Expected one Host header.");
  }
  if (!target.startsWith("/")) return errorReply("http", 400, "Expected a path.");
  return null;
}

/** Answers a request, or refuses it. */
export async function answerRequest(
  request: IncomingMessage,
  received: ReceivedRequest,
  answerer: Answerer,
): Promise<AnyReply> {
  const refused = refuse(request, received);
  if (refused !== null) return refused;
  if (request.method !== "POST") return answerer.answer(received);
  const streamed = answerer.answerStream?.(received, request) ?? null;
  if (streamed !== null) {
    // An HTTP/1.0 client cannot tell the end of a stream from a connection that was cut.
    if (request.httpVersion === "1.0") return errorReply("http", 505, "Streams need HTTP/1.1.");
    return streamed;
  }
  return answerWithBody(request, received, answerer);
}

async function answerWithBody(
  request: IncomingMessage,
  received: ReceivedRequest,
  { answer, bodies, requestTimeout }: Answerer,
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
    return await answer(received);
  } finally {
    if (held > 0) bodies.giveBack(network, held);
  }
}

/** The maximum length of a body that is not a stream, in bytes. */
export const MAX_BODY_BYTES: number = 2 ** 20;
/** The length in bytes above which parsing a body or target takes more than a moment. */
export const LARGE_REQUEST_BYTES: number = 2 ** 14;

const tooMuch = (): Reply =>
  errorReply("http", 429, "Too much is being sent at the same time.", { "Retry-After": "1" });
const tooLarge = (): Reply => errorReply("http", 413, "The body is too large.");

/**
 * Reads a body. Returns an error reply if the body is too long or too slow, or if there is no memory for it. `hold`
 * gets the length of each piece in bytes, and returns whether the piece may be kept.
 */
export function readBody(
  request: IncomingMessage,
  timeout: number,
  hold: (bytes: number) => boolean,
): Promise<Uint8Array | Reply> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const body = growingBuffer();
    function settle(result: Uint8Array | Reply): void {
      clearTimeout(timer);
      resolve(result);
    }
    function refuseRest(reply: Reply): void {
      request.pause().removeListener("data", onData);
      settle(reply);
    }
    function onData(piece: Buffer): void {
      if (body.bytes().length + piece.length > MAX_BODY_BYTES) refuseRest(tooLarge());
      else if (hold(piece.length)) body.push(piece);
      else refuseRest(tooMuch());
    }
    const timer = setTimeout(
      () => refuseRest(errorReply("http", 408, "The body took too long.")),
      timeout,
    );
    request.on("data", onData);
    request.once("end", () => settle(body.bytes()));
    request.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

/** The pieces of a body, joined as they arrive. */
interface GrowingBuffer {
  push(piece: Buffer): void;
  /** The bytes that have arrived so far. */
  bytes(): Buffer;
}

/**
 * Joins pieces in one buffer that grows. An object for each piece would take far more memory than a piece of one byte.
 */
function growingBuffer(): GrowingBuffer {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return {
    push(piece) {
      const end = used + piece.length;
      if (end > buffer.length) {
        const longer = Buffer.allocUnsafeSlow(Math.max(end, 2 * buffer.length));
        buffer.copy(longer, 0, 0, used);
        buffer = longer;
      }
      piece.copy(buffer, used);
      used = end;
    },
    bytes: () => buffer.subarray(0, used),
  };
}
