import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Client, type ClientOptions, createClient, type UpdateEnd } from "@x/client";
import { giveBackgroundTimersBack, takeBackgroundTimers } from "@x/test-support/background-timers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, type OtherServer, otherServer } from "../support/upstream.ts";

/* How a client behaves over real connections when a server, the network or one list fails. */

const MINUTE = 60_000;
const LISTS = ["mw-4b", "se-4b"];

let other: OtherServer;
let clients: Client[];
beforeEach(async () => {
  other = await otherServer({ "mw-4b": ["evil.example/"], "se-4b": ["phish.example/"] });
  other.waits.update = 30 * MINUTE;
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.stop();
  await other.stop().catch(() => {});
  giveBackgroundTimersBack();
});

/** A clock that the test moves. The waits for updates end when the clock reaches them. */
function testClock() {
  let time = Date.now();
  let timers: { at: number; run: () => void }[] = [];
  takeBackgroundTimers((milliseconds, run) => {
    const timer = { at: time + milliseconds, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((each) => each !== timer);
    };
  });
  return {
    now: () => time,
    /** Moves the clock to the next timer, and returns how far that was. */
    async next(): Promise<number> {
      await eventually(() => expect(timers.length).toBeGreaterThan(0));
      const [first] = timers.sort((a, b) => a.at - b.at);
      timers = timers.filter((each) => each !== first);
      const passed = Math.max(0, first!.at - time);
      time += passed;
      first!.run();
      return passed;
    },
  };
}

function open(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    protocol: "v5",
    server: other.origin,
    lists: LISTS,
    random: () => 0.5,
    ...options,
  });
  clients.push(client);
  return client;
}

/** Opens a client with a test clock, and records how its updates end. */
function opened() {
  const { next, ...clock } = testClock();
  const ends: UpdateEnd[] = [];
  const client = open({ ...clock, updates: { onUpdate: (end) => ends.push(end) } });
  /** Moves the clock until an update has ended, and returns the minutes that have passed. */
  async function untilUpdate(): Promise<number> {
    const { length } = ends;
    let passed = 0;
    while (ends.length === length) {
      passed += await next();
      await eventually(() => expect(client.status().isUpdating).toBe(false));
    }
    return passed / MINUTE;
  }
  return { client, ends, untilUpdate };
}

/** Changes the checksum of the list of malware in each answer to an update. */
function damage(): void {
  const name = Buffer.from("mw-4b");
  other.lie = (path, answer) => {
    if (!path.endsWith(":batchGet")) return answer;
    const start = answer.body.indexOf(name);
    if (start < 0) return answer;
    const body = Buffer.from(answer.body);
    // The checksum is the last field of a list, and the list of malware is the first one.
    const end = body.indexOf("se-4b");
    const last = end < 0 ? body.length - 1 : end - 1 - 3;
    body[last - 4]! ^= 1;
    return { ...answer, body };
  };
}

test("a list that is always damaged keeps its entries, and the other list is current", async () => {
  const { client, untilUpdate } = opened();
  await client.update();
  damage();
  client.start();
  await untilUpdate();
  expect(client.status()).toMatchObject({ lastError: { code: "list-damaged", list: "mw-4b" } });
  other.set("se-4b", ["phish.example/", "new.example/"]);
  let minutes = 0;
  while (client.checkLocally("http://new.example/").local !== "listed") {
    minutes += await untilUpdate();
    expect(minutes).toBeLessThan(35);
  }
  expect(client.checkLocally("http://evil.example/").local).toBe("listed");
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  other.lie = null;
  other.set("mw-4b", ["worse.example/"]);
  await client.update();
  expect(client.checkLocally("http://worse.example/").local).toBe("listed");
  expect(client.status()).toMatchObject({ failures: 0, lastError: null });
});

test("a client that starts without a network is current within a minute of its return", async () => {
  await other.stop();
  const { client, ends, untilUpdate } = opened();
  client.start();
  for (let i = 0; i < 8; i++) expect(await untilUpdate()).toBeLessThanOrEqual(1);
  expect(ends.every(({ error }) => error?.code === "server-unreachable")).toBe(true);
  expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
  await other.start();
  expect(await untilUpdate()).toBeLessThanOrEqual(1);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
});

test("ready is for people who wait: it updates now, also after start", async () => {
  const { client } = opened();
  client.start();
  await client.ready();
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await other.stop();
  const { client: late } = opened();
  await expect(late.ready()).rejects.toMatchObject({ code: "server-unreachable" });
  await other.start();
  await late.ready();
  expect(late.checkLocally("http://good.example/").verdict).toBe("safe");
});

describe("connections and headers", () => {
  let server: Server;
  let answer: (path: string, response: ServerResponse) => Promise<void>;
  beforeEach(async () => {
    server = createServer((request, response) => void answer(request.url!, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Passes a request on to the other server. */
  async function pass(path: string, response: ServerResponse): Promise<void> {
    const answered = await fetch(other.origin + path);
    response
      .writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "" })
      .end(Buffer.from(await answered.arrayBuffer()));
  }

  test("a search that meets a connection closed while idle is sent once more", async () => {
    const used = new Set<Socket>();
    let closed = 0;
    answer = async (path, response) => {
      const { socket } = response;
      if (used.has(socket!)) {
        closed++;
        socket!.destroy();
        return;
      }
      used.add(socket!);
      await pass(path, response);
    };
    const client = open({ server: origin() });
    await client.update();
    // The connection becomes idle only after several turns of the event loop.
    for (let i = 0; i < 5; i++) await nextTurn();
    expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
    expect(closed).toBe(1);
    expect(client.status().searches.failures).toBe(0);
  });

  test.each([
    ["with blanks", [" 7200 "]],
    ["sent twice", ["60", "7200"]],
  ])("Retry-After %s is honoured", async (_, values) => {
    answer = async (_path, response) => {
      response.writeHead(503, { "Retry-After": values }).end();
    };
    const { now } = testClock();
    const client = open({ server: origin(), now });
    await expect(client.update()).rejects.toMatchObject({ status: 503, retryAfter: 7_200_000 });
    expect(client.status().nextUpdate).toBe(now() + 7_200_000);
  });
});
