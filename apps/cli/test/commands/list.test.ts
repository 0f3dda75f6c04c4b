import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { decodePrefixList, prefixes } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const ENTRIES = `# Hosts and expressions

evil.example
HTTP://BAD.example:80/%78/#top
bad.example/x/
w.example/?q
`;
const read = (file: string) => decodePrefixList(readFileSync(file));

test("build: entries are canonicalized, and stand for their exact expression", async () => {
  const output = folder.path("mine.list");
  const entries = folder.write("entries", ENTRIES);
  const ran = await run(["list", "build", "-o", output, "--bytes", "4", entries]);
  expect(ran).toEqual({
    status: 0,
    stderr: `urlhash: warning: ${entries} line 4: bad.example/x/ covers the page with every fragment (fragment-dropped)
urlhash: warning: ${entries} line 4: bad.example/x/ covers the site on every port (port-dropped)
`,
    stdout: `${output}: 3 prefixes of 4 bytes from 4 entries\n`,
  });
  const list = read(output);
  expect(list.name).toBe("mine");
  // printf %s evil.example/ | sha256sum, and so on.
  expect([...prefixes(list)].map(toHex)).toEqual(["2bd842eb", "475e3639", "f001957c"].sort());
});

test("build: the entries are found", async () => {
  const output = folder.path("found.list");
  await run(["list", "build", "-o", output], { stdin: ENTRIES });
  const urls = ["http://evil.example/any?thing", "bad.example/x/y", "w.example/?q"];
  const checked = await run(["check", "--list", output, "--ndjson", ...urls, "w.example/"]);
  const listed = checked.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).listed);
  expect(listed).toEqual([true, true, true, false]);
});

test("build: name and length of prefixes", async () => {
  const output = folder.path("long");
  await run(["list", "build", "-o", output, "--bytes", "32", "--name", "my list"], {
    stdin: "b.c",
  });
  const list = read(output);
  expect(list.name).toBe("my list");
  expect([...prefixes(list)].map(toHex)).toEqual([
    "b225cf5dcf266f3ff0b32319a72cf23fca7c53c98cb4af1a7bbfe413415407f1",
  ]);
});

test("build: many entries from several files", { tags: "deep" }, async () => {
  const hosts = Array.from({ length: 70_000 }, (_, i) => `h${i}.example`);
  const one = folder.write("one", hosts.slice(0, 40_000).join("\n"));
  const two = folder.write("two", hosts.slice(30_000).join("\n"));
  const output = folder.path("many");
  const { stdout } = await run(["list", "build", one, two, "-o", output, "--bytes", "8"]);
  expect(stdout).toBe(`${output}: 70,000 prefixes of 8 bytes from 80,000 entries\n`);
  expect(read(output).size).toBe(70_000);
});

test("build: bad entries are reported, and the list is written only with --skip-bad", async () => {
  const [file, output] = [
    folder.write("bad", `b.example\n\nmailto:x\nhttp://\n${"e.example\n".repeat(20)}`),
    folder.path("good.list"),
  ];
  const refused = await run(["list", "build", file, "-o", output]);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr.trimEnd().split("\n")).toEqual([
    `urlhash: ${file} line 3: "mailto:x": expected a URL or host, not an email address`,
    `urlhash: ${file} line 4: "http://": expected a URL, a host or an expression, as in "evil.example/path"`,
    `urlhash: 2 bad entries: ${output} is not written (--skip-bad leaves them out)`,
  ]);
  expect(readdirSync(folder.path("."))).not.toContain("good.list");

  const skipped = await run(["list", "build", file, "-o", output, "--skip-bad"]);
  expect(skipped).toMatchObject({
    status: 4,
    stdout: `${output}: 2 prefixes of 8 bytes from 21 entries, without 2 bad entries\n`,
  });
  expect(read(output).size).toBe(2);
});

const BAD_NAME = "n".repeat(70_000);

test.each([
  ["build", "missing option '-o, --output <list>' (see urlhash list build --help)"],
  [
    "build -o x --bytes 3",
    "option '--bytes <n>' cannot be '3': expected a whole number from 4 to 32 (see urlhash list build --help)",
  ],
  ["build -o x --name BAD_NAME", "name must be at most 65535 bytes in UTF-8, not 70000"],
  ["info", "missing argument 'list': the file of a list (see urlhash list info --help)"],
])("bad usage: list %s", async (line, message) => {
  const argv = line.split(" ").map((word) => (word === "BAD_NAME" ? BAD_NAME : word));
  expect(await run(["list", ...argv], { stdin: "b.example\n" })).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: ${message}\n`,
  });
});

test.each([
  [
    "a file that was cut short",
    "http://docs.example/a\nhttp://docs.example",
    "line 2: .* line end",
  ],
  ["rows in quotes", 'url,x\nhttp://a.example/,"\nhttp://b.example/,y\nc.example,"\n', "next row"],
  ["an error", '{"error":"no","url":"https://docs.example/"}\n', "the path of the entries"],
])("build: no list is made of %s", async (_, stdin, message) => {
  const output = folder.path("damaged.list");
  const column = stdin.startsWith("url") ? ["--column", "url"] : [];
  const { status, stderr } = await run(["list", "build", "-o", output, ...column], { stdin });
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(message));
});

test("build: a source that may be damaged gets a warning", async () => {
  const stdin = "date,url\n2026-11-20,http://a.example/b\n2026-11-21,http://a.example/c";
  const build = ["list", "build", "--column", "url", "-o", folder.path("odd.list")];
  const { stderr } = await run(build, { stdin });
  expect(stderr).toBe(
    `urlhash: warning: stdin line 3: a.example/c is on the last line, which has no line end: the file may have been cut short (line-end-missing)
urlhash: stdin is read as a table (CSV) (its header, column url)
`,
  );
});

test("build: the publisher of a table says which column and which rows are entries", async () => {
  const stdin = "url,verdict\nhttp://evil.example/,malicious\nhttp://good.example/,harmless\n";
  const build = (...options: string[]) =>
    run(["list", "build", "-o", folder.path("rows.list"), ...options], { stdin });
  expect(await build()).toEqual({
    status: 2,
    stdout: "",
    stderr:
      'urlhash: stdin: This looks like a table; it has "url" (such as "http://evil.example/"), "verdict" (such as "malicious"): expected the name of the column with the entries. (--column)\n',
  });
  const refused = await build("--column", "url");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toBe(
    'urlhash: stdin: This looks like a table of 2 rows that may mean different things: "verdict" is "malicious" (1, such as "http://evil.example/"), "harmless" (1, such as "http://good.example/"): expected a condition on the rows (where), such as "verdict=malicious", or "all". (--where)\n',
  );
  const named = await build("--column", "url", "--where", "verdict=malicious,phishing");
  expect(named.status).toBe(0);
  expect(named.stderr).toContain('urlhash: stdin: 1 row with "verdict" of "harmless" was left out');
  expect((await build("--column", "url", "--where", "all")).status).toBe(0);
  expect((await build("--where", "verdict")).stderr).toContain(
    'expected a condition such as "verdict=malicious", or "all"',
  );
});

test("build: a place that cannot be written leaves nothing behind", async () => {
  mkdirSync(folder.path("place/folder"), { recursive: true });
  for (const [name, reason] of [
    ["place/folder", "it is a directory"],
    ["place/none/list", `there is no folder ${folder.path("place/none")}`],
  ] as const) {
    const ran = await run(["list", "build", "-o", folder.path(name)], { stdin: "b.c" });
    expect(ran).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: cannot write ${folder.path(name)}: ${reason}\n`,
    });
  }
  expect(readdirSync(folder.path("place"))).toEqual(["folder"]);
  expect(statSync(folder.path("place/folder")).isDirectory()).toBe(true);
});

test.skipIf(process.platform === "win32")("build: a symbolic link stays one", async () => {
  const target = folder.write("target", "old");
  symlinkSync(target, folder.path("link"));
  await run(["list", "build", "-o", folder.path("link")], { stdin: "b.c" });
  expect(lstatSync(folder.path("link")).isSymbolicLink()).toBe(true);
  expect(read(target).size).toBe(1);
});

test("info: for people and for programs", async () => {
  const output = folder.path("info.list");
  await run(["list", "build", "-o", output, "--bytes", "4", "--name", "a\x1b[31m"], {
    stdin: "b.c\nevil.example\n",
  });
  const list = read(output);
  const bytes = readFileSync(output).length;
  const created = new Date(list.created).toISOString();
  // printf b225cf5df001957c | xxd -r -p | sha256sum
  const checksum = "a44c366d33f9ab2e152b3e76fdcfacebb3a9415d7c84bcf472351d4905952d62";
  expect(await run(["list", "info", output])).toEqual({
    status: 0,
    stderr: "",
    stdout: `file      ${output}
name      a\\u{1b}[31m
created   ${created}
prefixes  2
          2 of 4 bytes
checksum  ${checksum}
size      ${bytes} bytes, ${bytes / 2} for each prefix
`,
  });
  expect(JSON.parse((await run(["list", "info", "--json", output])).stdout)).toEqual({
    file: output,
    name: "a\x1b[31m",
    created,
    prefixes: 2,
    lengths: [{ prefixBytes: 4, count: 2 }],
    checksum,
    fileBytes: bytes,
  });
});
