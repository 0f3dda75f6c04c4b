import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
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

test("an idle connection does not hold it up; one that never asks is closed in the end", async () => {
  const server = await start();
  const { port, hostname } = new URL(server.url);
  await fetch(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // Half of a request: the server has to wait for the rest, but not for ever.
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
