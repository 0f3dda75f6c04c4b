import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSeen, rememberSeen } from "../../src/storage/seen-versions.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "server-seen-"));
  file = join(folder, "lists.seen");
});
afterEach(() => rmSync(folder, { recursive: true }));

const seen = (version: number) => ({ version, hash: version.toString(16).padStart(64, "0") });
const remember = (list: string, version: number) =>
  rememberSeen(file, new Map([[list, seen(version)]]));
const NAMES = Array.from({ length: 20 }, (_, i) => `list-${String(i).padStart(2, "0")}`);

describe("versions that are remembered at the same time", () => {
  test("of many lists are all there", async () => {
    await Promise.all(NAMES.map((name, i) => remember(name, i + 1)));
    expect([...(await readSeen(file))!]).toEqual(NAMES.map((name, i) => [name, seen(i + 1)]));
    expect(readdirSync(folder)).toEqual(["lists.seen"]);
  });

  test("of one list leave the highest", async () => {
    const order = NAMES.map((_, i) => ((i * 7) % NAMES.length) + 1);
    await Promise.all(order.map((version) => remember("malware", version)));
    expect([...(await readSeen(file))!]).toEqual([["malware", seen(NAMES.length)]]);
  });
});

test("a lower version changes nothing", async () => {
  await remember("malware", 5);
  await remember("malware", 4);
  expect((await readSeen(file))!.get("malware")).toEqual(seen(5));
});

test("while another process has the lock, its change is waited for", async () => {
  writeFileSync(`${file}.lock`, "");
  let isDone = false;
  const remembered = remember("malware", 5).then(() => {
    isDone = true;
  });
  // The other process writes a version of another list, and releases the lock.
  writeFileSync(file, JSON.stringify({ other: seen(9) }));
  expect(isDone).toBe(false);
  rmSync(`${file}.lock`);
  await remembered;
  expect([...(await readSeen(file))!.keys()]).toEqual(["malware", "other"]);
});

test("the lock of a process that was killed is removed", async () => {
  writeFileSync(`${file}.lock`, "half of");
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(`${file}.lock`, longAgo, longAgo);
  await remember("malware", 5);
  expect((await readSeen(file))!.get("malware")).toEqual(seen(5));
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test.each(["[]", '""', "0", "true", "null", "", "[{}]"])(
  "a file that contains %j does not count as nothing seen",
  async (text) => {
    writeFileSync(file, text);
    await expect(readSeen(file)).rejects.toMatchObject({ code: "damaged" });
  },
);

test("a damaged file is not overwritten, and stays unlocked", async () => {
  writeFileSync(file, "{");
  for (let i = 0; i < 2; i++) {
    await expect(remember("malware", 5)).rejects.toMatchObject({ code: "damaged" });
  }
  expect(readdirSync(folder)).toEqual(["lists.seen"]);
});

test("a list stays marked as private when a program without API keys saves its next version", async () => {
  await rememberSeen(file, new Map([["malware", { ...seen(5), private: true }]]));
  await remember("malware", 6);
  expect((await readSeen(file))!.get("malware")).toEqual({ ...seen(6), private: true });
  await rememberSeen(file, new Map([["malware", { ...seen(6), private: false }]]));
  expect((await readSeen(file))!.get("malware")).toEqual(seen(6));
});

test("a list stays retired when a server saves that it is private", async () => {
  const retired = { ...seen(5), retired: true } as const;
  await rememberSeen(file, new Map([["malware", retired]]));
  expect((await readSeen(file))!.get("malware")).toEqual(retired);
  await rememberSeen(file, new Map([["malware", { ...seen(5), private: true }]]));
  expect((await readSeen(file))!.get("malware")).toEqual({ ...retired, private: true });
});
