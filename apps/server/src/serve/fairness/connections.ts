import type { Server, Socket } from "node:net";
import { networkOf } from "./client-network.ts";
import { shares } from "./shares.ts";

const MAX_CONNECTIONS = { total: 10_000, perClient: 1000 };

/**
 * Closes connections beyond two limits: one for the whole server and one for each client. The limit for clients does
 * not apply behind a proxy.
 */
export function limitConnections(
  server: Pick<Server, "on"> & { maxConnections?: number },
  behindProxy: boolean,
  { total, perClient } = MAX_CONNECTIONS,
): void {
  server.maxConnections = total;
  if (behindProxy) return;
  const open = shares({ total, perClient });
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    if (!open.take(network)) {
      socket.destroy();
      return;
    }
    socket.once("close", () => open.giveBack(network));
  });
}
