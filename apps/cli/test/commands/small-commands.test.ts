import { readFileSync } from "node:fs";
import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const listFile = (name: string, entries: readonly string[], facts: object = {}): string =>
  folder.write(
    `${name}.list`,
    encodePrefixList(prefixList(entries.map(fullHash), { name, prefixBytes: 8, ...facts })),
  );

test("canon: one canonical URL a line", async () => {
  const ran = await run(["canon"], { stdin: "HTTP://A.b:80/%2561/../c\n\nb.c\nmailto:x\n" });
  expect(ran).toMatchObject({ status: 4, stdout: "http://a.b/c\nhttp://b.c/\n" });
  expect(ran.stderr).toMatch(/^urlhash: line 4: /);
});

test("urn parse: the error says how to ask for RFC 8141", async () => {
  const ran = await run(["urn", "parse", "urn:example:foo~bar"]);
  expect(ran).toMatchObject({ status: 4, stdout: "" });
  expect(ran.stderr).toContain("RFC 8141 allows it: use --syntax rfc8141");
  const asked = await run(["urn", "parse", "--syntax", "rfc8141", "urn:example:foo~bar"]);
  expect(asked).toMatchObject({ status: 0, stderr: "" });
});

test("list dump: the prefixes in hexadecimal, of which list build makes the same list", async () => {
  const list = listFile("a", ["a.b/", "b.c/", "c.d/"]);
  const dumped = await run(["list", "dump", list]);
  expect(dumped.stdout).toMatch(/^(?:[0-9a-f]{16}\n){3}$/);
  const again = folder.path("again.list");
  const build = ["list", "build", "--input", "hex", "--bytes", "32", "-o", again];
  await run(build, { stdin: dumped.stdout });
  expect((await run(["list", "dump", again])).stdout).toBe(dumped.stdout);
});

test("list build: one list of several, with every prefix once", async () => {
  const [a, b] = [listFile("a", ["a.b/", "b.c/"]), listFile("b", ["b.c/", "c.d/"])];
  const joined = folder.path("joined.list");
  expect(await run(["list", "build", a, b, "-o", joined])).toMatchObject({ status: 0 });
  expect(decodePrefixList(readFileSync(joined)).size).toBe(3);
  expect((await run(["list", "build", a, b, "-o", a])).stderr).toContain("is also an input");
});

test("list dump --format clamav: full hashes for ClamAV, or an error", async () => {
  const hashes = ["a.b/", "b.c/"].map((entry) => Buffer.from(fullHash(entry)).toString("hex"));
  const full = listFile("full", ["a.b/", "b.c/"], { prefixBytes: 32 });
  const dump = (file: string) => run(["list", "dump", "--format", "clamav", file]);
  const lines = hashes.sort().map((hash) => `S1:F:${hash}\n`);
  expect(await dump(full)).toEqual({
    status: 0,
    stderr: "",
    stdout: `# full: 2 full hashes of URL expressions, for ClamAV\n${lines.join("")}`,
  });
  const empty = await dump(listFile("empty", [], { prefixBytes: 32 }));
  expect(empty).toMatchObject({
    status: 0,
    stdout: "# empty: 0 full hashes of URL expressions, for ClamAV\n",
  });
  const odd = await dump(listFile("odd", [], { prefixBytes: 32, name: "a\nS1:F:b" }));
  expect(odd.stdout.split("\n")).toHaveLength(2);
  const short = await dump(listFile("short", ["a.b/"]));
  expect(short).toMatchObject({ status: 2, stdout: "" });
  expect(short.stderr).toMatch(/ClamAV needs full hashes, .* with --bytes 32/);
});

test("list build: warnings for entries that are too broad or too deep", async () => {
  const source = folder.write(
    "broad",
    "github.io\nx.github.io/a\nweb.app\nwww.ck\nhttp://u@b.c:8080/1/2/3/4/#f\n",
  );
  const output = ["-o", folder.path("broad.list")];
  const { status, stderr } = await run(["list", "build", source, ...output]);
  expect(status).toBe(0);
  const found = stderr.match(/line \d+: \S+ .*\([a-z-]+\)$/gm) ?? [];
  expect(found.map((line) => line.replace(/^(line \d+): .*\((.*)\)$/, "$1 $2")).sort()).toEqual([
    "line 1 public-suffix",
    "line 3 public-suffix",
    "line 5 covers-nothing-below",
    "line 5 fragment-dropped",
    "line 5 port-dropped",
    "line 5 top-level-domain-unknown",
    "line 5 user-dropped",
  ]);
});

test("list build: a tenth may be bad, or as much as is said", async () => {
  const source = folder.write("tenth", `${"a.b\n".repeat(8)}a b\nc d\n`);
  const build = ["list", "build", source, "-o", folder.path("tenth.list")];
  const refused = await run([...build, "--skip-bad"]);
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.stderr).toContain("2 of 10 lines were refused; at most 10% may be.");
  expect(await run([...build, "--max-refused", "20"])).toMatchObject({ status: 4 });
  const empty = ["list", "build", "-o", folder.path("empty.list")];
  expect(await run(empty, { stdin: "# none\n" })).toMatchObject({ status: 2 });
  expect(await run([...empty, "--allow-empty"], { stdin: "# none\n" })).toMatchObject({
    status: 0,
  });
});

test.each([
  [["check", "-0"], "unknown option '-0': put -- before it if it is an argument"],
  [["hash", "a\ufffdb"], "argument 2, a\ufffdb, is not UTF-8: give it in a file or on stdin"],
])("odd arguments are named: %j", async (argv, message) => {
  expect(await run(argv)).toEqual({ status: 2, stdout: "", stderr: `urlhash: ${message}\n` });
});

test("after --, an argument may look like an option", async () => {
  expect(await run(["urn", "parse", "--", "-0"])).toMatchObject({ status: 4, stdout: "" });
});

test("--color and FORCE_COLOR decide before the terminal does", async () => {
  const coloured = async (argv: readonly string[], options: object = {}) =>
    (await run(["hash", ...argv, "b.c"], options)).stdout.includes("\x1b");
  expect(await coloured([])).toBe(false);
  expect(await coloured([], { env: { FORCE_COLOR: "1" } })).toBe(true);
  expect(await coloured([], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).toBe(false);
  expect(await coloured(["--color", "always"], { env: { NO_COLOR: "1" } })).toBe(true);
  expect(await coloured(["--color=never"], { terminal: 80 })).toBe(false);
  expect(await coloured(["--color", "auto"], { terminal: 80 })).toBe(true);
  expect((await run(["hash", "--color", "blue", "b.c"])).status).toBe(2);
});
