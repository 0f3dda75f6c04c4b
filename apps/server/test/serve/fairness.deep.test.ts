import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fairQueue, networkOf, shares, turns } from "../../src/serve/fairness.ts";
import { createHttpServer, limitConnections } from "../../src/serve/http/http-server.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:4711", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["0000:0:0:0:0:ffff:c000:0207", "192.0.2.7"],
  ["[::ffff:c000:207]:443", "192.0.2.7"],
  ["::fffe:c000:207", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"],
  ["2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["1:2:3::", "1:2:3:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ["1::3:4:5:6:192.0.2.7", "1:0:3:4::/64"],
  ["", ""],
  ["unknown", "unknown"],
  ["x".repeat(9999), "x".repeat(64)],
])("the network of an address: %#", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe("shares", () => {
  test("one client cannot have everything", () => {
    const slots = shares({ total: 4, perClient: 2 });
    expect([slots.take("a"), slots.take("a"), slots.take("a")]).toEqual([true, true, false]);
    expect([slots.take("b"), slots.take("c"), slots.take("d")]).toEqual([true, true, false]);
    slots.giveBack("a");
    expect([slots.take("d"), slots.take("a")]).toEqual([true, false]);
  });

  test("one thing that is larger than all can be had alone", () => {
    const bytes = shares({ total: 4, perClient: 2 });
    expect(bytes.take("a", 9)).toBe(true);
    expect(bytes.take("b", 1)).toBe(false);
    bytes.giveBack("a", 9);
    expect(bytes.take("b", 1)).toBe(true);
  });
});

describe("a fair queue", () => {
  const options = { atOnce: 1, perClient: 100, total: 150, refusal: () => new Error("full") };

  test("runs the task of a client behind one task of each other client", async () => {
    const queue = fairQueue(options);
    const order: string[] = [];
    const add = (client: string, name: string) =>
      queue.run(client, async () => {
        await nextTurn();
        order.push(name);
      });
    const many = Array.from({ length: 50 }, (_, i) => add("many", `m${i}`));
    await Promise.all([add("one", "o0"), add("two", "t0"), ...many]);
    expect(order.slice(0, 5)).toEqual(["m0", "m1", "o0", "t0", "m2"]);
    expect(order).toHaveLength(52);
  });

  test("runs no more tasks at once than it may, and goes on after one that fails", async () => {
    const queue = fairQueue({ ...options, atOnce: 2 });
    let running = 0;
    let most = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        queue.run(`${i % 3}`, async () => {
          most = Math.max(most, ++running);
          await nextTurn();
          running--;
          if (i === 7) throw new Error("seven");
          return i;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });

  test("refuses what may not wait", async () => {
    const queue = fairQueue(options);
    const run = (client: string) => queue.run(client, () => nextTurn(client));
    const ofOne = Array.from({ length: 102 }, () => run("one"));
    const results = await Promise.allSettled([...ofOne, run("two")]);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(results.at(-1)?.status).toBe("fulfilled");
  });
});

test("one client cannot have all connections", () => {
  const server = Object.assign(new EventEmitter(), { maxConnections: 0 });
  limitConnections(server as never, false, { total: 4, perClient: 2 });
  const connect = (remoteAddress: string) => {
    const socket: EventEmitter & { isCut: boolean; destroy(): void } = Object.assign(
      new EventEmitter(),
      {
        remoteAddress,
        isCut: false,
        destroy() {
          socket.isCut = true;
          socket.emit("close");
        },
      },
    );
    server.emit("connection", socket);
    return socket;
  };
  const first = connect("192.0.2.1");
  connect("192.0.2.1");
  expect(connect("192.0.2.1").isCut).toBe(true);
  expect(connect("192.0.2.2").isCut).toBe(false);
  first.destroy();
  expect(connect("192.0.2.1").isCut).toBe(false);
  expect(connect("192.0.2.1").isCut).toBe(true);
});

test("names of headers that V8 hashes by their length alone are cut", async () => {
  const long = "x".repeat(17_000);
  const http = createHttpServer({
    tls: null,
    answer: ({ headers }) => ({
      ...{ route: "test", status: 200, headers: {} },
      body: Buffer.from(
        JSON.stringify([headers.getAll(long), headers.get(long), headers.get("x-api")]),
      ),
    }),
    onReply() {},
    onError() {},
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { [long]: "long", "x-api": "short" },
  });
  expect(await response.json()).toEqual([[], null, "short"]);
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

test("one client cannot fill the memory with bodies that never end", async () => {
  const http = createHttpServer({
    tls: null,
    answer: ({ body }) => ({
      ...{ route: "test", status: 200, headers: {} },
      body: Buffer.from(`${body.length}`),
    }),
    onReply() {},
    onError() {},
    behindProxy: true,
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  /** Sends the head of a request and some of its body. */
  async function send(from: string, length: number, sent: number): Promise<Socket> {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    const head = ["POST / HTTP/1.1", "Host: a", `X-Forwarded-For: ${from}`];
    socket.write(`${head.join("\r\n")}\r\nContent-Length: ${length}\r\n\r\n`);
    await new Promise((resolve) => socket.write(Buffer.alloc(sent), resolve));
    return socket;
  }
  async function status(from: string): Promise<string> {
    const socket = await send(from, 1000, 1000);
    const [answer] = await once(socket, "data");
    socket.destroy();
    return String(answer).split(" ")[1]!;
  }
  const unfinished: Socket[] = [];
  const bytes = 2 ** 20;
  for (let i = 0; i < 24; i++) unfinished.push(await send("192.0.2.1", bytes, bytes - 1));
  await expect.poll(() => status("192.0.2.1")).toBe("429");
  expect(await status("192.0.2.2")).toBe("200");
  for (const socket of unfinished) socket.destroy();
  await expect.poll(() => status("192.0.2.1")).toBe("200");
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

describe("turns", () => {
  /** Returns turns and a record of their parts and pauses. The clock advances only during parts and pauses. */
  function watchedTurns() {
    let now = 0;
    const done: string[] = [];
    const work = (what: string, milliseconds: number) => {
      now += milliseconds;
      done.push(what);
    };
    const turn = turns({
      ...{ perClient: 10, total: 10, refusal: () => new Error("full") },
      now: () => now,
      async pause(milliseconds) {
        done.push(`${milliseconds} ms for others`);
      },
    });
    return { turn, done, work };
  }

  test("after a long part, the others have the event loop for a while", async () => {
    const { turn, done, work } = watchedTurns();
    await turn("a");
    work("long", 40);
    await turn("a");
    work("short", 3);
    await turn("a");
    expect(done).toEqual(["long", "10 ms for others", "short"]);
  });

  test("so they do when other clients are waiting", async () => {
    const { turn, done, work } = watchedTurns();
    const parts = ["a", "b", "a"].map(async (client) => {
      await turn(client);
      work(client, 8);
    });
    await Promise.all(parts);
    await turn("a");
    expect(done).toEqual(["a", "b", "a"].flatMap((client) => [client, "2 ms for others"]));
  });
});
