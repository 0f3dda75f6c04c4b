import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fairQueue } from "../fairness/fair-queue.ts";
import type { ReceivedRequest } from "./request.ts";

/** How many requests may wait behind others on their connection. No client that we know sends any. */
const MAX_BEHIND = 32;
/** Requests that waited behind others are answered one at a time. At most one request of each connection waits here. */
const BEHIND = {
  atOnce: 1,
  perClient: Infinity,
  total: Infinity,
  refusal: () => new Error("unreachable"),
};
/** Waits until a request that is behind others on its connection may be answered. Throws if the client has left. */
export type Turn = () => Promise<void>;

/** The turn of a request behind others; `null` when too many wait on its connection. */
type TurnOf = (
  request: IncomingMessage,
  response: ServerResponse,
  received: ReceivedRequest,
) => Turn | null;

/**
 * Waits for the turn of the response to a request behind others on its connection. Returns `false` if the client
 * leaves. Only the connection shows that, because a request is closed as soon as its body has been read.
 */
function hasTurn({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(false);
    const onClose = () => resolve(false);
    // Any number of requests may wait here, each with a listener.
    socket.setMaxListeners(0).once("close", onClose);
    response.once("socket", () => {
      socket.off("close", onClose);
      resolve(true);
    });
  });
}

export function turnsBehind(): TurnOf {
  /** How many requests on a connection wait behind another one. */
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
