import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { markPublisher, removeMark } from "../src/publishing/publisher-mark.ts";
import { readSeen } from "../../../apps/server/src/storage/seen-versions.ts";
import { directoryStorage } from "../../../apps/server/src/storage/directory-storage.ts";
import { memoryStorage } from "../src/storage/memory-storage.ts";
import type { Storage } from "../src/storage/storage.ts";

const workshop = mkdtempSync(join(tmpdir(), "storage-"));
const sockets: Server[] = [];
afterAll(() => {
  for (const socket of sockets) socket.close();
  rmSync(workshop, { recursive: true, force: true });
});

const listen = (path: string, onReady: () => void) => createServer().listen(path, onReady);

const newDirectory = () => mkdtempSync(join(workshop, "store-"));
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) => found && new TextDecoder().decode(found);

const STORAGES: Readonly<Record<string, () => Storage>> = {
  "memory storage": () => memoryStorage(),
  "directory storage": () => directoryStorage(newDirectory()),
};

// Every storage must pass all of these.
describe.each(Object.entries(STORAGES))("%s", (_, newStorage) => {
  test("gives back what was created", async () => {
    const storage = newStorage();
    expect(await storage.get("a/b/c")).toBeNull();
    expect(await storage.create("a/b/c", bytes("one"))).toBe(true);
    expect(text(await storage.get("a/b/c"))).toBe("one");
    expect(await storage.get("a/b")).toBeNull();
    expect(await storage.get("a/b/c/d")).toBeNull();
  });

  test("never creates a key twice", async () => {
    const storage = newStorage();
    expect(await storage.create("key", bytes("one"))).toBe(true);
    expect(await storage.create("key", bytes("two"))).toBe(false);
    expect(text(await storage.get("key"))).toBe("one");
    await removeMark(storage, (await markPublisher(storage)).name);
    expect(await storage.list("tmp/")).toEqual([]);
  });

  test("lets exactly one of many writers create a key", async () => {
    const storage = newStorage();
    const writers = Array.from({ length: 16 }, (_, i) => `writer ${i}`);
    const won = await Promise.all(writers.map((each) => storage.create("v/1", bytes(each))));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(text(await storage.get("v/1"))).toBe(writers[won.indexOf(true)]);
  });

  test("puts over what exists, and makes it younger", async () => {
    const storage = newStorage();
    await storage.create("head", bytes("1"));
    const [before] = await storage.list("");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await storage.put("head", bytes("2"));
    const after = (await storage.list("")).find(({ name }) => name === "head");
    expect(text(await storage.get("head"))).toBe("2");
    expect(after!.modified!).toBeGreaterThan(before!.modified!);
  });

  test("lists what is directly in a folder", async () => {
    const storage = newStorage();
    for (const key of ["lists/b/head", "lists/a/v/2", "lists/a/v/1", "lists/x"]) {
      await storage.create(key, bytes(key));
    }
    const names = async (folder: string) => (await storage.list(folder)).map(({ name }) => name);
    expect(await names("lists/")).toEqual(["a/", "b/", "x"]);
    expect(await names("lists/a/v/")).toEqual(["1", "2"]);
    expect(await names("nothing/")).toEqual([]);
    const [folder, , key] = await storage.list("lists/");
    expect(folder!.modified).toBeNull();
    expect(Math.abs(key!.modified! - Date.now())).toBeLessThan(60_000);
  });

  test("deletes, also what is not there", async () => {
    const storage = newStorage();
    await storage.create("a/b", bytes("one"));
    await storage.delete("a/b");
    await storage.delete("a/b");
    expect(await storage.get("a/b")).toBeNull();
    expect(await storage.create("a/b", bytes("two"))).toBe(true);
  });

  test("keeps its bytes apart from the caller's", async () => {
    const storage = newStorage();
    const mine = bytes("one");
    await storage.create("key", mine);
    mine.fill(0);
    (await storage.get("key"))!.fill(0);
    expect(text(await storage.get("key"))).toBe("one");
  });

  test("holds empty values", async () => {
    const storage = newStorage();
    await storage.create("key", bytes(""));
    expect(await storage.get("key")).toHaveLength(0);
  });

  test.each(["", "/", "a/", "/a", "a//b", "../a", "a/../b", "a/.", "A", "a b", "a\\b", "a\0"])(
    "refuses the key %j",
    async (key) => {
      const storage = newStorage();
      await expect(storage.get(key)).rejects.toThrow(RangeError);
      await expect(storage.create(key, bytes(""))).rejects.toThrow(RangeError);
      await expect(storage.put(key, bytes(""))).rejects.toThrow(RangeError);
      await expect(storage.delete(key)).rejects.toThrow(RangeError);
    },
  );

  test.each(["a", "/", "../", "a/../"])("refuses the folder %j", async (folder) => {
    await expect(newStorage().list(folder)).rejects.toThrow(RangeError);
  });
});

describe("directory storage", () => {
  test.skipIf(process.platform === "win32")("lists a link as what it points to", async () => {
    const directory = newDirectory();
    const elsewhere = newDirectory();
    const storage = directoryStorage(directory);
    await directoryStorage(elsewhere).create("v/1", bytes("one"));
    await storage.create("a/file", bytes("two"));
    symlinkSync(join(elsewhere, "v"), join(directory, "a", "folder"));
    symlinkSync(join(elsewhere, "v", "1"), join(directory, "a", "linked"));
    const names = (await storage.list("a/")).map(({ name }) => name);
    expect(names).toEqual(["file", "folder/", "linked"]);
    expect((await storage.list("a/folder/")).map(({ name }) => name)).toEqual(["1"]);
    symlinkSync(join(elsewhere, "gone"), join(directory, "a", "nowhere"));
    await expect(storage.list("a/")).rejects.toMatchObject({ code: "damaged" });
  });

  test("does not read a file that is far too long", async () => {
    const directory = newDirectory();
    const storage = directoryStorage(directory);
    await storage.create("lists/malware/v/000000000001", bytes("one"));
    const path = join(directory, "lists", "malware", "v", "000000000001");
    truncateSync(path, 2 ** 20);
    expect(await storage.get("lists/malware/v/000000000001")).toHaveLength(2 ** 20);
    truncateSync(path, 2 ** 20 + 1);
    await expect(storage.get("lists/malware/v/000000000001")).rejects.toMatchObject({
      code: "damaged",
    });
  });

  test("leaves nothing unfinished behind", async () => {
    const directory = newDirectory();
    const storage = directoryStorage(directory);
    await storage.create("a", bytes("one"));
    await storage.create("a", bytes("two"));
    await storage.put("a", bytes("three"));
    expect(readdirSync(join(directory, "tmp"))).toEqual([]);
  });

  test("shows what a killed writer left", async () => {
    const directory = newDirectory();
    mkdirSync(join(directory, "tmp"));
    writeFileSync(join(directory, "tmp", "left-behind"), "half");
    const [left] = await directoryStorage(directory).list("tmp/");
    expect(left!.name).toBe("left-behind");
  });

  // Windows lets only administrators make links.
});

test("a storage that replaces keys is refused", async () => {
  const storage = memoryStorage();
  const careless: Storage = {
    ...storage,
    async create(key, value) {
      await storage.put(key, value);
      return true;
    },
  };
  await expect(markPublisher(careless)).rejects.toMatchObject({ code: "not-create-only" });
});

// Windows has no such files.
describe.skipIf(process.platform === "win32")("a file that is not a regular file", () => {
  const mkfifo = (path: string) => execFileSync("mkfifo", [path]);
  function linkToPipe(path: string): void {
    mkfifo(`${path}-pipe`);
    symlinkSync(`${path}-pipe`, path);
  }

  test.each<[what: string, make: (path: string) => unknown]>([
    ["a pipe", mkfifo],
    ["a link to a pipe", linkToPipe],
    ["a device", (path) => symlinkSync("/dev/zero", path)],
    ["a socket", (path) => new Promise<void>((resolve) => sockets.push(listen(path, resolve)))],
  ])("%s is an error, and not waited for", async (_, make) => {
    const directory = newDirectory();
    mkdirSync(join(directory, "lists"));
    await make(join(directory, "lists", "head"));
    await expect(directoryStorage(directory).get("lists/head")).rejects.toMatchObject({
      code: "damaged",
      message: "The file lists/head of the store is not a regular file",
    });
    await make(join(directory, "seen"));
    await expect(readSeen(join(directory, "seen"))).rejects.toMatchObject({ code: "damaged" });
  });
});
