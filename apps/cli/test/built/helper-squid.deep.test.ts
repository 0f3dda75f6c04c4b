import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync } from "node:fs";
import { createInterface } from "node:readline";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, expect, test } from "vitest";
import { URLHASH } from "./program.ts";

const folder = temporaryFolder();
const listOf = (...entries: string[]): Uint8Array =>
  encodePrefixList(prefixList(entries.map(fullHash), { name: "l", prefixBytes: 8 }));
const LIST = folder.write("l.list", listOf("evil.example/"));

let child: ChildProcessWithoutNullStreams | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

function started(...argv: string[]) {
  child = spawn(process.execPath, [URLHASH, "helper", "squid", ...argv]);
  const { stdin, stdout, stderr } = child;
  const answers = createInterface(stdout)[Symbol.asyncIterator]();
  const told = createInterface(stderr)[Symbol.asyncIterator]();
  return {
    child,
    answerTo: async (line: string): Promise<string> => {
      stdin.write(`${line}\n`);
      return (await answers.next()).value!;
    },
    told: async (): Promise<string> => (await told.next()).value!,
  };
}

/** Replaces a file atomically, as publishers do. */
function put(path: string, content: Uint8Array): void {
  renameSync(folder.write("new", content), path);
}

test("answers while stdin is open, takes up changes of --list, and keeps what was before a damaged file", async () => {
  const path = folder.path("changing.list");
  put(path, listOf("evil.example/"));
  const { child, answerTo, told } = started("--list", path);
  expect(await told()).toBe("urlhash: lists in use: l (1)");
  expect(await answerTo("1 http://evil.example/ -")).toMatch(/^1 OK tag=listed /);
  expect(await answerTo("2 http://bad.example/ -")).toBe("2 ERR");

  put(path, listOf("bad.example/"));
  child.kill("SIGHUP");
  expect(await told()).toBe("urlhash: lists in use now: l (1)");
  expect(await answerTo("3 http://evil.example/ -")).toBe("3 ERR");
  expect(await answerTo("4 http://bad.example/ -")).toMatch(/^4 OK tag=listed /);

  put(path, new Uint8Array(100));
  expect(await told()).toMatch(/changing\.list is not a list.*stays in use$/);
  expect(await answerTo("5 http://bad.example/ -")).toMatch(/^5 OK tag=listed /);

  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

test("waits for lists that cannot be read, and for those in a folder", async () => {
  const lists = folder.path("lists");
  const { child, answerTo, told } = started("--lists-from", lists);
  expect(await told()).toMatch(/: no such file or directory: no URLs are checked in the meantime$/);
  expect(await answerTo("1 http://good.example/ -")).toMatch(/^1 BH /);
  mkdirSync(lists);
  expect(await told()).toMatch(
    /: there is no \.list file in .*: no URLs are checked in the meantime$/,
  );
  expect(await answerTo("2 http://good.example/ -")).toMatch(/^2 BH /);

  put(`${lists}/a.list`, listOf("evil.example/"));
  expect(await told()).toBe("urlhash: lists in use: l (1)");
  expect(await answerTo("3 http://good.example/ -")).toBe("3 ERR");

  put(`${lists}/b.list`, listOf("good.example/"));
  expect(await told()).toBe("urlhash: lists in use now: l (1), l (1)");
  expect(await answerTo("4 http://good.example/ -")).toMatch(/^4 OK tag=listed /);
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

test("takes up changes of safe lists", async () => {
  const path = folder.path("safe.list");
  put(path, listOf("ok.evil.example/"));
  const { answerTo, told } = started("--list", LIST, "--safe-list", path);
  await told();
  expect(await answerTo("http://ok.evil.example/ -")).toBe("ERR");
  put(path, listOf("other.example/"));
  expect(await told()).toBe("urlhash: lists in use now: l (1)");
  expect(await answerTo("http://ok.evil.example/ -")).toMatch(/^OK tag=listed /);
});

test("SIGTERM ends it when what has come is answered", async () => {
  const { child, answerTo } = started("--list", LIST);
  expect(await answerTo("1 http://good.example/ -")).toBe("1 ERR");
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
});

test("a closed pipe ends it quietly, also while stdin is open", async () => {
  const { child, answerTo, told } = started("--list", LIST);
  expect(await answerTo("1 http://good.example/ -")).toBe("1 ERR");
  await told();
  child.stdout.destroy();
  child.stdin.write("2 http://good.example/ -\n");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await told()).toBeUndefined();
});
