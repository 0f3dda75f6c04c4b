import {
  type Channel,
  type ChannelEvents,
  type ResolverAddress,
  shownAddress,
  type Transport,
  tcpChannels,
  udpChannels,
  unusedId,
} from "./channels.ts";
import { HEADER_BYTES, isAnswerTo, isSigned, MAX_UDP_BYTES } from "./message.ts";

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
   * Sends a query, and calls `done` once: with the answer, whose first two bytes are any ID, or with `null` if no
   * resolver answers in time. The bytes of the answer must not be changed. A query that is already on its way is not
   * sent again.
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

/** One resolver, as it is asked. */
interface Resolver {
  readonly shown: string;
  channel(transport: Transport): Channel<Attempt>;
  /** When the resolver last failed to answer, in milliseconds of `performance.now()`. */
  failedAt: number;
  close(): void;
}

/** A query at one resolver. */
interface Attempt {
  readonly exchange: Exchange;
  readonly resolver: Resolver;
  readonly channel: Channel<Attempt>;
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

  function receive(channel: Channel<Attempt>, answer: Buffer): void {
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

  function fail(channel: Channel<Attempt>): void {
    for (const { exchange, resolver } of [...channel.waiting.values()]) {
      noteFailure(resolver);
      if (exchange.attempts.at(-1)?.channel === channel) tryNext(exchange);
    }
  }

  function noteFailure(resolver: Resolver): void {
    if (resolver.failedAt === -Infinity) onChange(resolver.shown, false);
    resolver.failedAt = performance.now();
  }

  const resolvers = options.resolvers.map((address) => createResolver(address, { receive, fail }));

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
    const waiting = exchange.done.splice(0);
    // A map that grows keeps what was in it until old memory is collected, so little may hang on an exchange.
    exchange.attempts.length = 0;
    for (const done of waiting) done(answer);
  }

  return {
    waiting: () => inFlight.size,

    ask({ message: given, questionEnd, ednsAt }, transport, done) {
      if (isClosed) {
        done(null);
        return;
      }
      const message = Buffer.from(given);
      const isTooLong = ednsAt !== 0 && message.readUInt16BE(ednsAt) > MAX_UDP_BYTES;
      // A signature covers the length (RFC 8945 §5.5).
      if (isTooLong && !isSigned(message, questionEnd)) {
        message.writeUInt16BE(MAX_UDP_BYTES, ednsAt);
      }
      // If the same query waits many times, a forged answer has as many chances (RFC 5452 §5). If a resolver sends
      // queries back to this server, they wait here, and the loop ends.
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

function createResolver(address: ResolverAddress, events: ChannelEvents<Attempt>): Resolver {
  const udp = udpChannels(address, events);
  const tcp = tcpChannels(address, events);
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
