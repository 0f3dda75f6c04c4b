import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const list = prefixList([fullHash("evil.example/")], { name: "evil", prefixBytes: 4 });
const EVIL = folder.write("evil", encodePrefixList(list));
const check = (argv: readonly string[], stdin = "") =>
  run(["check", "--list", EVIL, "--find", ...argv], { stdin });

const TEXT = "Ask bob@a.example, or see\nhxxp://evil[.]example/a and www.good.com.\n";

test("the links in a text are the inputs", async () => {
  expect(await check([], TEXT)).toEqual({
    status: 1,
    stderr: "",
    stdout: `LISTED      http://evil.example/a
            evil.example/ (f001957c) is on evil
not listed  http://www.good.com
`,
  });
  expect(await check([], "no links\n")).toMatchObject({ status: 0, stdout: "" });
});

test("each has its place", async () => {
  const json = JSON.parse((await check(["--json"], TEXT)).stdout);
  expect(json).toMatchObject([
    { line: 2, column: 1, url: "http://evil.example/a", listed: true },
    { line: 2, column: 29, url: "http://www.good.com", listed: false },
  ]);
  const page = "<p>\n\n<a href='javascript:x()'>a</a><a href='mailto:a@b.example'>b</a>";
  const odd = await check(["--as", "html"], page);
  expect(odd.status).toBe(4);
  expect(odd.stderr).toMatch(/^urlhash: 3:10: .*\n$/);
});

test("files, by their endings", async () => {
  const wrapped = "https://www.google.com/url?q=http%3A%2F%2Fevil.example%2F";
  const page = folder.write(
    "page.html",
    `<img src="data:image/png;base64,AAAA"><a href="${wrapped}">x</a>`,
  );
  const ran = await check(["--file", page]);
  expect(ran).toMatchObject({ status: 1, stderr: "" });
  expect(ran.stdout).toContain("(Google)");
  const mail = folder.write(
    "a.eml",
    "Content-Type: application/zip; name=a.zip\r\nContent-Disposition: attachment\r\n\r\nPK",
  );
  const noted = await check(["--file", mail]);
  expect(noted).toMatchObject({ status: 0, stdout: "" });
  expect(noted.stderr).toContain("a.zip (application/zip) was not searched");
});

const ENCODED = [
  "Return-Path: <a@b.example>",
  "Content-Type: text/html",
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from('<a href="http://evil.example/">x</a>').toString("base64"),
].join("\r\n");

test("an email is recognized by its headers", async () => {
  const listed = { status: 1, stdout: expect.stringContaining("LISTED      http://evil.example/") };
  expect(await check([], ENCODED)).toMatchObject(listed);
  for (const name of ["1732.M1P2.host:2,S", "mail", "mail.txt"]) {
    expect(await check(["--file", folder.write(name, ENCODED)])).toMatchObject(listed);
  }
  const mbox = `From a@b.example Sat Jan  3 01:05:34 1996\n${ENCODED}\n`;
  const { stdout } = await check(["--json"], mbox);
  expect(JSON.parse(stdout)).toMatchObject([{ part: ["text/html"], listed: true }]);
  expect(await check(["--json"], `${mbox}\nFrom c\n${ENCODED}\n`)).toMatchObject({ status: 2 });
  expect(await check(["--as", "text"], ENCODED)).toMatchObject({ status: 0, stdout: "" });
  expect(await check(["--file", folder.write("a.md", ENCODED)])).toMatchObject({ status: 0 });
});

test("a text that begins like an email is text", async () => {
  const text = "Note: see\nhttp://evil.example/\n\nSubject: x\nDate: y\n";
  const { stdout } = await check(["--json"], text);
  expect(JSON.parse(stdout)).toMatchObject([{ line: 2, column: 1, listed: true }]);
});

test.each(["text", "json", "ndjson"])(
  "an email that cannot be read as a whole fails, in %s",
  async (format) => {
    const stdin = "Content-Type: multipart/mixed\r\n\r\nhttp://a.example/\r\n";
    const ran = await check(["--as", "mail", ...(format === "text" ? [] : [`--${format}`])], stdin);
    expect(ran.status).toBe(4);
    expect(ran.stdout + ran.stderr).toMatch(/boundary-missing|links may be missing/);
  },
);

test("what cannot be combined", async () => {
  for (const [argv, message] of [
    [["http://a.example/"], "--find is for a file in --file or on stdin"],
    [["--column", "1"], "--column cannot be used with --find"],
  ] as const) {
    const ran = await check(argv);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  }
  const as = await run(["check", "--list", EVIL, "--as", "html", "a.example"]);
  expect(as.stderr).toBe("urlhash: --as needs --find\n");
});
