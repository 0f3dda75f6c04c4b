import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const urn = (argv: readonly string[], options = {}) => run(["urn", ...argv], options);
const records = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("parse: the parts with their places", async () => {
  const argv = ["parse", "--syntax", "rfc8141", "URN:Example:a%2f/b?+r?=q#", "urn:isbn:0451450523"];
  expect(await urn(argv)).toEqual({
    status: 0,
    stderr: "",
    stdout: `URN:Example:a%2f/b?+r?=q#
  NID          4..11   Example
  NSS          12..18  a%2f/b
  r-component  20..21  r
  q-component  23..24  q
  f-component  25..25  ""
  normal form          urn:example:a%2F/b?+r?=q#
urn:isbn:0451450523
  NID          4..8    isbn
  NSS          9..19   0451450523
  normal form          urn:isbn:0451450523
`,
  });
});

test.each([
  ["urn:example:a b", "A space is not allowed (write %20 if one is meant). Expected a character"],
  ["urn:exa mple:x", "A space is not allowed. Expected only ASCII letters"],
  [" urn:example:x", 'A space is not allowed. Expected "urn:" at the start'],
  ["urn:example:a\u00a0b", "A space is not allowed. Expected a character"],
  ["urn:example:a|b", "Expected a character"],
])("parse says when a blank is the problem: %j", async (text, message) => {
  const { status, stderr } = await urn(["parse", text]);
  expect(status).toBe(4);
  expect(stderr.startsWith(`urlhash: argument 1: ${message}`)).toBe(true);
});

test("parse --json: places are offsets into the URN", async () => {
  const text = "urn:example:a/b?+r?=q#f";
  const { stdout } = await urn(["parse", "--json", "--syntax", "rfc8141", text]);
  const [record] = JSON.parse(stdout);
  expect(record).toEqual({
    argument: 1,
    urn: text,
    nid: "example",
    nss: "a/b",
    rComponent: "r",
    qComponent: "q",
    fComponent: "f",
    offsets: expect.anything(),
    normalized: text,
    readable: text,
    usesReservedCharacters: true,
    namespaceProblems: [],
    notes: [],
  });
  for (const [part, span] of Object.entries(record.offsets as Record<string, [number, number]>)) {
    expect(text.slice(...span)).toBe(record[part]);
  }
  const [old] = JSON.parse((await urn(["parse", "--json", text])).stdout);
  expect(old).toMatchObject({ nss: "a/b?+r?=q#f", fComponent: null });
  expect(old.offsets).toMatchObject({ nss: [12, 23], fComponent: null });
});

test("parse: what is wrong with a good URN is a note, and no error", async () => {
  const ran = await urn(["parse", "urn:isbn:0-395-36341-2", "urn:foo:a/b"]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  expect(ran.stdout).toMatch(/^ {2}note +namespace "isbn": .*\(RFC 3187 §5\)$/m);
  expect(ran.stdout).toMatch(
    /^ {2}note +"\/", "\?" and "#" are reserved .*\(RFC 2141 §2\.3\.2\)$/m,
  );
  const [isbn] = JSON.parse((await urn(["parse", "--json", "urn:isbn:0-395-36341-2"])).stdout);
  expect(isbn.namespaceProblems).toMatchObject([{ code: "isbn-check-digit" }]);
});

test("an error points at the character", async () => {
  const ran = await urn(["parse"], { stdin: "urn:a:b\n\nurn:foo:a%4gb\nurn:foo:\n" });
  expect(ran.status).toBe(4);
  expect(ran.stderr).toBe(
    `urlhash: line 3: Expected two hexadecimal digits after "%" (RFC 2141 §2.3.1)
    urn:foo:a%4gb
             ^
urlhash: line 4: Expected at least one character in the namespace-specific string (RFC 2141 §2.2)
    urn:foo:
            ^ the end
`,
  );
  expect(ran.stdout).toMatch(/^urn:a:b\n/);
});

test("nothing of a hostile URN reaches the terminal raw", async () => {
  const hostile = "urn:foo:\x1b[2J\u202e\u{e0041}\r";
  for (const command of ["parse", "normalize"]) {
    const ran = await urn([command, hostile], { terminal: 80 });
    expect(ran).toMatchObject({ status: 4, stdout: "" });
    const [, text, caret] = ran.stderr.split("\n");
    expect(text).toBe("    urn:foo:\\u{1b}[2J\\u{202e}\\u{e0041}\\u{d}");
    expect(caret).toBe("            ^ U+001B");
    const json = await urn([command, "--json", hostile]);
    expect(JSON.parse(json.stdout)[0]).toMatchObject({
      urn: hostile,
      error: { code: "nss-character", index: 8, section: "RFC 2141 §2.4" },
    });
    expect(json.stdout).toMatch(/^[\n -~§]*$/);
  }
});

test("lines that are not UTF-8 are refused with their bytes", async () => {
  const stdin = Buffer.from("urn:a:\xe9\nurn:a:b\n", "latin1");
  const ran = await urn(["normalize"], { stdin });
  expect(ran).toEqual({
    status: 4,
    stdout: "urn:a:b\n",
    stderr: 'urlhash: line 1: "urn:a:\\xe9" is not UTF-8\n',
  });
  const [record] = records((await urn(["normalize", "--ndjson"], { stdin })).stdout);
  expect(record).toMatchObject({ bytes: "75726e3a613ae9", error: { code: "not-utf8" } });
});

test("normalize: one per line, from arguments, stdin or a file", async () => {
  const lines = "URN:FOO:a123%2cB\nurn:foo:x\n";
  const stdout = "urn:foo:a123%2CB\nurn:foo:x\n";
  const file = folder.write("urns", lines);
  for (const argv of [lines.trim().split("\n"), ["-"], [], ["--file", file]]) {
    const ran = await urn(["normalize", ...argv], { stdin: lines });
    expect(ran).toEqual({ status: 0, stderr: "", stdout });
  }
  expect(await urn(["normalize", "--file", file, "urn:a:b"])).toEqual({
    status: 2,
    stdout: "",
    stderr: "urlhash: give URNs as arguments or with --file, not both\n",
  });
});

test("--syntax decides", async () => {
  expect((await urn(["normalize", "urn:foo:a~b"])).status).toBe(4);
  expect((await urn(["normalize", "--syntax", "rfc8141", "urn:foo:a~b"])).status).toBe(0);
  expect((await urn(["normalize", "--syntax", "rfc8141", "urn:x:a"])).status).toBe(4);
  const wrong = await urn(["normalize", "--syntax", "rfc1", "urn:x:a"]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("expected one of rfc2141, rfc8141");
});

const NO_RULE =
  "The NSSs differ, and no rule of the namespace “foo” is known that would allow it (RFC 2141 §5).";

test.each([
  [
    ["URN:FOO:a%2c", "urn:foo:a%2C"],
    0,
    "equal",
    "The case of “urn”, of the NID, and of hexadecimal digits in escapes does not matter (RFC 2141 §5).",
  ],
  [["urn:foo:a,", "urn:foo:a%2C"], 1, "not equal", NO_RULE],
  [["urn:foo:A", "urn:foo:a"], 1, "not equal", NO_RULE],
  [
    ["--syntax", "rfc8141", "urn:foo:a?=x#y", "urn:foo:a"],
    0,
    "equal",
    "The r-, q- and f-components do not count (RFC 8141 §3).",
  ],
  [["urn:foo:a?=x#y", "urn:foo:a"], 1, "not equal", NO_RULE],
  [
    ["urn:isbn:0-395-36341-1", "urn:ISBN:0395363411"],
    1,
    "not equal",
    "They are the same only by the rule of the namespace “isbn”. Use --namespaces to apply it.",
  ],
  [
    ["--namespaces", "urn:isbn:0-395-36341-1", "urn:ISBN:0395363411"],
    0,
    "equal",
    "They are the same only by the rule of the namespace “isbn”.",
  ],
  [["--namespaces", "urn:foo:A", "urn:foo:a"], 1, "not equal", NO_RULE],
])("equal %j", async (argv, status, verdict, rule) => {
  const ran = await urn(["equal", ...argv]);
  expect(ran).toMatchObject({ status, stderr: "" });
  const [first, ...rest] = ran.stdout.split("\n");
  expect(first).toBe(verdict);
  expect(rest.slice(0, -3).join("").trim().replace(/ {2,}/g, " ")).toBe(rule);
  const json = await urn(["equal", "--json", ...argv]);
  expect([json.status, JSON.parse(json.stdout).equal]).toEqual([status, status === 0]);
});

test("equal: status 4 and both errors when they are no URNs", async () => {
  const ran = await urn(["equal", "x", "urn:foo:"]);
  expect(ran).toMatchObject({ status: 4, stdout: "" });
  expect(ran.stderr.match(/^urlhash: argument \d/gm)).toHaveLength(2);
  const json = await urn(["equal", "--json", "urn:a:B", "x"]);
  expect(json).toMatchObject({ status: 4, stderr: "" });
  expect(JSON.parse(json.stdout)).toEqual({
    equal: null,
    rule: "The second is not a URN.",
    syntax: "rfc2141",
    namespaces: false,
    urns: [
      { argument: 1, urn: "urn:a:B", normalized: "urn:a:B" },
      { argument: 2, urn: "x", error: expect.objectContaining({ code: "scheme-missing" }) },
    ],
  });
});

test("equal takes two, from arguments or lines", async () => {
  expect(await urn(["equal"], { stdin: "urn:a:b\n\nURN:a:b" })).toMatchObject({ status: 0 });
  expect(await urn(["equal", "urn:a:c", "-"], { stdin: "urn:a:b\n" })).toMatchObject({ status: 1 });
  const pieces = ["urn:a:b\n", "urn:a:c\n"].map((piece) => Buffer.from(piece));
  expect(await urn(["equal"], { stdin: pieces })).toMatchObject({ status: 1 });
  for (const [argv, count] of [
    [[], "none"],
    [["urn:a:b"], "one"],
    [["a", "b", "c"], "more"],
  ] as const) {
    expect(await urn(["equal", ...argv])).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: give two URNs to compare, not ${count}\n`,
    });
  }
});

test("nothing is wider than the terminal", async () => {
  const long = `urn:example:${"ab%C3%BC".repeat(100)}`;
  for (const argv of [
    ["parse", "--syntax", "rfc8141", `${long}?=${"q".repeat(200)}`, "urn:isbn:1"],
    ["equal", long, `${long}x`],
  ]) {
    const { stdout } = await urn(argv, { env: { COLUMNS: "60" } });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBe(60);
  }
});

test.each([["parse"], ["check"]])("urn %s names its own option, in JSON too", async (command) => {
  const { stdout, stderr } = await run(["urn", command, "--ndjson"], { stdin: "urn:a1:~\n" });
  expect(stdout).toContain("use --syntax rfc8141");
  expect(stdout + stderr).not.toContain("{ syntax");
});
