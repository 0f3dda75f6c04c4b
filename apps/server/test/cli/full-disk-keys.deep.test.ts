import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import type { Ran } from "@x/test-support/process-streams";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { diskFull } from "../../../../packages/list-store/test/support/failing-storage.ts";
import { temporaryFolder } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

const run = (command: string, ...args: string[]) =>
  runHere(folder.path, ...command.split(" "), "--store", "lists", ...args);
const read = (name: string) => readFileSync(join(folder.path, name), "utf8");
const names = () => readdirSync(folder.path).sort();

/** Makes a write to a file fail after half of its bytes, as on a full disk: the first write, or a later one. */
async function fillDiskAt(write: number): Promise<void> {
  const handle = await open(devNull, "r");
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFile } = prototype;
  let writes = 0;
  vi.spyOn(prototype, "writeFile").mockImplementation(async function (this: FileHandle, ...args) {
    writes++;
    if (writes !== write) return Reflect.apply(writeFile, this, args);
    const bytes = Buffer.from(args[0] as string | Uint8Array);
    await Reflect.apply(writeFile, this, [bytes.subarray(0, bytes.length / 2)]);
    throw diskFull("");
  });
}

/** Runs a command with a disk that is full at its first write, at its second write, and so on until it succeeds. */
async function untilItSucceeds(command: () => Promise<Ran>, check: (failed: Ran) => void) {
  for (let write = 1; ; write++) {
    await fillDiskAt(write);
    const ran = await command();
    vi.restoreAllMocks();
    if (ran.status === 0) return { failures: write - 1, ran };
    check(ran);
  }
}

test("init leaves nothing on a full disk, and can be repeated", async () => {
  const { failures } = await untilItSucceeds(
    () => run("init"),
    ({ status, stderr }) => {
      expect({ status, names: names() }).toEqual({ status: 2, names: [] });
      expect(stderr).toMatch(
        /(lists|urlhash-server)\.\w+ cannot be written, because the disk is full\n$/,
      );
    },
  );
  expect(failures).toBe(5);
  writeFileSync(join(folder.path, "urls.txt"), "http://evil.example/\n");
  expect(await run("publish", "malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
});

test("each step of rotate-key can be repeated when there is room", async () => {
  await run("init");
  writeFileSync(join(folder.path, "urls.txt"), "http://evil.example/\n");
  await run("publish", "malware=urls.txt");
  const old = read("lists.key");
  const keys = () => names().filter((name) => name.includes(".key"));
  const isWhole = () => {
    for (const name of keys()) expect(read(name)).toMatch(/^PRIVATE\+KEY\+\S+\n$/);
    expect(names().filter((name) => name.startsWith(".") || name.endsWith(".lock"))).toEqual([]);
  };
  for (const step of ["start", "switch", "finish"]) {
    const { failures } = await untilItSucceeds(() => run(`rotate-key ${step}`), isWhole);
    expect(failures).toBeGreaterThan(0);
    isWhole();
  }
  expect(keys()).toEqual(["lists.key"]);
  expect(read("lists.key")).not.toBe(old);
  writeFileSync(join(folder.path, "urls.txt"), "http://evil.example/\nhttp://bad.example/\n");
  expect(await run("publish", "malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
});
