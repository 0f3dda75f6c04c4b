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
import { directoryStorage, readRegularFile } from "@x/list-store/node";
import { STORAGE_CASES } from "@x/test-support/storage-cases";
import { afterAll, describe, expect, test } from "vitest";

const workshop = mkdtempSync(join(tmpdir(), "storage-"));
const sockets: Server[] = [];
afterAll(() => {
  for (const socket of sockets) socket.close();
  rmSync(workshop, { recursive: true, force: true });
});

const listen = (path: string, onReady: () => void) => createServer().listen(path, onReady);

const newDirectory = () => mkdtempSync(join(workshop, "store-"));
const bytes = (text: string) => new TextEncoder().encode(text);

describe("directory storage", () => {
  test.each(STORAGE_CASES)("$name", { tags: "deep" }, ({ run }) =>
    run(() => directoryStorage(newDirectory())),
  );
});

describe("a directory", () => {
  test("is named when it cannot be written, instead of a file that only the storage knows", async () => {
    const path = join(newDirectory(), "a-file");
    writeFileSync(path, "");
    for (const key of ["tmp/publisher-1", "lists/malware/v/000000000001"]) {
      const error = { code: "ENOTDIR", path };
      await expect(directoryStorage(path).create(key, bytes("one"))).rejects.toMatchObject(error);
    }
  });

  test("that is missing is made by the first write, unless it must be there", async () => {
    const path = join(newDirectory(), "a", "b");
    const fixed = directoryStorage(path, { makesDirectory: false });
    for (const key of ["tmp/publisher-1", "lists/malware/v/000000000001", "top"]) {
      const error = { code: "ENOENT", path };
      await expect(fixed.create(key, bytes("one"))).rejects.toMatchObject(error);
      await expect(fixed.put(key, bytes("one"))).rejects.toMatchObject(error);
    }
    expect(readdirSync(join(path, "..", ".."))).toEqual([]);
    await directoryStorage(path).put("top", bytes("one"));
    expect(await fixed.create("lists/malware/v/000000000001", bytes("two"))).toBe(true);
    expect(await fixed.get("lists/malware/v/000000000001")).toEqual(bytes("two"));
  });

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

  test("names a file that cannot be written, and leaves nothing behind", async () => {
    const directory = newDirectory();
    const storage = directoryStorage(directory);
    await storage.create("a/file", bytes("one"));
    mkdirSync(join(directory, "a", "folder"));
    await expect(storage.put("a/folder", bytes("two"))).rejects.toMatchObject({
      path: join(directory, "a", "folder"),
    });
    expect(readdirSync(join(directory, "tmp"))).toEqual([]);
  });

  test("may keep unfinished files elsewhere, and have longer files", async () => {
    const directory = newDirectory();
    const storage = directoryStorage(directory, {
      unfinished: ".new/",
      longest: () => 2 ** 21,
    });
    await storage.put("tmp", new Uint8Array(2 ** 21));
    expect(readdirSync(directory).sort()).toEqual([".new", "tmp"]);
    expect(await storage.get("tmp")).toHaveLength(2 ** 21);
    await storage.put("tmp", new Uint8Array(2 ** 21 + 1));
    await expect(storage.get("tmp")).rejects.toMatchObject({ code: "damaged" });
  });
});

// Windows has no pipes or sockets in folders.
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
    await expect(readRegularFile(join(directory, "seen"), "It")).rejects.toMatchObject({
      code: "damaged",
      message: "It is not a regular file",
    });
  });
});
