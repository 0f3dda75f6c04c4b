import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { firstOf } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const folder = temporaryFolder();
const MEGABYTE = 1e6;

async function buildList(): Promise<string> {
  const list = folder.path("test.list");
  const entries = [Buffer.from("evil.example\nb.example/x/\n")];
  expect((await urlhash(["list", "build", "-o", list], { stdin: entries })).status).toBe(0);
  return list;
}

/** The number of built modules that a run loads. */
function modulesOf(...argv: string[]): number {
  const coverage = folder.path(argv.join(""));
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  expect(spawnSync(process.execPath, [URLHASH, ...argv], { env }).status).toBe(0);
  return readdirSync(coverage)
    .flatMap((name) => JSON.parse(readFileSync(join(coverage, name), "utf8")).result)
    .filter(({ url }) => url.includes("/cli/dist/")).length;
}

test("the version needs no command, and a command none of the others", () => {
  expect(modulesOf("--version")).toBeLessThan(8);
  expect(modulesOf("canon", "example.com")).toBeLessThan(12);
  expect(modulesOf("--help")).toBeGreaterThan(30);
});

test("sql finds DuckDB", async () => {
  const ran = await urlhash(["sql", "SELECT url_host('http://EVIL.example/') AS host"]);
  expect(ran).toMatchObject({ status: 0, stdout: "host\nevil.example\n", stderr: "" });
});

/** Some lines, repeated endlessly. */
function* endless(text: string): Generator<Uint8Array> {
  const piece = Buffer.from(text.repeat(1000));
  for (;;) yield piece;
}

test.each([
  [["hash"], 0],
  [["hash", "--json"], 0],
  [["explain"], 0],
])("%j: a closed pipe ends it quietly", async (argv, status) => {
  const ended = await urlhash(argv, { stdin: endless("http://a.b/\n"), closeAfter: 1 });
  expect(ended).toMatchObject({ status, stderr: "" });
});

test("results come while stdin is still open", async () => {
  const child = spawn(process.execPath, [URLHASH, "hash"]);
  child.stdin.write("http://a.b/\n");
  const [first] = await once(child.stdout, "data");
  expect(String(first)).toMatch(/^http:\/\/a\.b\/\n {2}[0-9a-f]{8} {2}a\.b\/\n$/);
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
});

test("workers give the same bytes as one thread, in the order of the file", async () => {
  const list = await buildList();
  const lines = Array.from({ length: 15_000 }, (_, i) => {
    if (i % 3001 === 0) return "mailto:x";
    if (i % 2003 === 0) return "";
    const host = i % 1000 === 0 ? "evil.example" : `h${i}.example`;
    return `http://${host}/?${createHash("sha512").update(`${i}`).digest("hex")}`;
  });
  const file = folder.write("urls", `\ufeff${lines.join("\r\n")}`);
  for (const format of firstOf(1, ["text", "json", "ndjson"])) {
    const argv = [
      "check",
      "--list",
      list,
      "--file",
      file,
      ...(format === "text" ? [] : [`--${format}`]),
    ];
    const alone = await urlhash(argv);
    expect(alone.status).toBe(5);
    expect(alone.stdout.length).toBeGreaterThan(2 * MEGABYTE);
    const workers = format === "text" ? "3" : "2";
    expect(await urlhash([...argv, "--workers", workers])).toEqual(alone);
  }
});

test("workers report that a list or file is missing", async () => {
  const list = await buildList();
  const missing = folder.path("missing");
  const ended = await urlhash(["check", "--list", list, "--workers", "2", "--file", missing]);
  expect(ended).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: cannot read ${missing}: no such file or directory\n`,
  });
});

test("neither colours nor a progress bar where there is no terminal", async () => {
  const list = await buildList();
  const file = folder.write("few", "evil.example\n");
  for (const env of [{}, { FORCE_COLOR: "" }, { NO_COLOR: "1" }] as Record<string, string>[]) {
    const ended = await urlhash(["check", "--list", list, "--file", file], { env });
    expect(ended.stdout + ended.stderr).not.toContain("\x1b");
  }
});

test("hostile lines of a megabyte are results as any other", async () => {
  const size = MEGABYTE;
  const hostile = ["%25", "/..", "/", ".", "@", "[", "?", "%2f", "\t", " ", "a.", "é"].map(
    (unit) => `http://a.b/${unit.repeat(size / unit.length)}`,
  );
  const { status, stdout } = await urlhash(["hash", "--ndjson"], {
    stdin: hostile.map((line) => Buffer.from(`${line}\n`)),
  });
  expect(status).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(hostile.length);
});

test("a directory on stdin is a failure, and no empty input", async () => {
  const list = await buildList();
  for (const argv of [["hash"], ["check", "--list", list, "-"], ["list", "build", "-o", list]]) {
    const directory = openSync(folder.path("."), "r");
    const ended = spawnSync(process.execPath, [URLHASH, ...argv], {
      stdio: [directory, "pipe", "pipe"],
      encoding: "utf8",
    });
    closeSync(directory);
    expect(ended).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "urlhash: cannot read stdin: it is a directory\n",
    });
  }
});
