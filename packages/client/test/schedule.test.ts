import { memoryStorage } from "@x/client";
import { expect, test } from "vitest";
import { HOUR, MINUTE, START, setUp } from "./support/set-up.ts";

test("the first update comes after a random delay of up to a minute", async () => {
  const { client, server, clock } = setUp();
  client.start();
  client.start();
  await clock.pass(MINUTE / 2 - 1);
  expect(server.requests).toHaveLength(0);
  await clock.pass(1);
  expect(server.requests).toHaveLength(1);
  expect(client.status()).toMatchObject({
    isStarted: true,
    failures: 0,
    nextUpdate: START + 30.5 * MINUTE,
  });
  await clock.pass(30 * MINUTE);
  expect(server.requests).toHaveLength(2);
  await client.stop();
  expect(clock.waiting).toBe(0);
  await clock.pass(HOUR);
  expect(server.requests).toHaveLength(2);
});

test("the smallest wait of all lists counts", async () => {
  const { client, server } = setUp();
  server.change = (name, message) => ({
    ...(message as object),
    minimumWaitDuration: name === "mw-4b" ? HOUR : 2 * MINUTE,
  });
  const { nextUpdate } = await client.update();
  expect(nextUpdate).toBe(START + 2 * MINUTE);
});

test.each([
  [null, 30 * MINUTE],
  [0, 30 * MINUTE],
  [5, MINUTE],
  [1000 * 24 * HOUR, 24 * HOUR],
])("a wait of %s is one of %s ms", async (wait, expected) => {
  const { client, server } = setUp();
  server.wait = wait;
  expect((await client.update()).nextUpdate).toBe(START + expected);
});

test("after errors, the wait doubles up to a day", async () => {
  const { client, server, clock } = setUp();
  server.instead = () => new Response("<html>", { headers: { "content-type": "text/html" } });
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    await expect(client.update()).rejects.toMatchObject({ code: "answer-wrong" });
    waits.push((client.status().nextUpdate! - clock.time) / MINUTE);
  }
  expect(waits).toEqual([22.5, 45, 90, 180, 360, 720, 1440, 1440, 1440, 1440, 1440, 1440]);
  expect(client.status()).toMatchObject({ failures: 12, lastError: { code: "answer-wrong" } });
  server.instead = null;
  await client.update();
  expect(client.status()).toMatchObject({ failures: 0, lastError: null });
});

test("a server that asks for a longer wait after an error gets it", async () => {
  const { client, server, clock } = setUp();
  server.instead = () => new Response(null, { status: 429, headers: { "retry-after": "7200" } });
  await expect(client.update()).rejects.toMatchObject({ code: "server-unreachable", status: 429 });
  expect(client.status().nextUpdate).toBe(clock.time + 2 * HOUR);
});

test("a clock that is set back neither stops updates nor repeats them", async () => {
  const { client, server, clock } = setUp();
  client.start();
  await clock.pass(MINUTE);
  expect(server.requests).toHaveLength(1);
  clock.time -= 1000 * HOUR;
  await clock.pass(27 * MINUTE);
  expect(server.requests).toHaveLength(1);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await clock.pass(4 * MINUTE);
  expect(server.requests).toHaveLength(2);
  await client.stop();
});

test("a clock that is set back while an update is stored does not stop updates", async () => {
  const storage = memoryStorage();
  let setBack = () => {
    clock.time -= 1000 * 24 * HOUR;
    setBack = () => {};
  };
  const { client, server, clock } = setUp({
    storage: {
      ...storage,
      async put(name, bytes) {
        setBack();
        await storage.put(name, bytes);
      },
    },
  });
  async function pass(minutes: number) {
    await clock.pass(minutes * MINUTE);
    await expect.poll(() => client.status().isUpdating).toBe(false);
  }
  client.start();
  await pass(1);
  // The next update is made at once.
  await pass(1);
  expect(server.requests).toHaveLength(2);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await pass(30);
  expect(server.requests).toHaveLength(3);
  await client.stop();
});

test("a clock that is set forward makes the next update due", async () => {
  const { client, server, clock } = setUp();
  client.start();
  await clock.pass(MINUTE);
  clock.time += 1000 * HOUR;
  expect(client.checkLocally("http://good.example/").reason).toBe("outdated");
  await clock.pass(MINUTE);
  expect(server.requests).toHaveLength(2);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await client.stop();
});

test("lists of a clock that was set back by more than the grace are outdated", async () => {
  const { client, clock } = setUp();
  await client.update();
  clock.time -= 25 * HOUR;
  expect(client.checkLocally("http://good.example/").reason).toBe("outdated");
});

test("lists that were stored while the clock was wrong are as new as the update after that", async () => {
  const storage = memoryStorage();
  const { client, clock, another } = setUp({ storage });
  clock.time += 1000 * HOUR;
  await client.update();
  clock.time -= 1000 * HOUR;
  expect((await client.update()).lists[0]!.changed).toBe(false);
  const next = another();
  await next.load();
  expect(next.status()).toMatchObject({ lists: client.status().lists });
  expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
});

test("lists are outdated after the grace, however often updates fail", async () => {
  const { client, server, clock } = setUp({ grace: HOUR });
  client.start();
  await clock.pass(MINUTE);
  server.instead = () => new Response(null, { status: 500 });
  await clock.pass(85 * MINUTE);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await clock.pass(5 * MINUTE);
  expect(client.status().failures).toBeGreaterThan(1);
  expect(client.checkLocally("http://good.example/")).toMatchObject({
    verdict: "unsure",
    reason: "outdated",
    local: null,
  });
  expect((await client.check("http://evil.example/")).verdict).toBe("unsure");
  await client.stop();
});

test("one update runs at a time, and further calls wait for it", async () => {
  const { client, server } = setUp();
  const [one, other] = await Promise.all([client.update(), client.update()]);
  expect(one).toBe(other);
  expect(server.requests).toHaveLength(1);
});

test("a caller that gives up does not end the update of another", async () => {
  const { client, server } = setUp();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.instead = async () => {
    await held;
    return null as never;
  };
  const controller = new AbortController();
  const given = client.update({ signal: controller.signal });
  const other = client.update({ signal: new AbortController().signal });
  controller.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  release();
  expect((await other).lists).toHaveLength(2);
});

test("when all callers give up, the request is aborted, and that is not a failure", async () => {
  const { client, server } = setUp();
  let aborted = false;
  server.instead = (_, { signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener("abort", () => {
        aborted = true;
        reject(signal!.reason);
      });
    });
  const controller = new AbortController();
  const update = client.update({ signal: controller.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  controller.abort(new Error("given up"));
  await expect(update).rejects.toThrow("given up");
  expect(aborted).toBe(true);
  expect(client.status().failures).toBe(0);
  server.instead = null;
  expect((await client.update()).lists).toHaveLength(2);
});

test("an update is not begun for a caller that has given up before", async () => {
  const { client, server } = setUp();
  const reason = new Error("given up");
  await expect(client.update({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(client.status().isUpdating).toBe(false);
  // It would wait for the update.
  await client.load();
  expect(server.requests).toHaveLength(0);
});

test("stop ends an update, and waits for its end", async () => {
  const { client, server } = setUp();
  server.instead = (_, { signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason));
    });
  const update = client.update();
  const failed = expect(update).rejects.toMatchObject({ code: "stopped" });
  await expect.poll(() => server.requests.length).toBe(1);
  await client.stop();
  await failed;
  expect(client.status()).toMatchObject({ isUpdating: false, failures: 0 });
});
