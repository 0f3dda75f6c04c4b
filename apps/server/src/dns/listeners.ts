import { createSocket, type Socket } from "node:dgram";
import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  type AddressInfo,
  createServer,
  isIPv6,
  type Server,
  type Socket as TcpSocket,
} from "node:net";
import { type Address, listen } from "../serve/endpoints.ts";
import { limitConnections } from "../serve/http/http-server.ts";
import { messagesIn, withLength } from "./channels.ts";
import type { Forwarder } from "./forwarder.ts";

/** Sockets on which queries arrive. */
export interface Listener {
  /** The IP address at which it listens. */
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Room for the queries that arrive while others are answered, in bytes. */
const RECEIVE_BUFFER = 4 * 2 ** 20;

/** Listens for queries over UDP. */
export async function listenOnUdp(
  at: Exclude<Address, { kind: "unix" }>,
  forwarder: Pick<Forwarder, "handle">,
): Promise<Listener> {
  const isIpv6 = at.kind === "tcp" ? isIPv6(at.host) : await isIpv6Socket(at.descriptor);
  // The addresses of clients are IP addresses, which need no lookup.
  const socket = createSocket({
    type: isIpv6 ? "udp6" : "udp4",
    lookup: (host, _options, done) => done(null, host, isIPv6(host) ? 6 : 4),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    const onListening = () => {
      socket.off("error", reject);
      resolve();
    };
    if (at.kind === "inherited") socket.bind({ fd: at.descriptor }, onListening);
    else socket.bind({ port: at.port, address: at.host, exclusive: true }, onListening);
  });
  makeRoom(socket);
  // An answer that cannot be sent is lost, like one that the network loses.
  socket.on("error", () => {});
  let isOpen = true;
  socket.on("message", (message, { address, port }) => {
    forwarder.handle(message, address, "udp", (answer) => {
      if (answer !== null && port !== 0 && isOpen) socket.send(answer, port, address);
    });
  });
  const { address: host, port } = socket.address();
  return {
    ...{ host, port },
    close() {
      isOpen = false;
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

/** Whether an inherited UDP socket is for IPv6. Node has to be told, and Linux lists these sockets by their inodes. */
async function isIpv6Socket(descriptor: number): Promise<boolean> {
  const inode = String(fstatSync(descriptor).ino);
  const table = await readFile("/proc/self/net/udp6", "utf8").catch(() => "");
  return table.split("\n").some((line) => line.trim().split(/\s+/)[INODE_COLUMN] === inode);
}

const INODE_COLUMN = 9;

function makeRoom(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER);
  } catch {
    // The kernel's own size has to do.
  }
}

/** The longest query over TCP. */
const MAX_QUERY_BYTES = 4096;
/** A connection is closed after this many milliseconds without a query (RFC 7766 §6.2.3). */
const IDLE = 10_000;
/** No more is read from a connection while this many of its queries wait for an answer. */
const MAX_WAITING = 100;
/** How many bytes of answers may wait for a client that does not read. */
const MAX_UNREAD_BYTES = 2 ** 18;

/** Listens for queries over TCP. */
export async function listenOnTcp(
  at: Exclude<Address, { kind: "unix" }>,
  forwarder: Pick<Forwarder, "handle">,
): Promise<Listener> {
  const open = new Set<TcpSocket>();
  const server: Server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    serveConnection(socket, forwarder);
  });
  limitConnections(server, false);
  await listen(server, at, false);
  const { address: host, port } = server.address() as AddressInfo;
  return {
    ...{ host, port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Answers the queries of one connection, in the order in which their answers are ready (RFC 7766 §7). */
function serveConnection(socket: TcpSocket, forwarder: Pick<Forwarder, "handle">): void {
  const { remoteAddress: from = "" } = socket;
  let waiting = 0;
  let hasEnded = false;
  // The parts of a query do not count: with a byte now and then, a client would keep its connection for hours.
  const idle = setTimeout(() => {
    if (waiting > 0) idle.refresh();
    else socket.destroy();
  }, IDLE);
  socket.on("close", () => clearTimeout(idle));
  const read = messagesIn(MAX_QUERY_BYTES, (message) => {
    waiting++;
    idle.refresh();
    forwarder.handle(message, from, "tcp", (answer) => {
      waiting--;
      const isStuck = socket.writableLength > MAX_UNREAD_BYTES;
      if (answer === null || isStuck) socket.destroy();
      if (socket.destroyed) return;
      idle.refresh();
      socket.write(withLength(answer!));
      if (hasEnded && waiting === 0) socket.end();
      else if (waiting < MAX_WAITING) socket.resume();
    });
  });
  socket.on("data", (piece) => {
    if (!read(piece)) socket.destroy();
    else if (waiting >= MAX_WAITING) socket.pause();
  });
  socket.on("end", () => {
    hasEnded = true;
    if (waiting === 0) socket.end();
  });
  socket.on("error", () => socket.destroy());
}
