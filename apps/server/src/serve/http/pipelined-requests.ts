import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fairQueue } from "../fairness.ts";
import type { ReceivedRequest } from "./request.ts";

/** How many pipelined requests may wait on a connection. No client that we know pipelines requests. */
const MAX_BEHIND = 32;
/** Pipelined requests are answered one at a time. At most one request of each connection is in this queue. */
const BEHIND = {
  atOnce: 1,
  perClient: Infinity,
  total: Infinity,
  refusal: () => new Error("unreachable"),
};
/** Waits until a pipelined request may be answered. Throws if the client has left. */
export type Turn = () => Promise<void>;

/** Returns the turn of a pipelined request; `null` if too many requests wait on its connection. */
type TurnOf = (
  request: IncomingMessage,
  response: ServerResponse,
  received: ReceivedRequest,
) => Turn | null;

/**
 * Waits until all earlier responses on the connection are finished. Returns `false` if the client leaves, which only
 * the socket shows: a request is closed as soon as its body has been read.
 */
function hasTurn({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const onClose = () => resolve(false);
    // Each waiting request adds a listener to the socket, so the usual limit on listeners is too low.
    socket.setMaxListeners(0).once("close", onClose);
    response.once("socket", () => {
      socket.off("close", onClose);
      resolve(true);
    });
  });
}

export function turnsBehind(): TurnOf {
  /** How many requests wait behind another one, by connection. */
  const behind = new WeakMap<object, number>();
  const turns = fairQueue(BEHIND);
  return (request, response, received) => {
    const { socket } = request;
    const count = (behind.get(socket) ?? 0) + 1;
    behind.set(socket, count);
    if (count > MAX_BEHIND) return null;
    const turn = hasTurn(request, response).finally(() => {
      behind.set(socket, behind.get(socket)! - 1);
    });
    return async () => {
      if (!(await turn)) throw new Error("The client left");
      // Otherwise, all requests that arrived together would be answered before those of other clients.
      await turns.run(received.network(), () => nextTurn());
    };
  };
}
