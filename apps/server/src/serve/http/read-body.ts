import type { IncomingMessage } from "node:http";
import { errorReply, type Reply } from "./reply.ts";

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
