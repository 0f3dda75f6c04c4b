import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { verdictIn } from "../verdicts.ts";
import { URLHASH } from "./program.ts";

const folder = temporaryFolder();
const listOf = (...entries: string[]): Uint8Array =>
  encodePrefixList(prefixList(entries.map(fullHash), { name: "l", prefixBytes: 8 }));

test("--lists-from takes up changes while it runs, and keeps the old list when a new one is broken", async () => {
  const lists = folder.path("lists");
  mkdirSync(lists);
  const put = (name: string, bytes: Uint8Array): void => {
    renameSync(folder.write("new", bytes), `${lists}/${name}`);
  };
  put("a.list", listOf("evil.example/"));
  const child = spawn(process.execPath, [URLHASH, "check", "--ndjson", "--lists-from", lists]);
  const rows = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = createInterface(child.stderr)[Symbol.asyncIterator]();
  const verdictOn = async (url: string): Promise<string> => {
    child.stdin.write(`${url}\n`);
    return verdictIn(JSON.parse((await rows.next()).value!));
  };
  expect(await verdictOn("http://evil.example/")).toBe("listed");
  expect(await verdictOn("http://bad.example/")).toBe("not-listed");

  put("b.list", listOf("bad.example/"));
  child.kill("SIGHUP");
  expect((await told.next()).value).toBe("urlhash: lists in use now: l (1), l (1)");
  expect(await verdictOn("http://bad.example/")).toBe("listed");

  put("b.list", new Uint8Array(100));
  child.kill("SIGHUP");
  expect((await told.next()).value).toMatch(/b\.list is not a list.*stays in use$/);
  expect(await verdictOn("http://bad.example/")).toBe("listed");

  rmSync(`${lists}/b.list`);
  let line: string;
  // If the file is removed while it is read again, an error about the file is reported first.
  do line = (await told.next()).value!;
  while (line.endsWith("stays in use"));
  expect(line).toBe("urlhash: lists in use now: l (1)");
  expect(await verdictOn("http://bad.example/")).toBe("not-listed");
  child.stdin.end();
  expect((await once(child, "close"))[0]).toBe(1);
});
