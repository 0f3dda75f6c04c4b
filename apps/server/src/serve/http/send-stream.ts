import type { ServerResponse } from "node:http";
import { HttpProblem } from "./http-problem.ts";
import type { StreamReply } from "./reply.ts";

function drainedOrClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/**
 * Sends a stream as fast as the client reads it. Returns its length in bytes.
 *
 * The connection is cut when nothing was received or sent for `pause` milliseconds, and when the stream throws.
 * `onError` is called with errors that the stream did not announce as an {@link HttpProblem}.
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
  response.flushHeaders();
  let bytes = 0;
  try {
    for await (const piece of stream) {
      bytes += piece.length;
      if (!response.write(piece) && !response.destroyed) {
        await drainedOrClosed(response);
      }
      if (response.destroyed) return bytes;
    }
    response.end();
  } catch (error) {
    // A client that left is not an error of ours.
    if (!response.destroyed && !(error instanceof HttpProblem)) onError(error);
    // What was written is sent, but not the mark that ends a whole answer.
    socket?.destroySoon();
  }
  return bytes;
}
