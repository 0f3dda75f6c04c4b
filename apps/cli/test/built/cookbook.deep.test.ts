import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, beforeAll, expect, test } from "vitest";

const COOKBOOK = new URL("../../../../docs/cookbook.md", import.meta.url);
/** A folder beside the command, in which programs can import the dependencies of the command. */
const folder = mkdtempSync(fileURLToPath(new URL("../../dist/cookbook-", import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);
const listOf = (...entries: string[]): Uint8Array =>
  encodePrefixList(prefixList(entries.map(fullHash), { prefixBytes: 8 }));

beforeAll(() => {
  const programs = readFileSync(COOKBOOK, "utf8").matchAll(
    /^```js\n\/\/ ([a-z-]+\.js)\n(.*?)^```$/gms,
  );
  for (const [, name, code] of programs) writeFileSync(path(name!), code!);
  writeFileSync(path("l.list"), listOf("evil.example/"));
});

test("a new list is taken up without a pause, and a damaged one is not", async () => {
  const child = spawn(process.execPath, [path("check-urls.js"), path("l.list")]);
  const verdicts = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = createInterface(child.stderr)[Symbol.asyncIterator]();
  const verdictOn = async (url: string): Promise<string | undefined> => {
    child.stdin.write(`${url}\n`);
    return (await verdicts.next()).value;
  };
  const replace = (bytes: Uint8Array): void => {
    writeFileSync(path("new"), bytes);
    renameSync(path("new"), path("l.list"));
  };
  expect(await verdictOn("http://evil.example/")).toBe("listed");
  expect(await verdictOn("http://bad.example/")).toBe("not listed");
  expect(await verdictOn("mailto:x")).toBe("authority-missing");
  replace(listOf("evil.example/", "bad.example/"));
  expect((await told.next()).value).toBe("a new list is in use");
  expect(await verdictOn("http://bad.example/")).toBe("listed");
  replace(new Uint8Array(100));
  expect((await told.next()).value).toMatch(/^the old list stays in use: /);
  expect(await verdictOn("http://bad.example/")).toBe("listed");
  child.stdin.end();
  expect((await once(child, "close"))[0]).toBe(0);
});
