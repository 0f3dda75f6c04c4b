import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();

const MAIL = [
  "Subject: see http://subject.example/",
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "Content-Type: text/html",
  "",
  "<p>\n<a href='http://evil.example/'>www.bank.com</a>",
  "--b",
  "Content-Type: application/pdf",
  'Content-Disposition: attachment; filename="bill\u202e.pdf"',
  "",
  "%PDF",
  "--b--",
  "",
].join("\r\n");

function parsed(ndjson: string) {
  return ndjson
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("text: the line, the column and the URL of each link", async () => {
  const stdin = "First\nsee hxxp://evil[.]example/a, or www.evil.com!\n";
  expect(await run(["links"], { stdin })).toEqual({
    status: 0,
    stderr: "",
    stdout: "2:5: http://evil.example/a\n2:33: http://www.evil.com\n",
  });
  const [first] = parsed((await run(["links", "--ndjson"], { stdin })).stdout);
  expect(first).toEqual({
    line: 2,
    column: 5,
    start: 10,
    end: 33,
    url: "http://evil.example/a",
    text: "hxxp://evil[.]example/a",
    where: "text",
    isDefanged: true,
    shown: null,
  });
});

test.each(["text", "json", "ndjson"])("no link: status 1, in %s", async (format) => {
  const ran = await run(["links", ...(format === "text" ? [] : [`--${format}`])], {
    stdin: "nothing here\n",
  });
  expect(ran).toEqual({ status: 1, stderr: "", stdout: format === "json" ? "[]\n" : "" });
});

test("a file is read by its ending, or as --as says", async () => {
  const page = folder.write("page.html", "<p>\n<img src='/a.png'>");
  const note = folder.write("note.md", "a\n\n[x](http://a.example/%20)");
  expect((await run(["links", page])).status).toBe(1);
  const based = await run(["links", "--base", "https://b.example/", page, note]);
  expect(based.stdout).toBe(
    `${page}:2:11: https://b.example/a.png\n${note}:3:5: http://a.example/%20\n`,
  );
  expect((await run(["links", "--as", "html"], { stdin: "<a href=//c.example>" })).stdout).toBe(
    "1:9: http://c.example/\n",
  );
});

test.each(["<!doctype html>", "\ufeff\n<HTML>", '<?xml version="1.0"?>'])(
  "a page is recognized by %j",
  async (start) => {
    const stdin = `${start}<a href="http://&#97;.example/">x</a>`;
    const { stdout } = await run(["links"], { stdin });
    expect(stdout.replace(/^[\d:]+ /, "")).toBe("http://a.example/\n");
    expect((await run(["links", folder.write("page", stdin)])).stdout).toBe(stdout);
    expect((await run(["links", "--as", "text"], { stdin })).stdout).not.toBe(stdout);
  },
);

describe("calendars and contacts are refused, because their folded lines cut links", () => {
  const contact = "BEGIN:VCARD\nURL:https://evil.exam\n ple/a\nEND:VCARD\n";

  test.each([
    ["invite.ics", "\ufeffbegin:vcalendar\r\nURL:https://evil.exam\r\n ple/\r\nEND:VCALENDAR\r\n"],
    ["jane.vcf", contact],
  ])("%s", async (name, contents) => {
    const file = folder.write(name, contents);
    for (const ran of [await run(["links", file]), await run(["links"], { stdin: contents })]) {
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr).toContain("looks like a calendar or contacts");
    }
  });

  test("--as text reads the lines as they are", async () => {
    const { stdout } = await run(["links", "--as", "text"], { stdin: contact });
    expect(stdout).toBe("2:5: https://evil.exam\n");
  });

  test("a text with such a line further down is no calendar", async () => {
    const { stdout } = await run(["links"], { stdin: `Hello\n${contact}` });
    expect(stdout).toBe("3:5: https://evil.exam\n");
  });
});

test("a text that begins with a bracket is no page", async () => {
  const stdin = "<html.example.com> <http://a.example/>";
  expect((await run(["links"], { stdin })).stdout).toBe(
    "1:2: http://html.example.com\n1:21: http://a.example/\n",
  );
});

test.each([
  ["%PDF-1.7\n/URI (http://a.example/)\n", "a PDF document"],
  ["{\\rtf1 http://\\'61.example/}\n", "an RTF document"],
  ["\xd0\xcf\x11\xe0\n", "an old Office document"],
])("a document is refused without --as: %j", async (contents, found) => {
  const file = folder.write("document", Buffer.from(contents, "latin1"));
  const refused = `urlhash: ${file} looks like ${found}: expected text\n`;
  expect(await run(["links", file])).toEqual({ status: 2, stderr: refused, stdout: "" });
  expect((await run(["links", "--as", "text", file])).stderr).toBe("");
});

describe("emails", () => {
  test("the part comes first, and what was not searched is on stderr", async () => {
    const mail = folder.write("a.eml", MAIL);
    const ran = await run(["links", mail]);
    expect(ran.stdout).toContain("subject:1:5: http://subject.example/\n");
    expect(ran.stdout).toContain("text/html:2:10: http://evil.example/ (shown: www.bank.com)\n");
    expect(ran.stderr).toMatch(
      /^urlhash: bill.*\.pdf \(application\/pdf\) was not searched: .*\n$/,
    );
    expect(ran.stderr).not.toContain("\u202e");
    expect(ran.status).toBe(0);
    const records = JSON.parse((await run(["links", "--json", mail])).stdout);
    expect(records.at(-1)).toMatchObject({
      file: mail,
      unread: { type: "application/pdf", reason: "type" },
    });
  });

  test("a URL in the text and in the HTML is written once", async () => {
    const parts = ["plain\n\nsee http://a.example/", "html\n\n<a href='http://a.example/'>x</a>"];
    const stdin = `Content-Type: multipart/alternative; boundary=b\n\n${parts
      .map((part) => `--b\nContent-Type: text/${part}\n`)
      .join("")}--b--\n`;
    expect((await run(["links", "--as", "mail"], { stdin })).stdout).toBe(
      "text/html:1:10: http://a.example/ (also text/plain:1:5)\n",
    );
    const [record] = parsed((await run(["links", "--as", "mail", "--ndjson"], { stdin })).stdout);
    expect(record).toMatchObject({
      part: ["text/html"],
      also: [{ part: ["text/plain"], line: 1, column: 5 }],
    });
  });

  const ONE =
    "From a@a.example Thu Jan  1 00:00:00 1970\nReturn-Path: <a@a.example>\nSubject: 1\n\nhttp://a.example/\nFrom b\n";

  test("one email may begin with the line of a mailbox", async () => {
    for (const args of [[], ["--as", "mail"]]) {
      const { stdout } = await run(["links", ...args], { stdin: ONE });
      expect(stdout).toBe("text/plain:1:1: http://a.example/\n");
    }
  });

  test.each([
    ["\n", ""],
    ["\r\n", ""],
    ["\n", "\n"],
  ])("a mailbox is refused: line ends %j, after %j", async (end, start) => {
    const box = start + `${ONE}\n${ONE}`.replaceAll("\n", end);
    const file = folder.write("in.mbox", box);
    for (const argv of [[file], ["--as", "mail", file]]) {
      const ran = await run(["links", ...argv]);
      expect(ran).toMatchObject({ status: 2, stdout: "" });
      expect(ran.stderr).toContain(`${file} looks like a mailbox: expected one email`);
    }
  });

  test("an email that cannot be read as a whole: status 4", async () => {
    const stdin = "Content-Type: multipart/mixed\r\n\r\nhttp://a.example/\r\n";
    const ran = await run(["links", "--as", "mail"], { stdin });
    expect(ran.status).toBe(4);
    expect(ran.stderr).toContain("links may be missing");
    const [error] = parsed(
      (await run(["links", "--as", "mail", "--ndjson"], { stdin })).stdout,
    ).filter((record) => "error" in record);
    expect(error).toMatchObject({ error: { code: "boundary-missing" } });
  });
});

test("failures: status 2", async () => {
  for (const argv of [
    [folder.path("none")],
    [folder.path(".")],
    ["--as", "pdf"],
    ["--base", "nowhere"],
    [folder.write("wide.txt", Buffer.from("\ufeffhttp://a.example/", "utf16le"))],
  ]) {
    const ran = await run(["links", ...argv], { stdin: "" });
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^urlhash: [^\n]+\n$|^error: /);
  }
});

test("any bytes, and nothing in the output that a terminal would obey", {
  tags: "deep",
}, async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7919 + (i >> 3)) & 0xff));
  const odd = Buffer.concat([
    Buffer.from("x"),
    bytes,
    Buffer.from("\nhttp://\x1b[31m\u202ea.example/\x07\n"),
  ]);
  for (const as of ["text", "html", "markdown", "mail"]) {
    const ran = await run(["links", "--as", as], { stdin: odd });
    expect([0, 1, 4, 5]).toContain(ran.status);
    expect(ran.stdout + ran.stderr).not.toMatch(/[\x1b\x07\u202e]/);
  }
});
