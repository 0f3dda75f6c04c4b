import { readdir, utimes } from "node:fs/promises";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { directoryStorage } from "../../src/node/index.ts";
import { CLIENT_STORAGE_CASES } from "../storage-cases.ts";

const folder = temporaryFolder();

describe("directory storage", () => {
  test.each(CLIENT_STORAGE_CASES)("$name", async ({ name, run }) => {
    await run(
      directoryStorage(
        folder.path(`cases ${CLIENT_STORAGE_CASES.findIndex((c) => c.name === name)}/deep`),
      ),
    );
  });
});

test("a reader in the middle of writes sees one whole value", async () => {
  const path = folder.path("busy");
  const writer = directoryStorage(path);
  const reader = directoryStorage(path);
  await writer.put("list", new Uint8Array(300_000));
  let isWriting = true;
  const reading = (async () => {
    let reads = 0;
    for (; isWriting || reads < 20; reads++) {
      const found = (await reader.get("list"))!;
      expect(found.length).toBe(300_000);
      expect(Buffer.compare(found, Buffer.alloc(300_000, found[0]))).toBe(0);
    }
  })();
  for (let value = 1; value <= 20; value++)
    await writer.put("list", new Uint8Array(300_000).fill(value));
  isWriting = false;
  await reading;
  expect(await readdir(path)).toEqual([".unfinished", "list"]);
  expect(await readdir(`${path}/.unfinished`)).toEqual([]);
});

test("readers learn what another process replaced or deleted", async () => {
  const path = folder.path("watched");
  const writer = directoryStorage(path);
  await writer.put("kept", Uint8Array.of(1));
  await writer.put("replaced", Uint8Array.of(1));
  await writer.put("deleted", Uint8Array.of(1));
  const changed = new Set<string>();
  const stop = directoryStorage(path).watch((name) => changed.add(name));
  // The first look only remembers the files that are there, so a file has to change afterwards.
  let value = 0;
  await expect
    .poll(async () => {
      await writer.put("replaced", Uint8Array.of(++value));
      return changed.has("replaced");
    })
    .toBe(true);
  await writer.delete("deleted");
  await writer.put("new", Uint8Array.of(1));
  await expect.poll(() => [...changed].sort()).toEqual(["deleted", "new", "replaced"]);
  stop();
  changed.clear();
  await writer.put("later", Uint8Array.of(1));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect([...changed]).toEqual([]);
});

test("what a killed writer left is deleted by the next one, but not what another writer is writing", async () => {
  const path = folder.path("killed");
  const storage = directoryStorage(path);
  await storage.put("a", Uint8Array.of(1));
  const old = folder.write("killed/.unfinished/0f", "half");
  folder.write("killed/.unfinished/1f", "half");
  folder.write("killed/.keep", "");
  await utimes(old, 1, 1);
  await storage.put("a", Uint8Array.of(2));
  expect((await readdir(path)).sort()).toEqual([".keep", ".unfinished", "a"]);
  expect(await readdir(`${path}/.unfinished`)).toEqual(["1f"]);
});

test("an error of the file system names the file", async () => {
  const path = folder.write("file", "");
  await expect(directoryStorage(path).put("a", Uint8Array.of(1))).rejects.toMatchObject({
    code: "ENOTDIR",
    path: expect.stringContaining(path),
  });
  await expect(directoryStorage(path).get("a")).rejects.toMatchObject({ code: "ENOTDIR" });
});
