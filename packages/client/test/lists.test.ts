import { type ClientStorage, memoryStorage } from "@x/client";
import { expect, test } from "vitest";
import { HOUR, MINUTE, setUp } from "./support/set-up.ts";

type Change = { sha256Checksum: Uint8Array; name: string };

test("an update with a wrong checksum is reported, and the verified list stays until the whole list comes", async () => {
  const storage = memoryStorage();
  const { client, server, clock, another } = setUp({ storage });
  await client.update();
  server.lists["mw-4b"]!.versions.push(["new.example/"]);
  server.change = (name, message) =>
    name === "mw-4b" ? { ...(message as Change), sha256Checksum: new Uint8Array(32) } : message;
  const { lists, nextUpdate } = await client.update();
  expect(lists[0]).toMatchObject({ size: 2, error: { code: "list-damaged", list: "mw-4b" } });
  expect(lists[1]).toMatchObject({ size: 1, error: null });
  expect(nextUpdate).toBe(clock.time + MINUTE);
  expect(client.status().lists[0]).toMatchObject({ size: 2, error: { code: "list-damaged" } });
  expect((await client.check("http://evil.example/")).matches).toHaveLength(0);
  expect(client.checkLocally("http://evil.example/").local).toBe("listed");
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  const asked = () =>
    server.requests
      .at(-1)!
      .searchParams.getAll("version")
      .map((token) => Buffer.from(token, "base64").toString());
  // A client that starts again asks for the whole list, too.
  const next = another();
  await next.load();
  expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
  await next.update();
  expect(asked()).toEqual(["se-4b:1"]);
  server.change = null;
  await client.update();
  expect(asked()).toEqual(["se-4b:1"]);
  expect(client.checkLocally("http://new.example/").local).toBe("listed");
  expect(client.status().lists[0]!.error).toBeNull();
});

test("a verified list without an update is used for its grace only", async () => {
  const { client, server, clock } = setUp({ grace: HOUR });
  await client.update();
  server.change = (_, message) => ({
    ...(message as Change),
    sha256Checksum: new Uint8Array(32),
    partialUpdate: false,
  });
  await client.update();
  clock.time += 89 * MINUTE;
  expect(client.checkLocally("http://good.example/").verdict).toBe("safe");
  clock.time += MINUTE;
  expect(client.checkLocally("http://good.example/").reason).toBe("outdated");
});

test("another client starts with the stored lists, and respects when to update", async () => {
  const storage = memoryStorage();
  const { client, server, clock, another } = setUp({ storage });
  await client.update();
  clock.time += 10 * MINUTE;
  const next = another();
  expect(await next.load()).toEqual({
    lists: [
      { name: "mw-4b", size: 2, error: null },
      { name: "se-4b", size: 1, error: null },
    ],
    storageError: null,
  });
  expect(server.requests).toHaveLength(1);
  expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
  next.start();
  await clock.pass(19 * MINUTE);
  expect(server.requests).toHaveLength(1);
  await clock.pass(2 * MINUTE);
  expect(server.requests).toHaveLength(2);
  await next.stop();
  const elsewhere = another({ server: "https://other.example" });
  expect((await elsewhere.load()).lists[0]).toMatchObject({ size: null, error: null });
});

test("every damaged byte of a stored list is noticed", { tags: "deep" }, async () => {
  const storage = memoryStorage();
  const { client, another } = setUp({ storage, lists: ["mw-4b"] });
  await client.update();
  const good = (await storage.get("list-mw-4b"))!;
  for (let at = 0; at < good.length; at++) {
    const bad = good.slice();
    bad[at]! ^= 1 << (at % 8);
    await storage.put("list-mw-4b", bad);
    const next = another();
    expect((await next.load()).lists[0]!.error?.code).toBe("list-damaged");
    expect(next.checkLocally("http://good.example/").reason).toBe("list-damaged");
    expect(await storage.get("list-mw-4b")).toBeNull();
  }
  for (const length of [0, 10, 40, good.length >> 1, good.length - 1]) {
    await storage.put("list-mw-4b", good.slice(0, length));
    expect((await another().load()).lists[0]!.error?.code).toBe("list-damaged");
  }
});

test("a storage that fails is reported, and the lists are used all the same", async () => {
  const fails = async () => {
    throw new Error("the disk is full");
  };
  const storage: ClientStorage = { get: fails, put: fails, delete: fails };
  const { client } = setUp({ storage });
  expect((await client.load()).storageError).toMatchObject({ code: "storage-failed" });
  expect((await client.update()).storageError?.message).toMatch(/the disk is full/);
  expect((await client.check("http://evil.example/")).verdict).toBe("unsafe");
  expect(client.status().storageError?.code).toBe("storage-failed");
});

test.each([
  ["EACCES: permission denied, open '/lists/it's, 1'", "/lists/it's, 1: permission denied"],
  ["ENOSPC: no space left on device, write", "no space left on device"],
  [
    "EXDEV: cross-device link not permitted, rename '/a' -> '/b'",
    "/a: cross-device link not permitted",
  ],
  ["The bucket, 'a', does not exist", "The bucket, 'a', does not exist"],
])("why a storage failed, in words: %s", async (message, words) => {
  const fails = () => Promise.reject(new Error(message));
  const { client } = setUp({ storage: { get: fails, put: fails, delete: fails } });
  const { storageError } = await client.load();
  expect(storageError?.message).toBe(`The storage failed to read the list se-4b: ${words}`);
});

test.each<[string, (message: Change) => unknown]>([
  ["another list", (message) => ({ ...message, name: "uws-4b" })],
])("an answer with %s is refused, and the lists stay", async (_, change) => {
  const { client, server } = setUp();
  await client.update();
  server.change = (_, message) => change(message);
  await expect(client.update()).rejects.toMatchObject({ code: "answer-wrong" });
  expect((await client.check("http://good.example/")).verdict).toBe("safe");
});

test("a list whose prefixes are not as long as its name says is refused", async () => {
  const { client, server } = setUp({ lists: ["own-8b"] });
  server.lists["own-8b"] = { versions: [["evil.example/"]] };
  server.change = (_, message) => {
    const { additionsEightBytes, ...rest } = message as { additionsEightBytes: object };
    const additionsFourBytes = { ...additionsEightBytes, firstValue: 1, riceParameter: 3 };
    return { ...rest, additionsEightBytes: null, additionsFourBytes };
  };
  expect((await client.update()).lists[0]!.error?.code).toBe("list-damaged");
});

test("any number of lists are kept, with requests that no server or proxy refuses", async () => {
  const lists = Array.from({ length: 234 }, (_, i) => `own${i}-4b`);
  const { client, server } = setUp({ lists });
  for (const name of lists) server.lists[name] = { versions: [[`${name}.example/`]] };
  for (const changed of [true, false]) {
    server.requests.length = 0;
    const updated = await client.update();
    expect(updated.lists).toMatchObject(lists.map((name) => ({ name, changed, size: 1 })));
    const names = server.requests.map(({ searchParams }) => searchParams.getAll("names"));
    expect(names.flat()).toEqual(lists);
    for (const some of names) expect(some.length).toBeLessThanOrEqual(100);
    for (const { href } of server.requests) expect(href.length).toBeLessThan(8000);
  }
});
