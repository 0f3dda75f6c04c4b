import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.path("l.list");
const build = (argv: readonly string[], stdin: string) =>
  run(["list", "build", "-o", LIST, ...argv], { stdin });

test.each(["check", "explain", "canon", "hash"])(
  "%s: an argument of another format is no URL, unless it is listed",
  async (command) => {
    await build([], "evil.example\n");
    const lists = ["check", "explain"].includes(command) ? ["--list", LIST] : [];
    for (const argument of [
      "hxxp://bad[.]example/",
      "0.0.0.0 evil.example",
      "evil.example,phishing",
      "http://good.example/\nhttp://bad.example/",
    ]) {
      const ran = await run([command, ...lists, argument]);
      expect(ran).toMatchObject({ status: 4, stdout: "" });
      expect(ran.stderr).toMatch(/^urlhash: argument 1: ".*" looks like .*: expected a URL/);
    }
    if (lists.length > 0)
      expect((await run([command, ...lists, "hxxp://evil.example/"])).status).toBe(1);
  },
);

test("an argument that starts like a URL may be odd", async () => {
  for (const [argument, canonical] of [
    ["http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"],
    ["ht\ttp://a.b/", "http://a.b/"],
    ["http://w!eird<>ho.com/", "http://w!eird<>ho.com/"],
    ["http://a,b.c/", "http://a,b.c/"],
    ["http://a^b/", "http://a^b/"],
    ["http://evil.example\\.good.example/", "http://evil.example\\.good.example/"],
  ] as const) {
    const ran = await run(["canon", argument]);
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout.trimEnd()).toBe(canonical);
  }
});

test("publish takes relative URIs with any characters", async () => {
  const argv = ["hash-uris", "--base", "http://a.example/", "page;v=1,2", "(x)"];
  expect(await run(argv)).toMatchObject({ status: 0, stderr: "" });
});

test("a source is recognized by its first line, not by its first piece", async () => {
  await build([], "evil.example\n");
  const url = "http://evil.example/\n";
  for (const [bytes, found] of [
    [Buffer.from(`\ufeff${url}`, "utf16le"), /UTF-16/],
    [gzipSync(url), /gzip/],
  ] as const) {
    const stdin = [bytes.subarray(0, 1), bytes.subarray(1, 3), bytes.subarray(3)];
    for (const argv of [["check", "--list", LIST], ["hash"], ["hash-uris"], ["urn", "find"]]) {
      const ran = await run(argv, { stdin });
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr).toMatch(found);
    }
  }
});

test("a file without lines is refused, and the message says how to read it", async () => {
  await build([], "evil.example\n");
  const parquet = folder.write("f.parquet", "PAR1\x15\x04\x15\x1c\nhttp://evil.example/\nPAR1");
  const refused = await run(["check", "--list", LIST, "--file", parquet]);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /f\.parquet looks like a Parquet file: expected one URL per line \(urlhash sql "SELECT … FROM '.*f\.parquet'" reads it\)\n$/,
  );
  const table = await run(["check", "--list", LIST, "--file", LIST, "--column", "1"]);
  expect(table.stderr).toMatch(/ looks like a prefix list: expected a table\n$/);
});

test("match warns about a list without entries", async () => {
  const list = folder.write("none.txt", "# nothing\n");
  const warning = `urlhash: warning: ${list} has no hashed URIs: nothing can match it\n`;
  expect(await run(["match", "--list", list, "http://a/"])).toEqual({
    status: 0,
    stdout: "",
    stderr: warning,
  });
});

test("list build says what does not apply, also if the format is named", async () => {
  const rules = "||evil.example^\n||bad.example^$third-party\n";
  const { status, stderr } = await build(["--input", "adblock"], rules);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: "urlhash: stdin: 1 part does not apply (--verbose shows all)\n",
  });
  const named = await build(["--input", "adblock", "--verbose"], rules);
  expect(named.stderr).toBe(
    'urlhash: stdin line 2: "||bad.example^$third-party" does not apply\n' +
      "urlhash: stdin: 1 part does not apply\n",
  );
});

test("list build warns about hashes as long as MD5", async () => {
  const hashes = Array.from({ length: 7 }, (_, i) => `${i}a`.repeat(16));
  const { status, stderr } = await build(["--input", "hex"], hashes.join("\n"));
  expect(status).toBe(0);
  expect(stderr).toMatch(/line 1: the hash is as long as an MD5 or SHA-1 hash.*\(other-hash\)$/m);
  expect(stderr).toMatch(/: 2 more of other-hash \(--verbose shows all\)$/m);
});

test("helper squid answers blank lines, too", async () => {
  await build([], "evil.example\n");
  const ran = await run(["helper", "squid", "--list", LIST], {
    stdin: "\n7 http://a.example/ -\n",
  });
  expect(ran.stdout).toMatch(/^BH message=".*"\n7 ERR\n$/);
});

test.each(["check", "explain"])("%s warns about an empty list", async (command) => {
  await build(["--allow-empty"], "");
  const { stderr } = await run([command, "--list", LIST, "http://a.example/"]);
  expect(stderr).toBe("urlhash: warning: the list l is empty: no URL can be on it\n");
});
