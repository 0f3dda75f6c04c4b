import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { unreadAnswers } from "../../src/serve/http/answer-memory.ts";
import { createHttpServer } from "../../src/serve/http/http-server.ts";
import { largeBodyOf, MAX_PIECE_BYTES } from "../../src/serve/http/large-answer.ts";

/* Clients that request much data and read none of it. */

const CLIENTS = 40;
/** More bytes than the system buffers for a connection. */
const LIST_BYTES = 48 * 2 ** 20;

let servers: Server[] = [];
let clients: Socket[] = [];
afterEach(() => {
  for (const client of clients) client.destroy();
  for (const server of servers) server.close();
  servers = [];
  clients = [];
});

/** Starts a server that sends one list in every answer, and whose connections can be measured. */
async function serving(options: { most?: number }) {
  const list = new Uint8Array(new SharedArrayBuffer(LIST_BYTES)).fill(65);
  // The clock stands still, so no answer counts as stalled.
  const unread = unreadAnswers({ ...options, now: () => 0 });
  const sockets = new Set<Socket>();
  const server = createHttpServer({
    answer: ({ target }) => {
      const head = { status: 200, headers: {}, route: "test" };
      if (target === "/own") return { ...head, body: new Uint8Array(LIST_BYTES) };
      const large = largeBodyOf(target === "/json" ? [{ base64: list }] : [list]);
      return { ...head, large };
    },
    onReply() {},
    onError(error) {
      throw error;
    },
    tls: null,
    unread,
    behindProxy: true,
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const held = () => [...sockets].reduce((sum, { writableLength }) => sum + writableLength, 0);
  return { unread, port, held, sockets };
}

function ask(port: number, target: string, address: string): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  clients.push(socket);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  return socket;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function length(socket: Socket): Promise<number> {
  let bytes = 0;
  for await (const data of socket) {
    bytes += data.length;
    if (bytes >= LIST_BYTES) break;
  }
  return bytes;
}

/** Lets forty clients request a target without reading the answer, and another client read it. Returns the memory. */
async function askWithoutReading(target: string) {
  const { unread, port, held, sockets } = await serving({});
  const before = process.memoryUsage().external;
  for (let i = 0; i < CLIENTS; i++) ask(port, target, "192.0.2.1").pause();
  await until(
    () => [...sockets].filter(({ writableLength }) => writableLength > 0).length === CLIENTS,
  );
  const memory = { held: held(), external: process.memoryUsage().external - before };
  expect(unread.bytes).toBeLessThanOrEqual(CLIENTS * MAX_PIECE_BYTES);
  expect(await length(ask(port, target, "192.0.2.2"))).toBeGreaterThanOrEqual(LIST_BYTES);
  return memory;
}

test("forty clients that do not read base64 hold a piece each, and another one gets its answer", async () => {
  expect((await askWithoutReading("/json")).held).toBeLessThanOrEqual(
    CLIENTS * 2 * MAX_PIECE_BYTES,
  );
});

test("forty clients that do not read a list make no copies of it, and another one gets its answer", async () => {
  const { held, external } = await askWithoutReading("/list");
  expect(external).toBeLessThan(held / 4);
});

test("clients of one list are not refused for memory that they share", async () => {
  const { unread, port, sockets } = await serving({ most: (CLIENTS / 2) * MAX_PIECE_BYTES });
  for (let i = 0; i < CLIENTS; i++) ask(port, "/list", `192.0.2.${i}`).pause();
  await until(() => [...sockets].filter((socket) => socket.writableLength > 0).length === CLIENTS);
  expect(unread.bytes).toBeLessThan((CLIENTS / 4) * MAX_PIECE_BYTES);
  const refused = await serving({ most: (CLIENTS / 2) * MAX_PIECE_BYTES });
  for (let i = 0; i < CLIENTS / 2; i++) ask(refused.port, "/json", `192.0.2.${i}`).pause();
  await until(() => refused.unread.bytes === (CLIENTS / 2) * MAX_PIECE_BYTES);
  const [answer] = await once(ask(refused.port, "/json", "192.0.2.99"), "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
});

test("answers with bytes of their own share one budget", async () => {
  const { unread, port, held, sockets } = await serving({ most: 2.5 * LIST_BYTES });
  for (let i = 0; i < CLIENTS; i++) ask(port, "/own", "192.0.2.1").pause();
  await until(() => sockets.size === CLIENTS && unread.bytes > 2 * LIST_BYTES);
  expect(unread.bytes).toBeLessThanOrEqual(2.5 * LIST_BYTES);
  expect(held()).toBeLessThanOrEqual(CLIENTS * 2 * MAX_PIECE_BYTES);
  // The client that holds the most bytes loses an answer, which makes room for another client.
  expect(await length(ask(port, "/own", "192.0.2.2"))).toBeGreaterThanOrEqual(LIST_BYTES);
});

test("a client that has the whole budget is answered 503, and can try again", async () => {
  const { unread, port } = await serving({ most: MAX_PIECE_BYTES });
  const first = ask(port, "/json", "192.0.2.1").pause();
  await until(() => unread.bytes > 0);
  const [refused] = await once(ask(port, "/json", "192.0.2.1"), "data");
  expect(String(refused)).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/s);
  first.destroy();
  await until(() => unread.bytes === 0);
  expect(await length(ask(port, "/json", "192.0.2.1"))).toBeGreaterThanOrEqual(LIST_BYTES);
});

test("HEAD says how long an answer is, and holds nothing", async () => {
  const { unread, port } = await serving({});
  const response = await fetch(`http://127.0.0.1:${port}/json`, { method: "HEAD" });
  expect(response.headers.get("content-length")).toBe(String(LIST_BYTES * (4 / 3)));
  expect(await response.text()).toBe("");
  await until(() => unread.bytes === 0);
});
