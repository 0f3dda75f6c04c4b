import { type ClientStorage, memoryStorage, type UpdateEnd } from "@x/client";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { MINUTE, setUp } from "./support/set-up.ts";

/** The paths of the requests, without their queries. */
const pathsOf = (requests: readonly URL[]) => requests.map(({ pathname }) => pathname);

const NAMES = "/v5/hashLists";
const UPDATE = "/v5/hashLists:batchGet";

describe("a list that the server answers with an empty one, because it does not know the name,", () => {
  const malware = { lists: ["se-4b", "malware"] };

  test("is not loaded, and no URL is safe", async () => {
    const { client, server } = setUp(malware);
    const { lists } = await client.update();
    expect(lists).toMatchObject([
      { name: "se-4b", changed: true, error: null },
      { name: "malware", changed: false, size: 0, error: { code: "list-unknown" } },
    ]);
    expect(lists[1]!.error!.message).toBe(
      'The server lists.example has no list "malware" (did you mean mw-4b?)',
    );
    expect(client.checkLocally("http://good.example/")).toMatchObject({
      verdict: "unsure",
      reason: "list-unknown",
    });
    expect(await client.check("http://phish.example/")).toMatchObject({ verdict: "unsafe" });
    expect(client.status().lists[1]).toMatchObject({ version: null, problem: "list-unknown" });
    expect(client.list("malware")).toBeNull();
    // The server has three lists, and names two on a page.
    expect(pathsOf(server.requests).slice(0, 3)).toEqual([UPDATE, NAMES, NAMES]);
    await expect(client.ready()).rejects.toMatchObject({ code: "list-unknown", list: "malware" });
  });

  test("is loaded when the server has it, and asked for no more often than the others", async () => {
    const ends: UpdateEnd[] = [];
    const { client, server, clock } = setUp({
      ...malware,
      updates: { onUpdate: (end) => ends.push(end) },
    });
    client.start();
    await clock.pass(121 * MINUTE);
    expect(ends).toHaveLength(5);
    expect(client.status().lists[1]!.problem).toBe("list-unknown");
    server.lists.malware = { versions: [["evil.example/"]] };
    await clock.pass(31 * MINUTE);
    expect(client.status()).toMatchObject({ failures: 0, lists: [{}, { problem: null, size: 1 }] });
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    await client.stop();
  });

  test("is still unknown after a restart, and the server is not asked again at once", async () => {
    const storage = memoryStorage();
    const { client, server, another } = setUp({ ...malware, storage });
    await client.update();
    server.requests.length = 0;
    const next = another();
    const { lists } = await next.load();
    expect(lists[1]).toMatchObject({ size: null, error: { code: "list-unknown" } });
    expect(next.checkLocally("http://good.example/").reason).toBe("list-unknown");
    expect(next.status().isDue).toBe(false);
    expect(server.requests).toEqual([]);
    const follower = another({
      storage: { ...storage, watch: () => () => {} },
      updates: "follow",
    });
    await follower.load();
    expect(follower.checkLocally("http://good.example/").reason).toBe("list-unknown");
  });

  test("keeps the entries that it had, until they are too old", async () => {
    const { client, server, clock, another } = setUp({ storage: memoryStorage() });
    await client.update();
    delete server.lists["mw-4b"];
    expect((await client.update()).lists[0]).toMatchObject({
      size: 2,
      error: { code: "list-unknown" },
    });
    expect(client.checkLocally("http://evil.example/").local).toBe("listed");
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    // A server without the list does not find its entries.
    const next = another();
    await next.load();
    for (const each of [client, next]) {
      expect(await each.check("http://evil.example/")).toMatchObject({
        verdict: "unsure",
        reason: "list-unknown",
        matches: [{ list: "mw-4b", expression: "evil.example/" }],
      });
    }
    expect((await client.check("http://phish.example/")).verdict).toBe("unsafe");
    const evil = fullHash("evil.example/");
    expect(client.knownFullHashes("mw-4b", evil)).toBeNull();
    await expect(client.findFullHashes("mw-4b", [evil])).rejects.toMatchObject({
      code: "list-unknown",
    });
    clock.time += 25 * 60 * MINUTE;
    await client.update();
    expect(client.checkLocally("http://good.example/").reason).toBe("outdated");
  });

  test("is known again to a follower when the server has the same version again", async () => {
    const stored = memoryStorage();
    const { client, server, another } = setUp({ storage: stored });
    await client.update();
    const malware = server.lists["mw-4b"]!;
    delete server.lists["mw-4b"];
    await client.update();
    let onChange: (name: string) => void = () => {};
    const watch: NonNullable<ClientStorage["watch"]> = (notify) => {
      onChange = notify;
      return () => {};
    };
    const follower = another({ storage: { ...stored, watch }, updates: "follow" });
    follower.start();
    const error = () => follower.status().lists[0]!.error?.code ?? null;
    await expect.poll(error).toBe("list-unknown");
    server.lists["mw-4b"] = malware;
    await client.update();
    // The list itself is not stored again.
    onChange("state");
    await expect.poll(error).toBeNull();
    await follower.stop();
  });

  test("shows names of the server if none is similar, but nothing that a server could hide in them", async () => {
    const { client, server } = setUp({ lists: ["weather"] });
    const message = async () => (await client.update()).lists[0]!.error!.message;
    expect(await message()).toBe(
      'The server lists.example has no list "weather" (it has mw-4b, se-4b, gc-32b)',
    );
    for (const name of ["\u001b[2Jmw-4b", "a".repeat(101), ""])
      server.lists[name] = { versions: [[]] };
    for (let i = 0; i < 10; i++) server.lists[`own-${i}`] = { versions: [[]] };
    expect(await message()).toMatch(/ \(it has mw-4b, se-4b, gc-32b, .*own-6 and 3 more\)$/);
    for (const name of Object.keys(server.lists)) delete server.lists[name];
    expect(await message()).toBe('The server lists.example has no list "weather"');
  });
});

describe("an empty list that the server names", () => {
  test("counts as loaded", async () => {
    const { client, server } = setUp({ lists: ["mw-4b"] });
    server.lists["mw-4b"] = { versions: [[]] };
    expect((await client.update()).lists[0]).toMatchObject({ changed: true, size: 0, error: null });
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
    expect((await client.update()).lists[0]).toMatchObject({ changed: false, error: null });
  });

  test.each([
    ["fails", () => new Response(null, { status: 500 }), "server-unreachable"],
    ["refuses", () => new Response(null, { status: 404 }), "server-refused"],
    ["sends a page", () => new Response("<html>"), "answer-wrong"],
  ])("does not count if the server %s when it is asked", async (_, response, code) => {
    const { client, server } = setUp({ lists: ["mw-4b", "se-4b"] });
    server.lists["mw-4b"] = { versions: [[]] };
    server.instead = ({ pathname }) => (pathname === NAMES ? response() : null);
    expect((await client.update()).lists).toMatchObject([{ error: { code } }, { error: null }]);
    expect(client.checkLocally("http://good.example/").reason).toBe("not-loaded");
    server.instead = null;
    await client.update();
    expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  });

  test("does not count if the names never end", async () => {
    const { client, server } = setUp({ lists: ["mw-4b"] });
    for (let i = 0; i < 300; i++) server.lists[`own-${i}`] = { versions: [[]] };
    server.lists["mw-4b"] = { versions: [[]] };
    expect((await client.update()).lists[0]!.error?.code).toBe("answer-wrong");
    expect(server.requests.length).toBeLessThan(150);
  });
});

describe("a server that refuses requests for a list that it does not have", () => {
  const refuse = (status: number) => (url: URL) =>
    url.searchParams.getAll("names").includes("malware") ? new Response(null, { status }) : null;

  test.each([400, 404, 410])("with status %s still updates the others", async (status) => {
    const { client, server } = setUp({ lists: ["malware", "se-4b"] });
    server.instead = refuse(status) as never;
    expect((await client.update()).lists).toMatchObject([
      { name: "malware", error: { code: "list-unknown" } },
      { name: "se-4b", changed: true, size: 1, error: null },
    ]);
    expect(client.status()).toMatchObject({ lastError: { code: "list-unknown" } });
  });

  test("leaves nothing to ask for if it has none of the lists", async () => {
    const { client, server } = setUp({ lists: ["malware"] });
    server.instead = refuse(404) as never;
    expect((await client.update()).lists).toMatchObject([{ error: { code: "list-unknown" } }]);
    expect(client.status().nextUpdate).toBe(1_000_000_000_000 + 30 * MINUTE);
  });

  test.each([401, 403, 429, 500])("is not asked for names after status %s", async (status) => {
    const { client, server } = setUp({ lists: ["malware", "se-4b"] });
    server.instead = refuse(status) as never;
    await expect(client.update()).rejects.toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test("is asked list by list after status 503, if it says which lists it has", async () => {
    const { client, server } = setUp({ lists: ["gone", "mw-4b", "se-4b"] });
    const refused = new Set(["gone", "mw-4b"]);
    server.instead = ({ searchParams }) =>
      searchParams.getAll("names").some((name) => refused.has(name))
        ? new Response(null, { status: 503, headers: { "Retry-After": "60" } })
        : null;
    expect((await client.update()).lists).toMatchObject([
      { name: "gone", error: { code: "list-unknown" } },
      { name: "mw-4b", error: { code: "server-unreachable", status: 503 } },
      { name: "se-4b", changed: true, size: 1, error: null },
    ]);
    // One request is for all lists, and one for each of the two that the server has.
    expect(pathsOf(server.requests).filter((path) => path === UPDATE)).toHaveLength(3);
    refused.clear();
    server.lists["gone"] = { versions: [["evil.example/"]] };
    expect((await client.update()).lists).toMatchObject(Array(3).fill({ error: null }));
  });

  test.each([[["mw-4b"]], [["mw-4b", "se-4b"]]])(
    "is asked for nothing more after status 503 for %j if it has no answer at all",
    async (lists) => {
      const { client, server } = setUp({ lists });
      server.instead = () => new Response(null, { status: 503 });
      await expect(client.update()).rejects.toMatchObject({ status: 503 });
      expect(server.requests).toHaveLength(lists.length);
    },
  );

  test("fails as before if it has all lists, or does not say which it has", async () => {
    const { client, server } = setUp();
    server.instead = ({ pathname }) =>
      pathname === UPDATE ? new Response(null, { status: 400 }) : null;
    await expect(client.update()).rejects.toMatchObject({ status: 400 });
    server.instead = () => new Response(null, { status: 400 });
    await expect(client.update()).rejects.toMatchObject({ status: 400 });
  });

  test("is not asked again after stop", async () => {
    const { client, server } = setUp();
    server.instead = ({ pathname }, { signal }) =>
      pathname === UPDATE
        ? new Response(null, { status: 404 })
        : new Promise((_, reject) => {
            signal!.addEventListener("abort", () => reject(signal!.reason));
          });
    const failed = expect(client.update()).rejects.toMatchObject({ code: "stopped" });
    await expect.poll(() => server.requests.length).toBe(2);
    await client.stop();
    await failed;
    expect(client.status().failures).toBe(0);
  });
});
