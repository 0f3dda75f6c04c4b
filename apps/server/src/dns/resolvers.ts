import { randomFillSync, randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIP, isIPv6, type Socket } from "node:net";
import { messagesIn, withLength } from "./framing.ts";
import { HEADER_BYTES, isAnswerTo, MAX_MESSAGE_BYTES, MAX_UDP_BYTES } from "./message.ts";

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

/** A query to forward. */
export interface Forwarded {
  /** The query as the client sent it. */
  readonly message: Buffer;
  readonly questionEnd: number;
  /** The index of the class of its EDNS record; 0 without EDNS. */
  readonly ednsAt: number;
}

/** What happens between this process and the resolvers. */
export interface ResolverEvents {
  /** A resolver has answered a query after this many seconds. */
  onAnswer(resolver: string, seconds: number): void;
  /** A message from a resolver was no answer to a waiting query. */
  onMismatch(): void;
  /** A resolver has stopped to answer, or answers again. */
  onChange(resolver: string, isAnswering: boolean): void;
}

export interface ResolverOptions extends ResolverEvents {
  readonly resolvers: readonly ResolverAddress[];
  /** How long a query may take in all, in milliseconds. */
  readonly timeout: number;
}

/** Asks resolvers. */
export interface Resolvers {
  /**
   * Sends a query, and calls `done` once: with the answer, whose first two bytes are any ID, or with `null` if no resolver
   * answers in time. The bytes of the answer must not be changed. A query that is already on its way is not sent again.
   */
  ask(query: Forwarded, transport: Transport, done: (answer: Buffer | null) => void): void;
  /** How many different queries are on their way. */
  waiting(): number;
  close(): void;
}

/** A query is sent again after this part of its time, to the next resolver if there is one. */
const ATTEMPTS = 4;
/** How long a resolver that has not answered is asked only after the others, in milliseconds. */
const AVOIDED = 10_000;
/** How many UDP sockets, each with a port of its own, there are for a resolver. */
const SOCKETS = 32;
/** A socket is replaced after this many queries, so that its port does not stay the same. */
const QUERIES_PER_SOCKET = 2048;
/** A connection to a resolver is closed after this many milliseconds without a query. */
const IDLE = 10_000;

/** One resolver, as it is asked. */
interface Resolver {
  readonly shown: string;
  channel(transport: Transport): Channel;
  /** When the resolver last failed to answer, in milliseconds of `performance.now()`. */
  failedAt: number;
  close(): void;
}

/** Something that carries queries to a resolver. The kernel drops what comes from another address or port. */
interface Channel {
  /** The queries that wait for an answer, by their IDs. */
  readonly waiting: Map<number, Attempt>;
  send(message: Buffer): void;
  /** Called when a query has waited for long, since this time in milliseconds of `performance.now()`. */
  onSilence(since: number): void;
  /** Called when a query no longer waits. */
  onSettled(): void;
}

/** A query at one resolver. */
interface Attempt {
  readonly exchange: Exchange;
  readonly resolver: Resolver;
  readonly channel: Channel;
  readonly id: number;
  readonly start: number;
}

/** A query at all resolvers that have been asked about it, with the clients that wait for its answer. */
interface Exchange {
  readonly key: string;
  readonly transport: Transport;
  /** The query without the client's ID. */
  readonly message: Buffer;
  readonly questionEnd: number;
  readonly attempts: Attempt[];
  readonly done: ((answer: Buffer | null) => void)[];
  tries: number;
  timer: NodeJS.Timeout | null;
}

export function createResolvers(options: ResolverOptions): Resolvers {
  const { timeout, onAnswer, onMismatch, onChange } = options;
  const inFlight = new Map<string, Exchange>();
  let isClosed = false;

  function receive(channel: Channel, answer: Buffer): void {
    const id = answer.length < HEADER_BYTES ? -1 : answer.readUInt16BE(0);
    const attempt = channel.waiting.get(id);
    // A wrong answer does not end the wait: whoever sent it could otherwise keep the right one away.
    if (
      attempt === undefined ||
      !isAnswerTo(answer, attempt.exchange.message, attempt.exchange.questionEnd)
    ) {
      onMismatch();
      return;
    }
    const { resolver, exchange, start } = attempt;
    if (resolver.failedAt > -Infinity) onChange(resolver.shown, true);
    resolver.failedAt = -Infinity;
    onAnswer(resolver.shown, (performance.now() - start) / 1000);
    finish(exchange, answer);
  }

  function fail(channel: Channel): void {
    for (const { exchange, resolver } of [...channel.waiting.values()]) {
      noteFailure(resolver);
      if (exchange.attempts.at(-1)?.channel === channel) tryNext(exchange);
    }
  }

  function noteFailure(resolver: Resolver): void {
    if (resolver.failedAt === -Infinity) onChange(resolver.shown, false);
    resolver.failedAt = performance.now();
  }

  const resolvers = options.resolvers.map((address) => createResolver(address, receive, fail));

  /** The resolvers in the order in which they are asked: those that have failed lately come last. */
  function order(): readonly Resolver[] {
    if (resolvers.length === 1 || resolvers[0]!.failedAt === -Infinity) return resolvers;
    const since = performance.now() - AVOIDED;
    const failed = (resolver: Resolver) => resolver.failedAt > since;
    return [...resolvers.filter((each) => !failed(each)), ...resolvers.filter(failed)];
  }

  /** The resolver to ask next: one that has been asked least often about this query. */
  function nextFor({ attempts }: Exchange): Resolver {
    const asked = (resolver: Resolver) => attempts.filter((each) => each.resolver === resolver);
    const all = order();
    if (attempts.length === 0 || all.length === 1) return all[0]!;
    return all.toSorted((one, other) => asked(one).length - asked(other).length)[0]!;
  }

  /** Asks the next resolver, or gives up after the last attempt. */
  function tryNext(exchange: Exchange): void {
    clearTimeout(exchange.timer ?? undefined);
    exchange.timer = null;
    const { tries, transport, attempts } = exchange;
    if (tries === ATTEMPTS) {
      finish(exchange, null);
      return;
    }
    exchange.tries++;
    const resolver = nextFor(exchange);
    const channel = resolver.channel(transport);
    const id = unusedId(channel.waiting);
    if (id === null) {
      exchange.timer = setTimeout(tryNext, timeout / ATTEMPTS, exchange);
      return;
    }
    const attempt = { exchange, resolver, channel, id, start: performance.now() };
    attempts.push(attempt);
    channel.waiting.set(id, attempt);
    exchange.timer = setTimeout(giveUp, timeout / ATTEMPTS, attempt);
    const message = tries === 0 ? exchange.message : Buffer.from(exchange.message);
    message.writeUInt16BE(id, 0);
    channel.send(message);
  }

  function giveUp({ resolver, channel, exchange, start }: Attempt): void {
    noteFailure(resolver);
    channel.onSilence(start);
    tryNext(exchange);
  }

  function finish(exchange: Exchange, answer: Buffer | null): void {
    clearTimeout(exchange.timer ?? undefined);
    inFlight.delete(exchange.key);
    for (const { channel, id } of exchange.attempts) {
      channel.waiting.delete(id);
      channel.onSettled();
    }
    for (const done of exchange.done) done(answer);
  }

  return {
    waiting: () => inFlight.size,

    ask({ message: given, questionEnd, ednsAt }, transport, done) {
      if (isClosed) {
        done(null);
        return;
      }
      const message = Buffer.from(given);
      if (ednsAt !== 0 && message.readUInt16BE(ednsAt) > MAX_UDP_BYTES) {
        message.writeUInt16BE(MAX_UDP_BYTES, ednsAt);
      }
      // If the same query waits many times, a forged answer has as many chances (RFC 5452 §5). If a resolver sends queries
      // back to this server, they wait here, and the loop ends.
      const key = transport + message.toString("latin1", 2);
      const same = inFlight.get(key);
      if (same !== undefined) {
        same.done.push(done);
        return;
      }
      const exchange: Exchange = {
        ...{ key, transport, message, questionEnd },
        ...{ attempts: [], done: [done], tries: 0, timer: null },
      };
      inFlight.set(key, exchange);
      tryNext(exchange);
    },

    close() {
      isClosed = true;
      for (const exchange of [...inFlight.values()]) finish(exchange, null);
      for (const resolver of resolvers) resolver.close();
    },
  };
}

const randomBytes = new Uint16Array(2048);
let usedRandom = randomBytes.length;

/** A random ID that no waiting query has; `null` if most IDs are taken. */
function unusedId(waiting: ReadonlyMap<number, unknown>): number | null {
  if (waiting.size > 2 ** 15) return null;
  for (;;) {
    if (usedRandom === randomBytes.length) {
      randomFillSync(randomBytes);
      usedRandom = 0;
    }
    const id = randomBytes[usedRandom++]!;
    if (!waiting.has(id)) return id;
  }
}

type Receive = (channel: Channel, answer: Buffer) => void;
type Fail = (channel: Channel) => void;

function createResolver(address: ResolverAddress, receive: Receive, fail: Fail): Resolver {
  const udp = udpChannels(address, receive, fail);
  const tcp = tcpChannels(address, receive, fail);
  return {
    shown: shownAddress(address),
    channel: (transport) => (transport === "udp" ? udp.next() : tcp.next()),
    failedAt: -Infinity,
    close() {
      udp.close();
      tcp.close();
    },
  };
}

/** UDP sockets with random ports, each connected to the resolver. */
function udpChannels({ host, port }: ResolverAddress, receive: Receive, fail: Fail) {
  const open = new Set<{ close(): void }>();
  const channels: (Channel & { isUsable(): boolean })[] = [];

  function create(): Channel & { isUsable(): boolean } {
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
    // The resolver's machine has said that nobody listens there, or there is no way to it.
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
    next(): Channel {
      const index = randomInt(SOCKETS);
      let channel = channels[index];
      if (channel?.isUsable() !== true) channels[index] = channel = create();
      return channel;
    },
    close() {
      for (const each of [...open]) each.close();
    },
  };
}

/** The addresses of resolvers are IP addresses, which need no look-up. */
function itself(
  host: string,
  _options: unknown,
  done: (error: null, address: string, family: number) => void,
): void {
  done(null, host, isIPv6(host) ? 6 : 4);
}

/** TCP connections to the resolver: one carries all queries, and is opened when it is needed (RFC 7766 §6.2). */
function tcpChannels({ host, port }: ResolverAddress, receive: Receive, fail: Fail) {
  const open = new Set<Socket>();
  let current: Channel | null = null;

  function create(): Channel {
    const socket = connect({ host, port, noDelay: true });
    const messages = messagesIn(MAX_MESSAGE_BYTES, (answer) => receive(channel, answer));
    let heardAt = -Infinity;
    const leave = () => {
      if (current === channel) current = null;
    };
    const channel: Channel = {
      waiting: new Map(),
      send: (message) => socket.write(withLength(message)),
      onSilence(since) {
        // The network can lose a connection without a word. A new one takes over; an answer may still arrive here.
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
    next(): Channel {
      current ??= create();
      return current;
    },
    close() {
      for (const each of [...open]) each.destroy();
    },
  };
}
