import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { MEASURE_MEMORY, memoryOf } from "@x/test-support/memory";
import { firstOf } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const folder = temporaryFolder();
const listOf = (...entries: string[]): Uint8Array =>
  encodePrefixList(prefixList(entries.map(fullHash), { name: "l", prefixBytes: 8 }));
const LIST = folder.write("l.list", listOf("evil.example/"));

test.each(firstOf(1, [["1"], ["2"]]))(
  "bad lines of two bytes take no more memory when there are twice as many (%s workers)",
  async (workers) => {
    const memory: number[] = [];
    for (const lines of [250_000, 500_000]) {
      const file = folder.write("bad", ":\n".repeat(lines));
      const argv = ["check", "--list", LIST, "--file", file, "--workers", workers];
      const ended = await urlhash(argv, { nodeOptions: MEASURE_MEMORY });
      expect(ended.status).toBe(4);
      expect(ended.stderr.match(/: expected a host/g)).toHaveLength(lines);
      memory.push(memoryOf(ended.stderr));
    }
    expect(memory[1]! - memory[0]!).toBeLessThan(120);
  },
  120_000,
);

test("a line of 256 MiB is not kept, neither by one worker nor by two", async () => {
  const file = folder.path("long");
  const fd = openSync(file, "w");
  // A hole of zeros, which takes no room on the disk.
  ftruncateSync(fd, 2 ** 28);
  closeSync(fd);
  for (const workers of ["1", "2"]) {
    const argv = ["check", "--list", LIST, "--file", file, "--workers", workers];
    const ended = await urlhash(argv, { nodeOptions: MEASURE_MEMORY });
    expect(ended).toMatchObject({ status: 4, stdout: "" });
    expect(ended.stderr).toContain("is longer than 2097152 bytes");
    expect(memoryOf(ended.stderr)).toBeLessThan(220);
  }
});

test("--lists-from takes up changes while it runs, and keeps the old list when a new one is broken", async () => {
  const lists = folder.path("lists");
  mkdirSync(lists);
  const put = (name: string, bytes: Uint8Array): void => {
    renameSync(folder.write("new", bytes), `${lists}/${name}`);
  };
  put("a.list", listOf("evil.example/"));
  const child = spawn(process.execPath, [URLHASH, "check", "--tsv", "--lists-from", lists]);
  const rows = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = createInterface(child.stderr)[Symbol.asyncIterator]();
  const verdictOn = async (url: string): Promise<string | undefined> => {
    child.stdin.write(`${url}\n`);
    return (await rows.next()).value?.split("\t")[0];
  };
  expect(await verdictOn("http://evil.example/")).toBe("listed");
  expect(await verdictOn("http://bad.example/")).toBe("not-listed");

  put("b.list", listOf("bad.example/"));
  child.kill("SIGHUP");
  expect((await told.next()).value).toBe("urlhash: lists in use now: l (1), l (1)");
  expect(await verdictOn("http://bad.example/")).toBe("listed");

  put("b.list", new Uint8Array(100));
  child.kill("SIGHUP");
  expect((await told.next()).value).toMatch(/b\.list is not a valid list.*stays in use$/);
  expect(await verdictOn("http://bad.example/")).toBe("listed");

  rmSync(`${lists}/b.list`);
  let line: string;
  // The file may be gone just when it is read again. That is reported first.
  do line = (await told.next()).value!;
  while (line.endsWith("stays in use"));
  expect(line).toBe("urlhash: lists in use now: l (1)");
  expect(await verdictOn("http://bad.example/")).toBe("not-listed");
  child.stdin.end();
  expect((await once(child, "close"))[0]).toBe(1);
});
