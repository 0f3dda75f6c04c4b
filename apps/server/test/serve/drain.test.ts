import { once } from "node:events";
import { Agent, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHttpServer, drain } from "../../src/serve/http/http-server.ts";
import { largeBodyOf } from "../../src/serve/http/large-answer.ts";
import type { AnyReply } from "../../src/serve/http/reply.ts";

/* A server is told to stop while clients keep their connections open. */

const LONG = 600_000;
/** More bytes than the system buffers for a connection. */
const LIST = new Uint8Array(new SharedArrayBuffer(16 * 2 ** 20)).fill(65);
const HEAD = { status: 200, headers: {}, route: "test" };

let server: Server;
let agent: Agent;
/** Answers the requests for `/later`. */
let answerLater: (reply: AnyReply) => void;
let hasArrived: Promise<void>;
beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const later = new Promise<AnyReply>((resolve) => {
    answerLater = resolve;
  });
  let arrived: () => void;
  hasArrived = new Promise((resolve) => {
    arrived = resolve;
  });
  server = createHttpServer({
    answer: ({ target }) => {
      if (target === "/large") return { ...HEAD, large: largeBodyOf([LIST]) };
      arrived();
      return later;
    },
    onReply() {},
    onError(error) {
      throw error;
    },
    tls: null,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
});

async function ask(target: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [response] = await once(get({ port, path: target, agent }), "response");
  return response as IncomingMessage;
}

test("answers in progress are the last ones on their connections", async () => {
  const asked = ask("/later");
  await hasArrived;
  const drained = drain(server, LONG);
  answerLater({ ...HEAD, body: Buffer.from("later") });
  const response = await asked;
  expect(response.headers.connection).toBe("close");
  expect(Buffer.concat(await response.toArray()).toString()).toBe("later");
  await drained;
});

test("a connection is closed after the answer that was being sent on it", async () => {
  const response = await ask("/large");
  expect(response.headers.connection).not.toBe("close");
  const drained = drain(server, LONG);
  expect(Buffer.concat(await response.toArray()).length).toBe(LIST.length);
  await drained;
});
