import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "../../src/serve/http/http-server.ts";
import { largeBodyOf } from "../../src/serve/http/large-answer.ts";

/* Clients that close their side of the connection after the request, and wait for the answer. */

/** More bytes than the system buffers for a connection. */
const LIST_BYTES = 32 * 2 ** 20;
const LIST = new Uint8Array(new SharedArrayBuffer(LIST_BYTES)).fill(65);

let server: Server;
const errors: unknown[] = [];
beforeAll(async () => {
  server = createHttpServer({
    answer: ({ target }) => {
      const head = { status: 200, headers: {}, route: "test" };
      if (target === "/small") return { ...head, body: Buffer.from("small") };
      return { ...head, large: largeBodyOf([LIST]) };
    },
    onReply() {},
    onError: (error) => errors.push(error),
    tls: null,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** Sends a request, closes this side of the connection, and returns the answer when the server has closed its side. */
async function sendAll(text: string): Promise<Buffer> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(text);
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  await once(socket, "end");
  return Buffer.concat(pieces);
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;

test("a half-closed client gets a long answer in full", async () => {
  const answer = await sendAll(get("/large"));
  expect(answer.subarray(answer.indexOf("\r\n\r\n") + 4).length).toBe(LIST_BYTES);
});

test("a half-closed client gets a long answer in full, even with a request behind it", async () => {
  const answer = await sendAll(get("/large") + get("/small").repeat(2));
  expect(answer.toString("latin1").match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1);
  expect(answer.subarray(answer.indexOf("\r\n\r\n") + 4).length).toBe(LIST_BYTES);
});

test("a connection that is closed before a request is complete is ended", async () => {
  expect((await sendAll("")).length).toBe(0);
  expect((await sendAll("GET / HTT")).toString()).toMatch(/^(?:HTTP\/1\.1 400|$)/);
  expect(
    (await sendAll("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")).toString(),
  ).not.toMatch(/200 OK/);
  expect(errors).toEqual([]);
});
