import { memoryStorage } from "@x/client";
import { encodePrefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { afterEach, expect, test, vi } from "vitest";
import { setUp } from "./support/set-up.ts";

const STORED = "list-mw-4b";
const lists = ["mw-4b"];
const utf8 = (text: string) => new TextEncoder().encode(text);

afterEach(() => vi.unstubAllGlobals());

test("a stored list is searched in the bytes of the storage", async () => {
  const storage = memoryStorage();
  const { client, another } = setUp({ storage, lists });
  await client.update();
  const bytes = (await storage.get(STORED))!;
  for (let by = 0; by < 8; by++) {
    const memory = new Uint8Array(bytes.length + by);
    memory.set(bytes, by);
    const given = memory.subarray(by);
    const get = async (name: string) => (name === STORED ? given : storage.get(name));
    const next = another({ storage: { ...storage, get } });
    await next.load();
    const list = next.list("mw-4b")!;
    expect(list).toEqual(client.list("mw-4b"));
    // If numbers cannot be read in place, only the numbers are copied.
    expect(list.tables[0]!.words.buffer === memory.buffer).toBe(by % 4 === 0);
    expect(next.checkLocally("http://evil.example/").local).toBe("listed");
    expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
  }
});

test("no verdict depends on a stored list until all of it is verified", async () => {
  const storage = memoryStorage();
  const { client, another } = setUp({ storage, lists });
  await client.update();
  const { subtle } = globalThis.crypto;
  let verify = () => {};
  const allowed = new Promise<void>((resolve) => {
    verify = resolve;
  });
  let hashed = 0;
  const digest = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    hashed = bytes.length;
    await allowed;
    return subtle.digest(name, bytes);
  };
  vi.stubGlobal("crypto", { subtle: { digest } });
  const next = another();
  const loading = next.load();
  await vi.waitFor(() => expect(hashed).toBeGreaterThan(0));
  expect(next.checkLocally("http://good.example/").reason).toBe("not-loaded");
  expect(next.list("mw-4b")).toBeNull();
  verify();
  await loading;
  expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
});

test("a list that was stored in the form before is thrown away and fetched again", async () => {
  const storage = memoryStorage();
  const { client, server, another } = setUp({ storage, lists });
  await client.update();
  const list = client.list("mw-4b")!;
  const file = encodePrefixList(list);
  const header = utf8(
    JSON.stringify({
      ...{ protocol: "v5", server: "https://lists.example/", name: "mw-4b", token: "00" },
      ...{ checksum: list.checksum, checkedAt: Date.now(), fileHash: toHex(fullHash(file)) },
    }),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, header.length);
  const parts = [utf8("x-client-list-1\n"), length, header, fullHash(header), file];
  await storage.put(STORED, Uint8Array.from(parts.flatMap((part) => [...part])));
  const next = another();
  expect((await next.load()).lists[0]!.error?.code).toBe("list-damaged");
  expect(next.checkLocally("http://good.example/").reason).toBe("list-damaged");
  expect(await storage.get(STORED)).toBeNull();
  const before = server.requests.length;
  await next.update();
  expect(server.requests).toHaveLength(before + 1);
  expect(next.checkLocally("http://good.example/").verdict).toBe("safe");
  expect((await another().load()).lists[0]).toMatchObject({ size: 2, error: null });
});
