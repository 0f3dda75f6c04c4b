import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { createHttpServer } from "../../src/serve/http/http-server.ts";
import { turnCounter } from "../support/turns.ts";

test("of a long body, no more is read before others are answered than Node reads at a time", async () => {
  const [clients, length] = [12, 2 ** 21];
  const turns = turnCounter();
  let received = 0;
  const http = createHttpServer({
    tls: null,
    answer: () => {
      throw new Error("unreachable");
    },
    async answerStream(_, body) {
      for await (const piece of body) {
        // A piece of more than 64 KiB comes from several reads.
        for (let bytes = 0; bytes < piece.length; bytes += 2 ** 16) turns.note();
        received += piece.length;
      }
      return { route: "test", status: 200, headers: {}, body: Buffer.from("read") };
    },
    onReply() {},
    onError() {},
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  const sockets: Socket[] = [];
  for (let i = 1; i <= clients; i++) {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    // The first pieces are received one after the other.
    socket.write(`${head}${" ".repeat(2 ** 15)}`);
    await expect.poll(() => received).toBe(i * 2 ** 15);
  }
  for (const socket of sockets) socket.write(Buffer.alloc(length - 2 ** 15));
  const answers = await Promise.all(sockets.map((socket) => once(socket, "data")));
  for (const [answer] of answers) expect(String(answer)).toMatch(/ 200 .*read$/s);
  expect(received).toBe(clients * length);
  // Each client may have its turn before it sends more.
  expect(turns.most()).toBeLessThanOrEqual(clients);
  turns.stop();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});

test("a client that sends chunks of a few bytes is not read for a second, and then cut off", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const http = createHttpServer({
    tls: null,
    answer: () => {
      throw new Error("unreachable");
    },
    onReply() {},
    onError() {},
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  let isClosed = false;
  const closed = once(socket.resume(), "close").then(() => {
    isClosed = true;
  });
  const chunks = "1\r\na\r\n".repeat(5000);
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
  // One timer ends slow bodies, and the other one cuts the client off.
  await expect.poll(() => vi.getTimerCount()).toBe(2);
  expect(isClosed).toBe(false);
  vi.advanceTimersByTime(1000);
  await closed;
  vi.useRealTimers();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});
