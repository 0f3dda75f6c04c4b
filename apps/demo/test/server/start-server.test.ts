import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { SECURITY_HEADERS } from "../../src/server/app.ts";
import { type RunningServer, startServer } from "../../src/server/start-server.ts";

const folder = temporaryFolder();

function start(port = 0): Promise<RunningServer> {
  mkdirSync(folder.path("web"), { recursive: true });
  folder.write("web/index.html", "page");
  return startServer({ port, folder: folder.path("web") });
}

test("listens on the loopback interface alone, and says where", async () => {
  const server = await start();
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await (await fetch(server.url)).text()).toBe("page");
  await server.stop();
  await expect(fetch(server.url)).rejects.toThrow();
});

test("a taken port is the system's error", async () => {
  const server = await start();
  const port = Number(new URL(server.url).port);
  await expect(start(port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  await server.stop();
});

test("an idle connection does not delay the stop; one that never sends a request is closed in the end", async () => {
  const server = await start();
  const { port, hostname } = new URL(server.url);
  await fetch(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // This is only half of a request. The server has to wait for the rest, but not forever.
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = once(socket, "close");
  socket.on("error", () => {});
  await server.stop(100);
  await closed;
});

test("a request that cannot be understood does not end the server", async () => {
  const server = await start();
  const { port, hostname } = new URL(server.url);
  for (const request of [
    "\0\0\r\n\r\n",
    "GET http:// HTTP/1.1\r\n\r\n",
    "GET //[ HTTP/1.1\r\nHost: [\r\n\r\n",
  ]) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.resume();
    socket.end(request);
    await once(socket, "close");
  }
  expect((await fetch(`${server.url}healthz`)).status).toBe(200);
  await server.stop();
});

/** The answer to a raw request, until the server closes the connection. */
async function rawAnswer(server: RunningServer, request: string): Promise<string> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("error", () => {});
  socket.on("data", (piece: Buffer) => {
    answer += piece.toString("latin1");
  });
  // A large request may be refused before all of it is written.
  socket.write(request);
  await once(socket, "close");
  return answer;
}

const CLOSE = "Connection: close\r\n\r\n";

describe("security headers", () => {
  test.each([
    ["the page", `GET / HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
    ["health", `GET /healthz HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
    ["no such file", `GET /nowhere HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
    ["another method", `POST / HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 405],
    ["a bad host", `GET / HTTP/1.1\r\nHost: [\r\n${CLOSE}`, 400],
    ["a bad target", `GET http:// HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
    ["a backslash", `GET /\\ HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ])("%s", async (_, request, status) => {
    const server = await start();
    const [head = ""] = (await rawAnswer(server, request)).split("\r\n\r\n");
    const [statusLine, ...lines] = head.split("\r\n");
    expect(statusLine).toContain(`HTTP/1.1 ${status} `);
    const headers = lines.map((line) => line.split(/: (.*)/) as [string, string]);
    const named = (name: string) =>
      headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect(named(name.toLowerCase())).toEqual([value]);
    }
    await server.stop(0);
  });
});
