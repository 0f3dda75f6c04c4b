import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fullHash } from "@x/sha256-prefix";
import packet, { type Packet } from "dns-packet";
import type { ResolverAddress } from "../../src/dns/channels.ts";
import { messagesIn, withLength } from "../../src/dns/channels.ts";
import { createClients } from "../../src/dns/clients.ts";
import { createForwarder, type ForwarderOptions } from "../../src/dns/forwarder.ts";
import { listenOnTcp, listenOnUdp } from "../../src/dns/listeners.ts";
import type { DnsLists } from "../../src/dns/lists.ts";
import { createPolicy } from "../../src/dns/lists.ts";
import type { Outcome } from "../../src/dns/metrics.ts";
import { createResolvers } from "../../src/dns/resolvers.ts";

/** What a resolver of a test does with a query from a client: what it sends back, or nothing. */
export type Behaviour<Client> = (query: Buffer, from: Client) => Buffer | null;

/** The bytes of the answer of an honest resolver: the address 192.0.2.1, or the records given. */
export function honestAnswer(query: Buffer, answers: Packet["answers"] = undefined): Buffer {
  const { id, questions = [] } = packet.decode(query);
  const [question] = questions;
  const address = { type: "A", name: question!.name, ttl: 60, data: "192.0.2.1" } as const;
  const bytes = packet.encode({
    ...{ type: "response", id, questions, answers: answers ?? [address] },
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE,
  });
  const end = questionEnd(query);
  // `dns-packet` cannot write every name, so the question is copied.
  return Buffer.concat([
    bytes.subarray(0, 12),
    query.subarray(12, end),
    bytes.subarray(questionEnd(bytes)),
  ]);
}

export function questionEnd(message: Buffer): number {
  let at = 12;
  while (message[at] !== 0) at += 1 + message[at]!;
  return at + 5;
}

export interface TestResolver {
  readonly address: ResolverAddress;
  readonly asked: Buffer[];
  /** The ports from which it was asked over UDP. */
  readonly ports: Set<number>;
  /** Sends a message over UDP, unless the resolver has stopped. */
  send(message: Buffer, to: RemoteInfo): void;
  /** What it does with queries over UDP, and over TCP. */
  udp: Behaviour<RemoteInfo>;
  tcp: Behaviour<Socket>;
  stop(): Promise<void>;
}

/** Starts a resolver on a free port of 127.0.0.1, for UDP and TCP. */
export async function testResolver(
  udp: Behaviour<RemoteInfo> = (query) => honestAnswer(query),
): Promise<TestResolver> {
  const server: Server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = createSocket("udp4");
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  const asked: Buffer[] = [];
  const ports = new Set<number>();
  let isStopped = false;
  const resolver: TestResolver = {
    address: { host: "127.0.0.1", port },
    ...{ asked, ports, udp, tcp: (query) => honestAnswer(query) },
    send(message, to) {
      if (!isStopped) socket.send(message, to.port, to.address);
    },
    async stop() {
      isStopped = true;
      socket.close();
      server.close();
      for (const each of open) each.destroy();
    },
  };
  socket.on("message", (query, from) => {
    asked.push(query);
    ports.add(from.port);
    const answer = resolver.udp(query, from);
    if (answer !== null) resolver.send(answer, from);
  });
  const open = new Set<Socket>();
  server.on("connection", (connection) => {
    open.add(connection);
    connection.on("error", () => {});
    const read = messagesIn(65_535, (query) => {
      asked.push(query);
      const answer = resolver.tcp(query, connection);
      if (answer !== null) connection.write(withLength(answer));
    });
    connection.on("data", read);
  });
  return resolver;
}

export const hashesOf = (hosts: readonly string[]): Uint8Array[] =>
  hosts.map((host) => fullHash(`${host}/`));

export const NO_LISTS: DnsLists = {
  decide: () => ({ kind: "forward" }),
  states: () => [],
  lastGood: () => NO_LISTS,
  stop: async () => {},
};

export interface TestForwarder {
  readonly port: number;
  readonly outcomes: Outcome[];
  readonly changes: [resolver: string, isAnswering: boolean][];
  readonly mismatches: () => number;
  readonly waiting: () => number;
  stop(): Promise<void>;
}

/** Starts a forwarder on a free port of 127.0.0.1 that blocks some hosts. */
export async function testForwarder(
  resolvers: readonly TestResolver[],
  {
    block = [],
    allow = [],
    timeout = 800,
    lists = NO_LISTS,
    ...more
  }: Partial<Omit<ForwarderOptions, "resolvers">> & {
    readonly block?: readonly string[];
    readonly allow?: readonly string[];
    readonly timeout?: number;
    readonly lists?: DnsLists;
  } = {},
): Promise<TestForwarder> {
  const outcomes: Outcome[] = [];
  const changes: [string, boolean][] = [];
  let mismatches = 0;
  const asking = createResolvers({
    ...{ resolvers: resolvers.map(({ address }) => address), timeout },
    onAnswer() {},
    onMismatch: () => mismatches++,
    onChange: (...change) => changes.push(change),
  });
  const options: ForwarderOptions = {
    policy: createPolicy({ allow: hashesOf(allow), block: hashesOf(block), lists }),
    resolvers: asking,
    clients: createClients({ networks: [], rate: 1000 }),
    ...{ blocked: "nxdomain", ttl: 60, withoutLists: "forward", onName: null },
    reasonFor: (list) => ({ code: 15, text: `list ${list}` }),
    ...more,
  };
  const forwarder = createForwarder(
    () => options,
    () => ({ onOutcome: (outcome) => outcomes.push(outcome), onBlocked() {}, onUnsure() {} }),
  );
  const tcp = await listenOnTcp({ kind: "tcp", host: "127.0.0.1", port: 0 }, forwarder);
  const { port } = tcp;
  const udp = await listenOnUdp({ kind: "tcp", host: "127.0.0.1", port }, forwarder);
  return {
    ...{ port, outcomes, changes, mismatches: () => mismatches, waiting: asking.waiting },
    async stop() {
      await udp.close();
      await tcp.close();
      asking.close();
    },
  };
}

/** A query for the addresses of a name. */
export function query(name: string, more: Partial<Packet> & { kind?: string } = {}): Buffer {
  const { kind = "A", ...others } = more;
  return packet.encode({
    ...{ type: "query", id: Math.floor(Math.random() * 65_536), flags: packet.RECURSION_DESIRED },
    questions: [{ type: kind as "A", name }],
    ...others,
  });
}

/** A query whose client takes UDP answers of this many bytes. */
export const edns = (udpPayloadSize: number): Partial<Packet> => ({
  additionals: [
    {
      type: "OPT",
      name: ".",
      udpPayloadSize,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      options: [],
    } as never,
  ],
});

/** Sends a message over UDP, and returns the answer, or `null` if none comes in time. */
export async function askUdp(port: number, message: Buffer, wait = 5000): Promise<Buffer | null> {
  const socket = createSocket("udp4");
  try {
    socket.send(message, port, "127.0.0.1");
    const stopping = new AbortController();
    const answer = once(socket, "message", { signal: stopping.signal }).then(
      ([bytes]) => bytes as Buffer,
    );
    const result = await Promise.race([
      answer.catch(() => null),
      delay(wait, null, { signal: stopping.signal }).catch(() => null),
    ]);
    stopping.abort();
    return result;
  } finally {
    socket.close();
  }
}

/** Sends messages over one TCP connection, in pieces of some length, and returns as many answers. */
export async function askTcp(
  port: number,
  messages: readonly Buffer[],
  piece = 65_536,
): Promise<Buffer[]> {
  const socket = connect(port, "127.0.0.1");
  const answers: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const read = messagesIn(65_535, (answer) => {
      answers.push(answer);
      if (answers.length === messages.length) {
        socket.destroy();
        resolve(answers);
      }
    });
    socket.on("data", read);
    socket.on("error", reject);
    socket.on("close", () => resolve(answers));
    const bytes = Buffer.concat(messages.map(withLength));
    for (let at = 0; at < bytes.length; at += piece) socket.write(bytes.subarray(at, at + piece));
  });
}
