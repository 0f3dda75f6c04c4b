import {
  applyListJob,
  type ClientStorage,
  type ListJobResult,
  memoryStorage,
  type UpdateOptions,
} from "@x/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fakeServer, listOf } from "./support/fake-server.ts";
import { BREAKING, LYING } from "./support/network-faults.ts";
import { HOUR, MINUTE, setUp } from "./support/set-up.ts";
import { startTurns, type Turns } from "./support/turns.ts";

type Apply = NonNullable<UpdateOptions["apply"]>;

const never = () => new Promise<never>(() => {});

describe("an update", () => {
  /** The error of an update with each fault; `null` when the update reports none. */
  const outcomes: Readonly<Record<string, string | null>> = {
    unreachable: "server-unreachable",
    "too many requests": "server-unreachable",
    "internal error": "server-unreachable",
    busy: "server-unreachable",
    forbidden: "server-refused",
    "a web page": "answer-wrong",
    nothing: "answer-wrong",
    hanging: "server-unreachable",
    "a gigabyte": "answer-too-long",
    "cut off": "server-unreachable",
    stalled: "server-unreachable",
    slow: null,
    "a truncated answer": "answer-wrong",
    "a changed byte": "list-damaged",
    "a wrong checksum": "list-damaged",
    "an earlier answer": null,
  };
  const faults = Object.entries({ ...BREAKING, ...LYING });
  // Time-outs are over as soon as nothing else can happen.
  let turns: Turns;
  beforeEach(() => {
    turns = startTurns(() => 0.5);
  });
  afterEach(() => turns.end());

  test.each(faults)("with the fault %s is right, or an error says why not", async (name, fault) => {
    const expected = outcomes[name];
    const { client, server } = setUp({ lists: ["mw-4b"] });
    await turns.until(client.update());
    const { fetch } = fakeServer(server.lists);
    const earlier = [await fetch(server.requests[0]!)];
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    const { checksum } = listOf("mw-4b", ["new.example/"]);
    server.instead = (input, init) => {
      const pause = () => turns.take(() => {});
      const world = { random: () => 0.5, init, earlier, checksums: [checksum], pause };
      return fault(() => fetch(input, init), world);
    };
    const updating = client.update().then(
      ({ lists }) => lists[0]!.error,
      (error) => error,
    );
    const outcome = await turns.until(updating);
    expect(outcome?.code ?? null).toBe(expected);
    expect(client.status().lastError).toBe(outcome);
    const { size } = client.status().lists[0]!;
    expect(size).toBe(name === "slow" ? 1 : 2);
    expect(client.checkLocally("http://good.example/").reason).toBeNull();
    server.instead = null;
    await turns.until(client.update());
    expect(client.status()).toMatchObject({ lists: [{ version: checksum }], lastError: null });
  });
});

describe("apply", () => {
  const nonsense: readonly [string, (good: ListJobResult) => unknown][] = [
    ["nothing", () => undefined],
    ["no list", (good) => ({ ...good, list: {} })],
    [
      "an empty list",
      (good) => ({
        ...good,
        list: { ...good.list, tables: [], size: 0, checksum: "0".repeat(64) },
      }),
    ],
    ["the list before", (good) => ({ ...good, list: null })],
    ["counts that are no numbers", (good) => ({ ...good, added: "1" })],
    ["damage that is no text", (good) => ({ ...good, list: null, damage: 5 })],
  ];

  test.each(nonsense)("that returns %s leaves the list as it is", async (_, change) => {
    let apply: Apply = applyListJob;
    const { client, server } = setUp({ lists: ["mw-4b"], updates: { apply: (job) => apply(job) } });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    apply = (job) => change(applyListJob(job)) as ListJobResult;
    const { lists } = await client.update();
    expect(lists[0]).toMatchObject({ changed: false, size: 2, error: { code: "apply-failed" } });
    expect(client.checkLocally("http://evil.example/").local).toBe("listed");
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    expect(client.status()).toMatchObject({ failures: 1, lastError: { code: "apply-failed" } });
    apply = applyListJob;
    expect((await client.update()).lists[0]).toMatchObject({ added: 1, removed: 2 });
  });

  test("that throws leaves the list as it is", async () => {
    let isCrashed = false;
    const apply: Apply = (job) => {
      if (isCrashed) throw new Error("the worker has ended");
      return applyListJob(job);
    };
    const { client, server } = setUp({ lists: ["mw-4b"], updates: { apply } });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    isCrashed = true;
    expect((await client.update()).lists[0]!.error?.message).toContain("the worker has ended");
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  });

  test("that says nothing changed cannot make up for a list that is missing", async () => {
    const apply = () => ({ list: null, damage: null, added: 0, removed: 0, bytes: 0 });
    const { client } = setUp({ lists: ["mw-4b"], updates: { apply } });
    expect((await client.update()).lists[0]!.error?.code).toBe("apply-failed");
    expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
  });

  test("gets plain data, and is not needed for what is stored", async () => {
    const storage = memoryStorage();
    let jobs = 0;
    const apply: Apply = async (job) => {
      jobs++;
      return structuredClone(applyListJob(structuredClone(job)));
    };
    const { client, server, another } = setUp({ storage, lists: ["mw-4b"], updates: { apply } });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    const next = another();
    expect((await next.load()).lists).toEqual([{ name: "mw-4b", size: 2, error: null }]);
    expect(jobs).toBe(1);
    expect((await next.update()).lists[0]).toMatchObject({ size: 1, error: null });
    expect(jobs).toBe(2);
    expect(next.checkLocally("http://new.example/").local).toBe("listed");
  });

  test("that never ends does not keep stop from ending", async () => {
    let isCalled = false;
    const apply = () => {
      isCalled = true;
      return never();
    };
    const { client } = setUp({ lists: ["mw-4b"], updates: { apply } });
    const failed = expect(client.update()).rejects.toMatchObject({ code: "stopped" });
    await expect.poll(() => isCalled).toBe(true);
    await client.stop();
    await failed;
  });
});

describe("storage", () => {
  test("that has nothing may say so with undefined", async () => {
    const storage = { get: async () => undefined, put: async () => {}, delete: async () => {} };
    const { client } = setUp({ storage: storage as never });
    expect((await client.load()).lists[0]).toEqual({ name: "mw-4b", size: null, error: null });
    expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
  });

  test("that hangs delays neither verdicts nor the next update", async () => {
    const storage: ClientStorage = { get: never, put: never, delete: never };
    const { client, server } = setUp({ storage, timeout: 500 });
    const updating = client.update();
    await expect.poll(() => client.checkLocally("http://good.example/").verdict).toBe("safe");
    expect((await updating).storageError?.code).toBe("storage-failed");
    expect((await client.load()).storageError?.code).toBe("storage-failed");
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    await client.update();
    expect(server.requests).toHaveLength(2);
  });

  test("that hangs is waited for once, however many lists there are", async () => {
    const asked: string[] = [];
    const hang = (name: string) => {
      asked.push(name);
      return never();
    };
    const storage: ClientStorage = { get: hang, put: hang, delete: hang };
    const lists = Array.from({ length: 100 }, (_, i) => `own${i}-4b`);
    const { client } = setUp({ storage, timeout: 50, lists });
    expect(await client.load()).toMatchObject({
      lists: lists.map((name) => ({ name, error: { code: "storage-failed" } })),
      storageError: { code: "storage-failed" },
    });
    expect((await client.update()).storageError).toMatchObject({ code: "storage-failed" });
    // The storage is asked at most once in each of the two calls.
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test("that hangs does not keep a caller who gives up", async () => {
    const storage: ClientStorage = { get: never, put: never, delete: never };
    const { client } = setUp({ storage, timeout: 2 ** 31 - 1 });
    const controller = new AbortController();
    const loading = client.load({ signal: controller.signal });
    controller.abort(new Error("given up"));
    await expect(loading).rejects.toThrow("given up");
    expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
  });

  test("that ends a write late does not get an older list back", async () => {
    const memory = memoryStorage();
    const late: (() => Promise<void>)[] = [];
    const storage: ClientStorage = {
      ...memory,
      put(name, bytes) {
        if (late.length > 0) return memory.put(name, bytes);
        const copy = bytes.slice();
        return new Promise((resolve) => {
          late.push(() => memory.put(name, copy).then(resolve));
        });
      },
    };
    const { client, server, another } = setUp({ storage, timeout: 500, lists: ["mw-4b"] });
    expect((await client.update()).storageError?.code).toBe("storage-failed");
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    expect((await client.update()).lists[0]).toMatchObject({ changed: true, size: 1 });
    await late[0]!();
    await client.update();
    const next = another();
    await next.load();
    expect(next.checkLocally("http://new.example/").local).toBe("listed");
  });

  test("gets with the next update what it could not store", async () => {
    const memory = memoryStorage();
    let isFull = true;
    const put: ClientStorage["put"] = (...given) =>
      isFull ? Promise.reject(new Error("the disk is full")) : memory.put(...given);
    const { client, another } = setUp({ storage: { ...memory, put } });
    expect((await client.update()).storageError?.message).toContain("the disk is full");
    isFull = false;
    expect((await client.update()).storageError).toBeNull();
    expect((await another().load()).lists).toMatchObject([{ size: 2 }, { size: 1 }]);
  });

  test("does not have a list until status says so, whatever is given up in between", async () => {
    const memory = memoryStorage();
    let isFull = true;
    const storage: ClientStorage = {
      ...memory,
      get: (name) => (isFull ? never() : memory.get(name)),
      put: (...given) =>
        isFull ? Promise.reject(new Error("the disk is full")) : memory.put(...given),
    };
    const { client, server } = setUp({ storage });
    const storageError = () => client.status().storageError?.message;
    await client.update();
    server.instead = never;
    for (const run of [client.update, client.load]) {
      const controller = new AbortController();
      const given = expect(run({ signal: controller.signal })).rejects.toThrow("given up");
      expect(storageError()).toContain("the disk is full");
      controller.abort(new Error("given up"));
      await given;
      expect(storageError()).toContain("the disk is full");
    }
    isFull = false;
    await client.load();
    expect(storageError()).toBeUndefined();
    expect(await memory.get("list-mw-4b")).not.toBeNull();
  });

  test("does not bring back an older list while an update runs", async () => {
    const storage = memoryStorage();
    const { client, server } = setUp({ storage, lists: ["mw-4b"] });
    await client.update();
    server.lists["mw-4b"]!.versions.push(["new.example/"]);
    await Promise.all([client.load(), client.update(), client.load()]);
    expect(client.checkLocally("http://new.example/").local).toBe("listed");
    expect(client.status().lists[0]!.size).toBe(1);
  });

  const states: readonly [string, (good: Record<string, unknown>) => unknown][] = [
    ["null", () => null],
    ["a number", () => 5],
    ["times that are texts", (good) => ({ ...good, due: "x", wait: "x", failures: "x" })],
    ["times that are huge", (good) => ({ ...good, due: 1e300, wait: 1e300, failures: 1e300 })],
    ["lists that are numbers", (good) => ({ ...good, lists: { "mw-4b": 5, "se-4b": null } })],
    [
      "rows that are no rows",
      (good) => ({ ...good, lists: [5, null, ["mw-4b"], ["mw-4b", 5, "x"]] }),
    ],
  ];
  test.each(states)("with a state that is %s loses no list, and is updated", async (_, change) => {
    const storage = memoryStorage();
    const { client, server, clock, another } = setUp({ storage });
    await client.update();
    const good = JSON.parse(new TextDecoder().decode((await storage.get("state"))!));
    await storage.put("state", new TextEncoder().encode(JSON.stringify(change(good))));
    const next = another();
    expect((await next.load()).lists).toMatchObject([{ size: 2 }, { size: 1 }]);
    expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
    next.start();
    await clock.pass(31 * MINUTE);
    expect([2, 3]).toContain(server.requests.length);
    await next.stop();
  });

  test("without one of the lists is updated soon, even if no update is due", async () => {
    const storage = memoryStorage();
    const { client, server, clock, another } = setUp({ storage });
    await client.update();
    await storage.delete("list-se-4b");
    const next = another();
    next.start();
    await next.load();
    await clock.pass(MINUTE);
    expect(server.requests).toHaveLength(2);
    expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
    await next.stop();
  });

  test("keeps lists with unusual names apart", async () => {
    const storage = memoryStorage();
    const lists = ["__proto__", "constructor", "a/../b", "A"];
    const { client, server, another } = setUp({ storage, lists });
    for (const name of lists) {
      Object.defineProperty(server.lists, name, {
        value: { versions: [[`${name.length}.example/`]] },
      });
    }
    await client.update();
    expect((await another().load()).lists.map(({ name, size }) => [name, size])).toEqual(
      lists.map((name) => [name, 1]),
    );
  });
});

test("an answer is as old as its request", async () => {
  const { client, server, clock } = setUp();
  server.instead = () => {
    // The machine sleeps.
    clock.time += 100 * HOUR;
    server.instead = null;
    return null;
  };
  const { nextUpdate } = await client.update();
  expect(client.checkLocally("http://good.example/").reason).toBe("outdated");
  expect(nextUpdate).toBe(clock.time + MINUTE);
});

test("what other code adds to all objects is no option", async () => {
  const polluted = { grace: -1, signal: AbortSignal.abort(), frame: true };
  const { server, another } = setUp();
  server.lists["mw-4b"] = {
    versions: [["frame.example/"]],
    details: [{ threatType: "MALWARE", attributes: ["FRAME_ONLY"] }],
  };
  Object.assign(Object.prototype, polluted);
  try {
    const client = another({ protocol: "v5" });
    await client.load({});
    await client.update({});
    expect((await client.check("http://frame.example/", {})).verdict).toBe("safe");
    expect(client.checkLocally("http://frame.example/", {}).verdict).toBe("safe");
    for await (const { verdict } of client.checkMany(["http://frame.example/"], {})) {
      expect(verdict).toBe("safe");
    }
  } finally {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
  }
});

test("checkMany stops waiting for a slow stream when the signal is aborted", async () => {
  const { client } = setUp();
  const controller = new AbortController();
  async function* urls() {
    yield "http://good.example/";
    await never();
  }
  const verdicts = client.checkMany(urls(), { signal: controller.signal });
  await verdicts.next();
  const next = verdicts.next();
  controller.abort(new Error("given up"));
  await expect(next).rejects.toThrow("given up");
});

test("the body of an error is not read", async () => {
  const { client, server } = setUp();
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) });
  server.instead = () => new Response(endless(), { status: 503 });
  await expect(client.update()).rejects.toMatchObject({ status: 503 });
  expect(client.status().requests.bytesReceived).toBe(0);
});

describe("searches", () => {
  const urls = (count: number) =>
    Array.from({ length: count }, (_, i) => `http://new.example/${i}`);
  const realTime = { procedure: "real-time", lists: ["gc-32b", "mw-4b"] } as const;

  test("pause after the second failure in a row, longer and longer, and end with an answer", async () => {
    const { client, server, clock } = setUp(realTime);
    await client.update();
    server.instead = () => new Response(null, { status: 503 });
    const pauses: number[] = [];
    for (const url of urls(10)) {
      expect(await client.check(url)).toMatchObject({
        verdict: "unsure",
        reason: "server-unreachable",
      });
      const { pausedUntil } = client.status().searches;
      pauses.push(pausedUntil === null ? 0 : pausedUntil - clock.time);
      clock.time += pauses.at(-1)!;
    }
    expect(pauses).toEqual([0, 1.5, 3, 6, 12, 24, 48, 90, 90, 90].map((s) => s * 1000));
    expect(server.requests).toHaveLength(11);
    clock.time -= 1;
    for (const url of urls(100)) {
      expect((await client.check(url)).reason).toBe("server-unreachable");
    }
    expect(server.requests).toHaveLength(11);
    expect(client.status().searches).toMatchObject({ failures: 10, lastError: { status: 503 } });
    clock.time += 1;
    server.instead = null;
    expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
    expect(client.status().searches).toEqual({ failures: 0, lastError: null, pausedUntil: null });
  });

  test("that fail at the same time count once, and one at a time tries again", async () => {
    const { client, server, clock } = setUp(realTime);
    await client.update();
    server.instead = () => new Response(null, { status: 500 });
    await Promise.all(urls(6).map((url) => client.check(url)));
    expect(client.status().searches.failures).toBe(1);
    await client.check("http://new.example/");
    expect(client.status().searches.failures).toBe(2);
    clock.time += 2000;
    const before = server.requests.length;
    let release = () => {};
    server.instead = () =>
      new Promise((resolve) => {
        release = () => resolve(null as never);
      });
    const trial = client.check("http://evil.example/");
    await expect.poll(() => server.requests.length).toBe(before + 1);
    expect((await client.check("http://other.example/")).verdict).toBe("unsure");
    release();
    expect((await trial).verdict).toBe("unsafe");
    server.instead = null;
    expect((await client.check("http://other.example/")).verdict).toBe("safe");
  });

  test("wait as long as the server asks, and no longer than a day", async () => {
    const { client, server, clock } = setUp(realTime);
    await client.update();
    server.instead = () => new Response(null, { status: 429, headers: { "retry-after": "600" } });
    await client.check("http://new.example/");
    expect(client.status().searches.pausedUntil).toBe(clock.time + 600_000);
    clock.time -= HOUR;
    expect(client.status().searches.pausedUntil).toBeNull();
  });

  test("that onRequest refuses say nothing about the server", async () => {
    let isAllowed = true;
    const { client } = setUp({ ...realTime, onRequest: () => isAllowed });
    await client.update();
    isAllowed = false;
    for (const url of urls(5)) await client.check(url);
    expect(client.status().searches.failures).toBe(0);
  });

  test("end after the timeout, even if fetch does not", async () => {
    const { client, server } = setUp({ timeout: 500 });
    await client.update();
    server.instead = never;
    expect((await client.check("http://evil.example/")).reason).toBe("server-unreachable");
    await client.stop();
  });

  test("end after the timeout, however fast a body drips", async () => {
    const { client, server } = setUp({ timeout: 500 });
    await client.update();
    server.instead = () => {
      const pull = async (controller: ReadableStreamDefaultController) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        controller.enqueue(new Uint8Array(2 ** 17));
      };
      return new Response(new ReadableStream({ pull }));
    };
    const { error } = await client.check("http://evil.example/");
    expect(String(error)).toMatch(/0\.5 s/);
  });
});

test("no answer holds longer than a day, and none survives a clock that is set back", async () => {
  const { client, server, clock } = setUp();
  server.cache = 10_000 * 24 * HOUR;
  await client.update();
  await client.check("http://evil.example/");
  expect(client.checkLocally("http://evil.example/").verdict).toBe("unsafe");
  clock.time += 24 * HOUR;
  expect(client.checkLocally("http://evil.example/").reason).toBe("unconfirmed");
  await client.check("http://evil.example/");
  clock.time += 5 * MINUTE;
  expect(client.checkLocally("http://evil.example/").verdict).toBe("unsafe");
  clock.time -= 4 * MINUTE;
  expect(client.checkLocally("http://evil.example/").reason).toBe("unconfirmed");
});

test("a key that a platform quotes is left out of errors, however it is written", async () => {
  const key = "a b+c/(d)";
  const { client, server } = setUp({ key });
  server.instead = (url) => {
    throw new TypeError(`cannot fetch ${url.href} for ${key} and ${encodeURIComponent(key)}`);
  };
  const error = await client.update().catch((error: Error) => error.message);
  for (const part of ["a b", "a+b", "a%20b"]) expect(error).not.toContain(part);
});
