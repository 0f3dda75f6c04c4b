import { randomFillSync } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIP, isIPv6, type Socket } from "node:net";
import { MAX_MESSAGE_BYTES } from "./message.ts";

/** A resolver to which queries are forwarded. */
export interface ResolverAddress {
  /** An IP address. */
  readonly host: string;
  readonly port: number;
}

const DNS_PORT = 53;

/** Parses the address of a resolver, `HOST` or `HOST:PORT`, where HOST is an IP address; `null` for other text. */
export function parseResolver(text: string): ResolverAddress | null {
  if (isIP(text) !== 0) return { host: text, port: DNS_PORT };
  const [, ipv6, host = ipv6, digits = DNS_PORT] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = Number(digits);
  return host !== undefined && isIP(host) !== 0 && port > 0 && port <= 65_535
    ? { host, port }
    : null;
}

export const shownAddress = ({ host, port }: ResolverAddress): string =>
  `${isIPv6(host) ? `[${host}]` : host}:${port}`;

export type Transport = "udp" | "tcp";

/** Something that carries queries to a resolver. The kernel drops what comes from another address or port. */
export interface Channel<Attempt> {
  /** The queries that wait for an answer, by their IDs. */
  readonly waiting: Map<number, Attempt>;
  send(message: Buffer): void;
  /** Called when a query has waited for a long time: since this time in milliseconds of `performance.now()`. */
  onSilence(since: number): void;
  /** Called when a query no longer waits. */
  onSettled(): void;
}

/** The channels of one transport to a resolver. */
export interface Channels<Attempt> {
  /** The channel for the next query. */
  next(): Channel<Attempt>;
  close(): void;
}

/** What happens on a channel. */
export interface ChannelEvents<Attempt> {
  readonly receive: (channel: Channel<Attempt>, answer: Buffer) => void;
  /** Called when no more answers come on a channel. */
  readonly fail: (channel: Channel<Attempt>) => void;
}

/** How many UDP sockets, each with a port of its own, there are for a resolver. */
const SOCKETS = 32;
/** A socket is replaced after this many queries, so that its port does not stay the same. */
const QUERIES_PER_SOCKET = 2048;
/** A connection to a resolver is closed after this many milliseconds without a query. */
const IDLE = 10_000;

/** UDP sockets with random ports, each connected to the resolver. */
export function udpChannels<Attempt>(
  { host, port }: ResolverAddress,
  { receive, fail }: ChannelEvents<Attempt>,
): Channels<Attempt> {
  const open = new Set<{ close(): void }>();
  const channels: (Channel<Attempt> & { isUsable(): boolean })[] = [];

  function create(): Channel<Attempt> & { isUsable(): boolean } {
    const socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", lookup: itself });
    /** The queries that are sent once the socket is connected. */
    let early: Buffer[] | null = [];
    let queries = 0;
    let hasFailed = false;
    const isUsable = () => queries < QUERIES_PER_SOCKET && !hasFailed;
    const channel = {
      waiting: new Map<number, Attempt>(),
      isUsable,
      send(message: Buffer) {
        queries++;
        if (early !== null) early.push(message);
        else if (!hasFailed) socket.send(message);
      },
      onSilence() {},
      onSettled() {
        if (!isUsable() && channel.waiting.size === 0) closing.close();
      },
    };
    const closing = {
      close() {
        early = null;
        if (open.delete(closing)) socket.close();
      },
    };
    open.add(closing);
    socket.unref();
    socket.on("message", (answer) => receive(channel, answer));
    socket.on("connect", () => {
      for (const message of early ?? []) socket.send(message);
      early = null;
    });
    // The resolver's machine has said that nobody listens there, or there is no route to it.
    socket.on("error", () => {
      hasFailed = true;
      early = null;
      fail(channel);
      channel.onSettled();
    });
    socket.connect(port, host);
    return channel;
  }

  return {
    next(): Channel<Attempt> {
      const index = randomNumber() % SOCKETS;
      let channel = channels[index];
      if (channel?.isUsable() !== true) channels[index] = channel = create();
      return channel;
    },
    close() {
      for (const each of [...open]) each.close();
    },
  };
}

/** The addresses of resolvers are IP addresses, which need no lookup. */
function itself(
  host: string,
  _options: unknown,
  done: (error: null, address: string, family: number) => void,
): void {
  done(null, host, isIPv6(host) ? 6 : 4);
}

/** TCP connections to the resolver: one carries all queries, and is opened when it is needed (RFC 7766 §6.2). */
export function tcpChannels<Attempt>(
  { host, port }: ResolverAddress,
  { receive, fail }: ChannelEvents<Attempt>,
): Channels<Attempt> {
  const open = new Set<Socket>();
  let current: Channel<Attempt> | null = null;

  function create(): Channel<Attempt> {
    const socket = connect({ host, port, noDelay: true });
    const messages = messagesIn(MAX_MESSAGE_BYTES, (answer) => receive(channel, answer));
    let heardAt = -Infinity;
    const leave = () => {
      if (current === channel) current = null;
    };
    const channel: Channel<Attempt> = {
      waiting: new Map(),
      send: (message) => socket.write(withLength(message)),
      onSilence(since) {
        // The network can lose a connection without notice. A new one takes over; an answer may still arrive here.
        if (heardAt < since) leave();
      },
      onSettled() {
        if (current !== channel && channel.waiting.size === 0) socket.destroy();
      },
    };
    open.add(socket);
    socket.unref();
    socket.setTimeout(IDLE, () => socket.destroy());
    socket.on("data", (piece) => {
      heardAt = performance.now();
      messages(piece);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      open.delete(socket);
      leave();
      fail(channel);
    });
    return channel;
  }

  return {
    next(): Channel<Attempt> {
      current ??= create();
      return current;
    },
    close() {
      for (const each of [...open]) each.destroy();
    },
  };
}

const randomNumbers = new Uint16Array(2048);
let used = randomNumbers.length;

/** A random number of 16 bits that nobody can guess. */
function randomNumber(): number {
  if (used === randomNumbers.length) {
    randomFillSync(randomNumbers);
    used = 0;
  }
  return randomNumbers[used++]!;
}

/** A random ID that no waiting query has; `null` if most IDs are taken. */
export function unusedId(waiting: ReadonlyMap<number, unknown>): number | null {
  if (waiting.size > 2 ** 15) return null;
  let id = randomNumber();
  while (waiting.has(id)) id = randomNumber();
  return id;
}

/** A message with its length, as it is sent over TCP (RFC 1035 §4.2.2). */
export function withLength(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(2 + message.length);
  bytes.writeUInt16BE(message.length, 0);
  message.copy(bytes, 2);
  return bytes;
}

/**
 * Returns a function that takes the pieces of a TCP stream, and calls `onMessage` with each message in them. The
 * function returns `false` if a message is longer than `maxBytes`; the stream is then no longer of use.
 */
export function messagesIn(
  maxBytes: number,
  onMessage: (message: Buffer) => void,
): (piece: Buffer) => boolean {
  /** The first byte of a length; -1 if it has not arrived. */
  let first = -1;
  /** The message that is arriving, and how much of it has arrived. */
  let message: Buffer | null = null;
  let filled = 0;

  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (message === null) {
        const byte = piece[at++]!;
        if (first < 0) {
          first = byte;
          continue;
        }
        const length = (first << 8) | byte;
        if (length > maxBytes) return false;
        first = -1;
        filled = 0;
        message = Buffer.allocUnsafe(length);
      } else {
        const copied = piece.copy(message, filled, at);
        at += copied;
        filled += copied;
      }
      if (filled === message.length) {
        const whole = message;
        message = null;
        onMessage(whole);
      }
    }
    return true;
  };
}
