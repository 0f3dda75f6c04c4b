import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { HttpProblem } from "./http-problem.ts";
import type { StreamReply } from "./reply.ts";

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
export async function sendStream(
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
