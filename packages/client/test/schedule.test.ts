import { type ClientStorage, memoryStorage, type UpdateEnd } from "@x/client";
import { describe, expect, test } from "vitest";
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
  // If an update had begun, `load` would wait for it.
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

/** The names in the update requests, request by request. */
const namesOf = (requests: readonly URL[]) =>
  requests
    .filter(({ pathname }) => pathname.endsWith(":batchGet"))
    .map(({ searchParams }) => searchParams.getAll("names").join());

/** A change of the server's answers: the list mw-4b never has its checksum. */
const alwaysDamaged = (name: string, message: unknown): unknown =>
  name === "mw-4b"
    ? { ...(message as object), partialUpdate: false, sha256Checksum: new Uint8Array(32) }
    : message;

test("a list that is always damaged does not delay the others", async () => {
  const { client, server, clock } = setUp();
  await client.update();
  server.change = alwaysDamaged;
  client.start();
  await clock.pass(31 * MINUTE);
  server.requests.length = 0;
  server.lists["se-4b"]!.versions.push(["phish.example/", "new-phish.example/"]);
  await clock.pass(12 * HOUR);
  // The healthy list is updated every half hour all the time, and the damaged one by its own back-off.
  const names = namesOf(server.requests);
  expect(names.filter((each) => each.includes("se-4b"))).toHaveLength(24);
  const damaged = names.filter((each) => each.includes("mw-4b")).length;
  expect(damaged).toBeGreaterThan(3);
  expect(damaged).toBeLessThan(8);
  expect(client.checkLocally("http://new-phish.example/").local).toBe("listed");
  expect(client.status()).toMatchObject({ lastError: { code: "list-damaged", list: "mw-4b" } });
  server.change = null;
  await client.update();
  expect(client.status()).toMatchObject({ failures: 0, lastError: null });
  await client.stop();
});

test("a client that starts without a network is up to date soon after the network is there", async () => {
  const { client, server, clock } = setUp();
  server.instead = () => Promise.reject(new TypeError("fetch failed"));
  client.start();
  await clock.pass(10 * MINUTE);
  const tried = server.requests.length;
  expect(tried).toBeGreaterThan(8);
  expect(tried).toBeLessThan(25);
  server.instead = null;
  await clock.pass(MINUTE);
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  await client.stop();
});

test("an answer that breaks off is a failure of the server", async () => {
  const { client, server, clock } = setUp();
  server.instead = () =>
    new Response(new ReadableStream({ start: (body) => body.error(new Error("broken off")) }));
  await expect(client.update()).rejects.toMatchObject({ code: "server-unreachable", status: 200 });
  expect(client.status().nextUpdate! - clock.time).toBe(22.5 * MINUTE);
});

test("a mistake of the program after the lists are in use is no failure of the server", async () => {
  const mistake = new Error("a mistake of the program");
  const memory = memoryStorage();
  const ends: UpdateEnd[] = [];
  let isBroken = false;
  const { client } = setUp({
    now: () => {
      if (!isBroken) return START;
      isBroken = false;
      throw mistake;
    },
    storage: {
      ...memory,
      async put(name, bytes) {
        await memory.put(name, bytes);
        // The lists and their times are stored.
        isBroken = name === "state";
      },
    },
    updates: { onUpdate: (end) => ends.push(end) },
  });
  await expect(client.update()).rejects.toBe(mistake);
  expect(client.status()).toMatchObject({ failures: 0, lastError: null });
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  expect(ends).toEqual([]);
});

describe("onUpdate", () => {
  test("is called once after each update, whoever began it", async () => {
    const ends: UpdateEnd[] = [];
    const { client, server, clock } = setUp({ updates: { onUpdate: (end) => ends.push(end) } });
    const [result] = await Promise.all([client.update(), client.update()]);
    expect(ends).toEqual([{ result, error: null }]);
    client.start();
    server.instead = () => new Response(null, { status: 500 });
    await clock.pass(31 * MINUTE);
    expect(ends.slice(1)).toMatchObject([{ result: null, error: { status: 500 } }]);
    expect(ends[1]!.error).toBe(client.status().lastError);
    await client.stop();
  });

  test("is not called after an update that stop has ended", async () => {
    const ends: UpdateEnd[] = [];
    const { client, server } = setUp({ updates: { onUpdate: (end) => ends.push(end) } });
    server.instead = () => new Promise(() => {});
    const failed = expect(client.update()).rejects.toMatchObject({ code: "stopped" });
    await expect.poll(() => server.requests.length).toBe(1);
    await client.stop();
    await failed;
    expect(ends).toEqual([]);
  });

  test("is not called after an update that stop has ended while it was stored", async () => {
    const ends: UpdateEnd[] = [];
    const memory = memoryStorage();
    let isWriting = false;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const storage: ClientStorage = {
      ...memory,
      async put(name, bytes) {
        isWriting = true;
        await released;
        await memory.put(name, bytes);
      },
    };
    const { client } = setUp({ storage, updates: { onUpdate: (end) => ends.push(end) } });
    const update = client.update();
    await expect.poll(() => isWriting).toBe(true);
    const stopped = client.stop();
    release();
    await stopped;
    // The lists are in use, so the update has worked.
    expect((await update).lists).toMatchObject([{ changed: true }, { changed: true }]);
    expect(ends).toEqual([]);
  });

  test("may stop the client, and changes no update when it throws", async () => {
    const thrown: unknown[] = [];
    const onThrown = (error: unknown) => thrown.push(error);
    const listeners = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", onThrown);
    try {
      const { client } = setUp({
        updates: {
          onUpdate: async () => {
            await client.stop();
            throw new Error("a mistake of the program");
          },
        },
      });
      expect((await client.update()).lists).toHaveLength(2);
      await expect.poll(() => thrown).toMatchObject([{ message: "a mistake of the program" }]);
    } finally {
      process.off("unhandledRejection", onThrown);
      for (const each of listeners) process.on("unhandledRejection", each);
    }
  });
});

describe("status says that an update is due", () => {
  test("before the first one, after the wait, and not in the pause after a failure", async () => {
    const { client, server, clock } = setUp();
    const isDue = () => client.status().isDue;
    expect(isDue()).toBe(true);
    client.start();
    // The delay after `start` is for machines that start together, not for people who wait.
    expect(isDue()).toBe(true);
    await client.update();
    expect(isDue()).toBe(false);
    clock.time += 30 * MINUTE;
    expect(isDue()).toBe(true);
    server.instead = () => new Response(null, { status: 500 });
    await expect(client.update()).rejects.toMatchObject({ status: 500 });
    expect(isDue()).toBe(false);
    clock.time += 30 * MINUTE;
    expect(isDue()).toBe(true);
    await client.stop();
  });

  test("when no client of the storage has had one of the lists", async () => {
    const storage = memoryStorage();
    const { client, server, clock, another } = setUp({ storage, lists: ["mw-4b", "se-4b"] });
    await client.update();
    await another({ lists: ["mw-4b"] }).update();
    server.requests.length = 0;
    const next = another();
    await next.load();
    expect(next.status()).toMatchObject({ isDue: true, lists: [{ size: 2 }, { size: 1 }] });
    next.start();
    await clock.pass(MINUTE);
    expect(namesOf(server.requests)).toEqual(["se-4b"]);
    await next.stop();
  });

  test("never for a client that follows a storage", async () => {
    const { another } = setUp();
    const storage = { ...memoryStorage(), watch: () => () => {} };
    expect(another({ storage, updates: "follow" }).status().isDue).toBe(false);
  });
});

test("a restarted client goes on with the failures of the server and of each list", async () => {
  const storage = memoryStorage();
  const { client, server, clock, another } = setUp({ storage });
  server.change = (name, message) =>
    name === "mw-4b" ? { ...(message as object), sha256Checksum: new Uint8Array(32) } : message;
  for (let i = 0; i < 3; i++) await client.update();
  const wait = () => clock.time + 90 * MINUTE;
  const next = another();
  await next.load();
  expect(next.status()).toMatchObject({ isDue: false, failures: 3 });
  clock.time += 30 * MINUTE;
  next.start();
  server.requests.length = 0;
  await clock.pass(MINUTE);
  expect(namesOf(server.requests)).toEqual(["se-4b"]);
  await next.stop();
  await next.update();
  expect(next.status().failures).toBe(4);
  expect(next.status().nextUpdate).toBeLessThan(wait());
  server.instead = () => new Response(null, { status: 500 });
  for (const failures of [1, 2]) {
    await expect(next.update()).rejects.toMatchObject({ status: 500 });
    const last = another();
    await last.load();
    expect(last.status()).toMatchObject({ isDue: false, failures });
    expect(last.status().nextUpdate).toBe(next.status().nextUpdate);
  }
});

test("reading the storage does not end the pause of a client without one", async () => {
  const { client, server } = setUp();
  server.instead = () => new Response(null, { status: 500 });
  await expect(client.update()).rejects.toMatchObject({ status: 500 });
  const before = client.status();
  await client.load();
  expect(client.status()).toMatchObject({ failures: 1, nextUpdate: before.nextUpdate });
});

describe("ready", () => {
  test("updates at once when a list is missing, and then only when one is due", async () => {
    const { client, server, clock } = setUp({ storage: memoryStorage() });
    await client.ready();
    expect(server.requests).toHaveLength(1);
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    await client.ready();
    expect(server.requests).toHaveLength(1);
    clock.time += 31 * MINUTE;
    await client.ready();
    expect(server.requests).toHaveLength(2);
  });

  test("uses what is stored, before or after start", async () => {
    const storage = memoryStorage();
    const { client, server, another } = setUp({ storage });
    await client.update();
    for (const isFirst of [true, false]) {
      const next = another();
      if (!isFirst) next.start();
      await next.ready();
      if (isFirst) next.start();
      expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
      await next.stop();
    }
    expect(server.requests).toHaveLength(1);
  });

  test("rejects only when a list is missing afterwards", async () => {
    const { client, server, clock } = setUp();
    server.instead = () => new Response(null, { status: 500 });
    await expect(client.ready()).rejects.toMatchObject({ status: 500 });
    server.instead = null;
    await client.ready();
    clock.time += 31 * MINUTE;
    server.instead = () => new Response(null, { status: 500 });
    await client.ready();
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(client.ready({ signal: controller.signal })).rejects.toThrow("enough");
  });
});

test("stop ends every update, even one that has waited for another", async () => {
  const { client, server, clock } = setUp({ timeout: 24 * HOUR });
  await client.update();
  server.change = alwaysDamaged;
  client.start();
  await clock.pass(30.5 * MINUTE);
  server.requests.length = 0;
  server.instead = () => new Promise(() => {});
  await clock.pass(MINUTE);
  expect(namesOf(server.requests)).toEqual(["mw-4b"]);
  const failed = expect(client.update()).rejects.toMatchObject({ code: "stopped" });
  await client.stop();
  await failed;
  expect(namesOf(server.requests)).toEqual(["mw-4b"]);
  expect(client.status().isUpdating).toBe(false);
});

test("update brings all lists up to date, even while the ones that are due are updated", async () => {
  const { client, server, clock } = setUp();
  await client.update();
  server.change = alwaysDamaged;
  client.start();
  await clock.pass(30.5 * MINUTE);
  server.change = null;
  server.requests.length = 0;
  let release = () => {};
  server.instead = () =>
    new Promise((resolve) => {
      release = () => resolve(null as never);
    });
  // The damaged list is fetched again after a minute.
  await clock.pass(MINUTE);
  expect(namesOf(server.requests)).toEqual(["mw-4b"]);
  const whole = client.update();
  server.instead = null;
  release();
  const { lists } = await whole;
  expect(lists.map(({ name }) => name)).toEqual(["mw-4b", "se-4b"]);
  await client.stop();
});
