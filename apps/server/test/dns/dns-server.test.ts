import { once } from "node:events";
import { connect } from "node:net";
import packet from "dns-packet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseResolver, withLength } from "../../src/dns/channels.ts";
import { type DnsServer, startDnsServer } from "../../src/dns/dns-server.ts";
import type { Forwarder } from "../../src/dns/forwarder.ts";
import { listenOnTcp } from "../../src/dns/listeners.ts";
import { createResolvers } from "../../src/dns/resolvers.ts";
import { createLog } from "../../src/serve/log.ts";
import { askTcp, askUdp, query, type TestResolver, testResolver } from "../support/dns.ts";

let resolver: TestResolver;
beforeEach(async () => {
  resolver = await testResolver();
});
afterEach(() => resolver.stop());

const log = createLog({ write() {} }, { level: "silent", requests: { share: 0, failures: false } });

/** Starts a server that blocks nothing. */
const started = (host: string): Promise<DnsServer> =>
  startDnsServer(
    { listen: [{ kind: "tcp", host, port: 0 }], admin: undefined, log, moreMetrics() {} },
    {
      ...{ resolvers: [resolver.address], timeout: 5000, clients: { networks: [], rate: 1 } },
      ...{ allow: [], block: [], sources: [], sourcesKey: "", blocksOnPrefix: false },
      ...{ blocked: "nxdomain", ttl: 60, withoutLists: "forward", logsNames: false },
      reasonFor: (list) => ({ code: 15, text: list }),
    },
  );

test("queries that wait when it stops get no answer", async () => {
  const server = await started("127.0.0.1");
  const { port } = parseResolver(server.addresses[0]!)!;
  resolver.udp = () => null;
  const waiting = askUdp(port, query("a.example"), 1000);
  await vi.waitUntil(() => resolver.asked.length > 0);
  await server.stop();
  expect(await waiting).toBeNull();
});

test("nothing is asked after it has stopped", async () => {
  const asking = createResolvers({
    ...{ resolvers: [resolver.address], timeout: 5000 },
    ...{ onAnswer() {}, onMismatch() {}, onChange() {} },
  });
  const message = query("a.example");
  const answers: unknown[] = [];
  const ask = () =>
    asking.ask({ message, questionEnd: message.length, ednsAt: 0 }, "udp", (answer) =>
      answers.push(answer),
    );
  ask();
  asking.close();
  ask();
  expect(answers).toEqual([null, null]);
  // A socket that was still being connected sends nothing.
  await askUdp(resolver.address.port, message);
  expect(resolver.asked).toHaveLength(1);
});

test("it listens at a host with a name, over UDP and TCP", async () => {
  const server = await started("localhost");
  expect(server.addresses).toHaveLength(1);
  const { host, port } = parseResolver(server.addresses[0]!)!;
  if (host === "127.0.0.1") {
    const message = query("a.example");
    const [answer] = await askTcp(port, [message]);
    expect(await askUdp(port, message)).toEqual(answer);
    expect((packet.decode(answer!) as { rcode?: string }).rcode).toBe("NOERROR");
  }
  await server.stop();
});

test("a connection is closed when no query waits, and only parts of one arrive", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const handle = vi.fn<Forwarder["handle"]>();
  const listener = await listenOnTcp({ kind: "tcp", host: "127.0.0.1", port: 0 }, { handle });
  try {
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(withLength(query("a.example")));
    await vi.waitUntil(() => handle.mock.calls.length === 1);
    vi.advanceTimersByTime(60_000);
    handle.mock.calls[0]![3](query("b.example"));
    await once(socket, "data");
    socket.resume();
    const closed = new Promise((done) => socket.once("close", done));
    for (let sent = 0; sent < 3; sent++) {
      await new Promise((done) => socket.write("\0", done));
      vi.advanceTimersByTime(4000);
    }
    await closed;
  } finally {
    vi.useRealTimers();
    await listener.close();
  }
});
