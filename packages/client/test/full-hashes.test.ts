import { memoryStorage } from "@x/client";
import { fullHash, toHex } from "@x/sha256-prefix";
import { expect, test } from "vitest";
import { prefixesOf } from "./support/fake-server.ts";
import { KEY, MINUTE, setUp } from "./support/set-up.ts";

const prefixOf = (text: string) => fullHash(text).slice(0, 4);
const hexesOf = ({ hashes }: { hashes: readonly { hash: Uint8Array }[] }) =>
  hashes.map(({ hash }) => toHex(hash));

test("full hashes are found by their prefixes, of the list that was asked about", async () => {
  const { client, clock, server } = setUp();
  await client.update();
  const evil = prefixOf("evil.example/");
  expect(client.knownFullHashes("mw-4b", evil)).toBe(null);
  const [found, none, other] = await client.findFullHashes("mw-4b", [
    evil,
    prefixOf("good.example/"),
    fullHash("phish.example/"),
  ]);
  expect(hexesOf(found!)).toEqual([toHex(fullHash("evil.example/"))]);
  expect(found!.expires).toBe(clock.time + 5 * MINUTE);
  expect(none).toEqual({ hashes: [], expires: clock.time + 5 * MINUTE });
  expect(other!.hashes).toEqual([]);
  expect(hexesOf(client.knownFullHashes("se-4b", prefixOf("phish.example/"))!)).toHaveLength(1);
  // The client requests the list, and makes one search with nothing but prefixes.
  expect(server.requests).toHaveLength(2);
  expect(prefixesOf(server.requests[1]!).every((prefix) => prefix.length === 8)).toBe(true);
});

test("an answer is used for as long as the server says, and one that may not be kept is still an answer", async () => {
  const { client, clock, server } = setUp();
  await client.update();
  const evil = prefixOf("evil.example/");
  await client.findFullHashes("mw-4b", [evil]);
  await client.findFullHashes("mw-4b", [evil]);
  expect(server.requests).toHaveLength(2);
  clock.time += 5 * MINUTE;
  expect(client.knownFullHashes("mw-4b", evil)).toBe(null);
  server.cache = 0;
  const [found] = await client.findFullHashes("mw-4b", [evil]);
  expect(hexesOf(found!)).toHaveLength(1);
  expect(found!.expires).toBe(clock.time);
  expect(client.knownFullHashes("mw-4b", evil)).toBe(null);
});

test("without an answer, nothing is found, not even nothing", async () => {
  const { client, server } = setUp();
  await client.update();
  server.instead = () => new Response(null, { status: 503 });
  const asked = client.findFullHashes("mw-4b", [prefixOf("evil.example/")]);
  await expect(asked).rejects.toMatchObject({ code: "server-unreachable" });
  await expect(client.findFullHashes("mw-4b", [new Uint8Array(3)])).rejects.toThrow(RangeError);
  expect(() => client.knownFullHashes("mw-4b", "a" as never)).toThrow(TypeError);
});

test("threats that only count in frames are marked", async () => {
  const { client, server } = setUp();
  const list = server.lists["mw-4b"]!;
  server.lists["mw-4b"] = {
    ...list,
    details: [{ threatType: "MALWARE", attributes: ["FRAME_ONLY"] }],
  };
  const [found] = await client.findFullHashes("mw-4b", [prefixOf("evil.example/")]);
  expect(found!.hashes).toMatchObject([{ isForFrames: true }]);
});

test("a list can be read, and says until when it is used", async () => {
  const { client, clock } = setUp({ grace: 10 * MINUTE });
  expect(client.list("mw-4b")).toBe(null);
  expect(client.status().lists[0]!.until).toBe(null);
  await client.update();
  expect(client.list("mw-4b")).toMatchObject({ name: "mw-4b", size: 2 });
  expect(client.list("other")).toBe(null);
  // The server asks the client to wait half an hour.
  expect(client.status().lists[0]!.until).toBe(clock.time + 40 * MINUTE);
});

test("a refused version is remembered after a restart and by followers", async () => {
  const stored = memoryStorage();
  const { client, server, another } = setUp({
    storage: stored,
    updates: { onNewList: ({ list }) => list.size > 1 || list.name !== "mw-4b" },
  });
  await client.update();
  const entries = server.lists["mw-4b"]!;
  entries.versions.push(["evil.example/"]);
  await client.update();
  const gone = `http://${entries.versions[0]![1]}`;
  const next = another();
  const storage = { ...stored, watch: () => () => {} };
  const follower = another({ storage, updates: "follow" });
  for (const each of [next, follower]) {
    await each.load();
    const error = { code: "update-refused", list: "mw-4b" };
    expect(await each.check(gone)).toMatchObject({ verdict: "unsure", error });
  }
});

test("a new version that onNewList refuses is not kept, and asked for again later", async () => {
  const seen: (readonly [string, number | null, number])[] = [];
  let refuses: (() => unknown) | null = null;
  const { client, server } = setUp({
    updates: {
      onNewList({ name, before, list }) {
        seen.push([name, before?.size ?? null, list.size]);
        return name === "mw-4b" ? refuses?.() : true;
      },
    },
  });
  await client.update();
  expect(seen).toEqual([
    ["mw-4b", null, 2],
    ["se-4b", null, 1],
  ]);
  server.lists["mw-4b"]!.versions.push(["evil.example/"]);
  server.lists["se-4b"]!.versions.push(["phish.example/", "more.example/"]);
  for (const refuse of [
    () => false,
    () => {
      throw new Error("too short");
    },
    () => Promise.reject(new Error("too short")),
  ]) {
    refuses = refuse;
    const { lists } = await client.update();
    expect(lists[0]).toMatchObject({
      changed: false,
      size: 2,
      error: { code: "update-refused", list: "mw-4b" },
    });
    expect(lists[1]!.error).toBe(null);
    expect(client.list("mw-4b")!.size).toBe(2);
    expect(client.list("se-4b")!.size).toBe(2);
  }
  expect(client.status().lastError!.message).toBe(
    "The new version of the list mw-4b was refused: too short",
  );
  expect(client.status().lastError!.message).not.toContain(KEY);
  // The server finds what is in its own version only.
  const [kept, gone] = server.lists["mw-4b"]!.versions[0]!;
  expect((await client.check(`http://${kept}`)).verdict).toBe("unsafe");
  expect(await client.check(`http://${gone}`)).toMatchObject({
    verdict: "unsure",
    reason: "server-unreachable",
    matches: [{ list: "mw-4b", expression: gone }],
    error: { code: "update-refused" },
  });
  expect(await client.findFullHashes("mw-4b", [prefixOf(kept!)])).toMatchObject([{ hashes: [{}] }]);
  expect(client.knownFullHashes("mw-4b", prefixOf(kept!))!.hashes).toHaveLength(1);
  await expect(client.findFullHashes("mw-4b", [prefixOf(gone!)])).rejects.toMatchObject({
    code: "update-refused",
  });
  expect(client.knownFullHashes("mw-4b", prefixOf(gone!))).toBe(null);
  refuses = null;
  const { lists } = await client.update();
  expect(lists[0]).toMatchObject({ changed: true, removed: 1, size: 1, error: null });
  expect(client.status().failures).toBe(0);
});
