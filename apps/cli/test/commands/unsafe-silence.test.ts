import { mkdir, writeFile } from "node:fs/promises";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.path("l.list");

beforeAll(async () => {
  const list = prefixList([fullHash("evil.example/")], { name: "l", prefixBytes: 8 });
  await writeFile(LIST, encodePrefixList(list));
});

/** Texts that name evil.example, but are defanged or have a host that no site can have. */
const ODD = [
  "evil[.example",
  "http://evil[.example/path",
  "http[s]://evil.example/x",
  "http:// evil.example/path",
  "http://evil .example/path",
  "http__evil.example/path",
  "[https]://evil.example/",
  "http://evil.example>",
  'http://evil.example"',
  "http://evil.example&sp",
  "http://evil.example\u201d",
  "http://2001:db8::1/",
  "hxxp__evil.example/path",
  "http://https://evil.example/",
  "evilDOTexample",
  String.raw`evil\u002eexample`,
  String.raw`http:\u002f\u002fevil.example/`,
];

describe.each(ODD)("%j is never not listed", (url) => {
  test.each(["text", "json", "ndjson"])("as %s", async (format) => {
    const flags = format === "text" ? [] : [`--${format}`];
    const argument = await run(["check", "--list", LIST, ...flags, url]);
    const line = await run(["check", "--list", LIST, ...flags], { stdin: `${url}\n` });
    for (const { status, stdout } of [argument, line]) {
      expect(status).toBe(4);
      expect(stdout).not.toMatch(/not.listed|"listed":false/);
    }
  });

  test("in explain, and in check --only-listed", async () => {
    expect((await run(["explain", "--list", LIST, url])).status).toBe(4);
    const file = folder.path("lines.txt");
    await writeFile(file, `http://good.example/\n${url}\n`);
    const { status, stdout } = await run([
      "check",
      "--list",
      LIST,
      "--only-listed",
      "--file",
      file,
    ]);
    expect([status, stdout]).toEqual([4, ""]);
  });
});

test.each(["httpx", "htxp", "ttp", "h**p", "meow"])(
  "%s:// is not a scheme",
  { tags: "deep" },
  async (scheme) => {
    const url = `${scheme}://good.example/`;
    for (const flags of [[], ["--json"]]) {
      const { status, stdout } = await run(["check", "--list", LIST, ...flags], { stdin: url });
      expect(status).toBe(4);
      expect(stdout).not.toMatch(/not.listed|"listed":false/);
      const refanged = await run(["check", "--list", LIST, "--refang", ...flags], { stdin: url });
      expect(refanged.status).toBe(0);
    }
    const listed = await run(["check", "--list", LIST, "--refang", `${scheme}://evil.example/`]);
    expect(listed.stdout).toMatch(/^LISTED {6}http:\/\/evil\.example\/\n/);
  },
);

test("the message says what was meant", async () => {
  const { stderr } = await run(["check", "--list", LIST, 'http://evil.example"/a']);
  expect(stderr).toBe(
    'urlhash: argument 1: "http://evil.example"/a": no site can have this host, so there is no verdict: do not treat it as safe (RFC 1123 \u00a72.1). Did you mean "http://evil.example/a"?\n',
  );
});

test("what is listed stays listed, and canon gives the specification's answer", async () => {
  const odd = folder.path("odd.list");
  const list = prefixList([fullHash('evil.example"/')], { name: "odd", prefixBytes: 8 });
  await writeFile(odd, encodePrefixList(list));
  const checked = await run(["check", "--list", odd, 'http://evil.example"/a']);
  expect([checked.status, checked.stdout]).toEqual([1, expect.stringMatching(/^LISTED/)]);
  expect(await run(["canon", "http://w!eird<>ho.com/"])).toMatchObject({
    status: 0,
    stdout: "http://w!eird<>ho.com/\n",
  });
});

test("check --refang turns back as a whole, or refuses without advising --refang again", async () => {
  const lines = ["hxxp:// evil.example/login", "hxxps:// evil[.]example /x", "evil[[.]]example"];
  const ran = await run(["check", "--list", LIST, "--refang"], { stdin: `${lines.join("\n")}\n` });
  expect(ran.status).toBe(5);
  expect(ran.stdout.match(/^LISTED .*$/gm)).toEqual([
    "LISTED      http://evil.example/login",
    "LISTED      https://evil.example/x",
  ]);
  expect(ran.stderr).toMatch(/^urlhash: line 3: .*defanged.*\(--refang cannot turn it back\)\n$/);
});

test("--refang is only advised where it helps", async () => {
  const lines = ["evil[.]example", "evil-dot-example", "http:\u2215\u2215evil.example"];
  const { stderr } = await run(["check", "--list", LIST], { stdin: `${lines.join("\n")}\n` });
  expect(stderr.match(/\(--refang .*\)/g)).toEqual([
    "(--refang turns it back)",
    "(--refang cannot turn it back)",
    "(--refang cannot turn it back)",
  ]);
});

test("list build --refang refuses what it cannot turn back", async () => {
  const source = folder.path("feed.txt");
  const odd = ["hxxp__a.example/path", "hxxps:// b[.]example /x", "c[[.]]example"];
  const others = Array.from({ length: 20 }, (_, i) => `d${i}.example`);
  await writeFile(source, `${[...odd, ...others].join("\n")}\n`);
  const ran = await run([
    "list",
    "build",
    "--refang",
    "--skip-bad",
    "-o",
    folder.path("f.list"),
    source,
  ]);
  expect(ran.stderr).toContain('line 3: "c[[.]]example"');
  expect(ran.stderr).toContain("(--refang cannot turn it back)");
  const dumped = await run([
    "check",
    "--list",
    folder.path("f.list"),
    "http://a.example/path",
    "https://b.example/x",
    "http://d0.example/",
  ]);
  expect(dumped).toMatchObject({ status: 1, stderr: "" });
  expect(dumped.stdout.match(/^LISTED/gm)).toHaveLength(3);
});

describe("an argument that names a file", () => {
  const before = process.cwd();
  beforeAll(async () => {
    process.chdir(folder.path("."));
    await mkdir("example.com");
    await mkdir("lists");
    for (const name of [
      "urls.txt",
      "urls",
      "lists/urls",
      "a b.csv",
      "list.zip",
      "readme.md",
      "urls.2026",
      "evil.example",
      "example.org",
      "192.0.2.1",
      "example.com/page",
      "example.com/robots.txt",
    ])
      await writeFile(name, "http://evil.example/\n");
  });
  afterAll(() => process.chdir(before));

  test.each([
    "urls.txt",
    "urls",
    "./urls",
    "lists/urls",
    "a b.csv",
    "list.zip",
    "readme.md",
    "urls.2026",
    "example.com/robots.txt",
    folder.path("urls.txt"),
  ])("%j is refused", async (name) => {
    const shown = name.includes(" ") ? `'${name}'` : name;
    for (const command of [["check", "--list", LIST], ["explain"], ["canon"], ["hash"]]) {
      const ran = await run([...command, "good.example", name]);
      expect([command[0], ran.status, ran.stdout]).toEqual([command[0], 2, ""]);
      expect(ran.stderr).toContain(
        `urlhash: ${shown} is a file: to read its lines, use --file ${shown}`,
      );
    }
  });

  test("a URN command refuses it, too", async () => {
    const ran = await run(["urn", "parse", "urls.2026"]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toBe(
      "urlhash: urls.2026 is a file: to read its lines, use --file urls.2026\n",
    );
  });

  test.each(["evil.example", "EVIL.example", "evil.example:80", "http://evil.example"])(
    "%j is a URL all the same",
    async (name) => {
      await writeFile(name.replace("http://", ""), "");
      expect(await run(["check", "--list", LIST, name])).toMatchObject({ status: 1, stderr: "" });
    },
  );

  test.each(["missing.txt", "Missing.CSV", "lists/missing.txt", "missing.json"])(
    "%j, which looks like a file, is refused although there is none",
    async (name) => {
      for (const args of [["check", "--list", LIST], ["explain"], ["canon"], ["hash"]]) {
        const ran = await run([...args, name]);
        expect([args[0], ran.status, ran.stdout]).toEqual([args[0], 2, ""]);
        expect(ran.stderr).toContain(`urlhash: ${name} looks like a file, but does not exist`);
      }
    },
  );

  test.each([
    "http://missing.txt/",
    "example.com/missing.txt",
    "evil.test/a.csv",
    "192.0.2.1/a.json",
    "localhost/a.txt",
    "intranet:80/a.txt",
    "example.com?file=a.txt",
  ])("%j is a URL", async (name) => {
    expect(await run(["check", "--list", LIST, name])).toMatchObject({ status: 0, stderr: "" });
  });

  test.each(["example.org", "192.0.2.1", "example.com", "lists"])("%j is checked", async (name) => {
    expect(await run(["check", "--list", LIST, name])).toMatchObject({ status: 0, stderr: "" });
  });

  test("a path below a host is checked with a note", async () => {
    expect(await run(["check", "--list", LIST, "example.com/page"])).toMatchObject({
      status: 0,
      stderr:
        "urlhash: note: example.com/page is also a file; to read its lines, use --file example.com/page\n",
    });
  });
});
