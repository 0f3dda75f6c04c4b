import { runInNewContext } from "node:vm";
import { findLinksInMail } from "@x/links/mail";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const urls = async (mail: string | Uint8Array) =>
  (await findLinksInMail(mail)).links.map(({ url }) => url);

/** A message inside `depth` other messages. */
function nested(depth: number): string {
  let mail = "Subject: x\r\n\r\nhttp://inside.com/";
  for (let i = 0; i < depth; i++) {
    mail = `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n--b${i}--`;
  }
  return mail;
}

test("messages are opened to a depth, and what is deeper is reported", async () => {
  expect(await urls(nested(9))).toEqual(["http://inside.com/"]);
  const { links, unread } = await findLinksInMail(nested(14));
  expect(links).toEqual([]);
  expect(unread).toEqual([
    { part: Array(11).fill("message/rfc822"), name: null, type: "message/rfc822", reason: "depth" },
  ]);
});

test("a structure that is too deep, or has too many headers, is searched as plain text", async () => {
  let deep = "http://deep.com/";
  for (let i = 0; i < 300; i++) {
    deep = `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n${deep}`;
  }
  const headers = `${"X-A: ".padEnd(1000, "x")}\r\n`.repeat(3000);
  for (const mail of [deep, `${headers}\r\nhttp://deep.com/ <a href="http://tag.com/">x</a>`]) {
    const { links, problems } = await findLinksInMail(mail);
    expect(problems.map(({ code }) => code)).toEqual(["structure-unreadable"]);
    expect(links.map(({ url }) => url)).toContain("http://deep.com/");
  }
});

test("an email that is too long is searched in part", async () => {
  const mail = `Subject: x\r\n\r\nhttp://a.com/ ${"x ".repeat(500)}http://b.com/`;
  const { links, problems } = await findLinksInMail(mail, { maxBytes: 100 });
  expect(problems).toEqual([{ part: [], code: "mail-too-long" }]);
  expect(links.map(({ url }) => url)).toEqual(["http://a.com/"]);
});

test("the part of a link, from the outermost to the innermost", async () => {
  const { links } = await findLinksInMail(nested(2));
  expect(links[0]!.part).toEqual(["message/rfc822", "message/rfc822", "text/plain"]);
});

test("a URL in the text and in the HTML is one link, with both places", async () => {
  const mail = [
    "Content-Type: multipart/alternative; boundary=b",
    ...["", "--b", "Content-Type: text/plain", "", "Hi", "see http://a.com/ or http://b.com/"],
    "again http://a.com/",
    ...["--b", "Content-Type: text/html", "", "<a href='http://a.com/'>bank.com</a>"],
    ...["<a href='http://c.com/'>x</a><a href='http://a.com/'>y</a>", "--b--"],
  ].join("\r\n");
  const { links } = await findLinksInMail(mail);
  const part = ["text/plain"];
  expect(
    links.map(({ url, part, line, shown, also }) => [url, part[0], line, shown, also]),
  ).toEqual([
    ["http://b.com/", "text/plain", 2, null, []],
    [
      ...["http://a.com/", "text/html", 1, "bank.com"],
      [
        { part, line: 2, column: 5 },
        { part, line: 3, column: 7 },
      ],
    ],
    ["http://c.com/", "text/html", 2, null, []],
    ["http://a.com/", "text/html", 2, null, []],
  ]);
});

test.each([
  ["\ufeffhttp://a.com/ä", "utf-8"],
  ["\ufeffhttp://a.com/ä", "utf16le"],
  ["<meta charset=windows-1251>http://a.com/\xe4", "latin1"],
  ["<?xml version='1.0' encoding='iso-8859-1'?>http://a.com/\xe4", "latin1"],
  ["<meta charset=no-such>http://a.com/\xe4", "latin1"],
  ["<meta charset=utf-16>http://a.com/x", "latin1"],
] as const)("the encoding of an attachment: %j in %s", async (text, encoding) => {
  const content = Buffer.from(text, encoding).toString("base64");
  const mail = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/octet-stream; name=a.html\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}\r\n--b--`;
  const found = await urls(mail);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^http:\/\/a\.com\/./);
});

test.each(["utf-16", "utf-16be", "utf-16le", "utf-8", null])(
  "UTF-16 with a byte order mark, as %s",
  async (charset) => {
    const type = charset === null ? "text/html" : `text/html; charset=${charset}`;
    const low = Buffer.from("\ufeff<a href='http://b\u00fccher.example/\u0431'>x</a>", "utf16le");
    for (const bytes of [low, Buffer.from(low).swap16()]) {
      const mail = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString("base64")}`;
      expect(await urls(mail)).toContain("http://b\u00fccher.example/\u0431");
    }
  },
);

test("UTF-16 without a byte order mark, in either byte order", async () => {
  const low = Buffer.from("see http://b\u00fccher.example/", "utf16le");
  for (const bytes of [low, Buffer.from(low).swap16()]) {
    const mail = `Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString("base64")}`;
    expect(await urls(mail)).toContain("http://b\u00fccher.example/");
  }
});

test("bytes of another realm", async () => {
  const mail = [...Buffer.from("Subject: x\r\n\r\nhttp://a.com/")];
  expect(await urls(runInNewContext("Uint8Array").from(mail))).toEqual(["http://a.com/"]);
});

test("UTF-16 with the high byte first", async () => {
  const content = Buffer.from("\ufeffhttp://a.com/x", "utf16le").swap16();
  for (const bytes of [content, content.subarray(2)]) {
    const mail = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/octet-stream; name=a.txt\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString("base64")}\r\n--b--`;
    expect(await urls(mail)).toEqual(["http://a.com/x"]);
  }
});

test("wrong arguments", async () => {
  await expect(findLinksInMail(1 as never)).rejects.toThrow(TypeError);
  await expect(findLinksInMail(new Uint16Array(1) as never)).rejects.toThrow(TypeError);
  await expect(findLinksInMail("", { maxBytes: "1" as never })).rejects.toThrow(TypeError);
  await expect(findLinksInMail("", { maxBytes: 0 })).rejects.toThrow(RangeError);
});

test("any bytes give a result", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "Content-Type: multipart/mixed; boundary=b",
      "Content-Type: message/rfc822",
      "Content-Type: text/html; charset=utf-16",
      "Content-Transfer-Encoding: base64",
      "Content-Transfer-Encoding: quoted-printable",
      "List-Unsubscribe: <http://a.com",
      "Subject: =?utf-8?B?////?=",
      "",
      "--b",
      "--b--",
      "<a href=http://a.com>",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.boolean(), async (lines, isBytes) => {
      const mail = lines.join("\r\n");
      const { links } = await findLinksInMail(isBytes ? Buffer.from(mail, "latin1") : mail);
      for (const { url, part } of links)
        expect([url !== "", part.length > 0]).toEqual([true, true]);
    }),
    { seed: 20261127, numRuns: sampleSize(3000) },
  );
});

test("lines that end in CR alone", async () => {
  const mail = "Subject: x\nContent-Type: text/html\n\n<a href=http://evil.example>\n";
  const { links, problems } = await findLinksInMail(mail.replaceAll("\n", "\r"));
  expect(links.map(({ url, line }) => [url, line])).toEqual([["http://evil.example", 1]]);
  expect(problems).toEqual([]);
});

test("a reference in an email that begins with a host", async () => {
  const mail =
    "Content-Type: text/html\r\n\r\n<a href='www.evil.example.com'>x</a><a href='x'>y</a>";
  const { links } = await findLinksInMail(mail);
  expect(links.map(({ url }) => url)).toEqual(["http://www.evil.example.com"]);
});

test.each([
  ["<base>", "", "<base href='http://good.example/d/'>"],
  ["Content-Location", "Content-Location: http://good.example/d/\r\n", ""],
])("a reference that begins with a host, with a base in %s", async (_where, header, base) => {
  const html = `${base}<a href="www.evil.example/login">www.bank.com</a><a href="login">x</a>`;
  const { links } = await findLinksInMail(`${header}Content-Type: text/html\r\n\r\n${html}`);
  // Mail programs read the reference as a host, and browsers read it as a path.
  expect(links.map(({ url, text, shown }) => [url, text, shown])).toEqual([
    ["http://good.example/d/www.evil.example/login", "www.evil.example/login", "www.bank.com"],
    ["http://www.evil.example/login", "www.evil.example/login", "www.bank.com"],
    ["http://good.example/d/login", "login", null],
  ]);
});

test.each(["From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Resent-From", "Resent-To"])(
  "a URL in the name of an address in %s is found",
  async (header) => {
    for (const name of [
      '"Win now: http://evil.example/x"',
      "Win now http://evil.example/x",
      "=?utf-8?Q?Win_http=3A//evil.example/x?=",
      "=?utf-8?B?aHR0cDovL2V2aWwuZXhhbXBsZS94?=",
      '"say \\"http://evil.example/x\\""',
    ]) {
      const { links, unread } = await findLinksInMail(`${header}: ${name} <a@a.example>\n\nhi`);
      expect(links.map(({ url, part }) => [url, part])).toEqual([
        ["http://evil.example/x", [header.toLowerCase()]],
      ]);
      expect(unread).toEqual([]);
    }
  },
);

test("addresses are no links", async () => {
  expect(await urls("From: a@a.example\nTo: Bob <bob@b.example>, c@c.example (C)\n\nhi")).toEqual(
    [],
  );
});

test("a piece of a message is reported, because a link in it may be cut", async () => {
  const type = "message/partial";
  const mail = `Subject: s\nContent-Type: ${type}; number=1; total=2; id="x@a.example"\n\nSubject: s\n\nlog in at http://ev`;
  const { unread } = await findLinksInMail(mail);
  expect(unread).toEqual([{ part: [type], name: null, type, reason: "partial" }]);
});

test.each([
  ["utf-8", false],
  ["US-ASCII", false],
  ["iso-2022-jp", false],
  ["utf-7", true],
  ["x-unknown", true],
  ["cp037", true],
])("a part in %s is reported: %s", async (charset, isReported) => {
  for (const type of ["text/plain", "text/html"]) {
    const { unread, links } = await findLinksInMail(
      `Subject: s\nContent-Type: ${type}; charset=${charset}\n\nhttp://a.example/`,
    );
    expect(unread).toEqual(
      isReported ? [{ part: [type], name: null, type, reason: "charset" }] : [],
    );
    expect(links).toHaveLength(1);
  }
});

test("a file of an email in UTF-16 is reported, whatever type it has", async () => {
  const content = Buffer.from("see http://a.example/", "utf16le").toString("base64");
  const type = "application/octet-stream";
  const mail = `Content-Type: ${type}; charset=utf-16le; name=a.eml\nContent-Transfer-Encoding: base64\n\n${content}`;
  expect((await findLinksInMail(mail)).unread).toEqual([
    { part: [`${type} a.eml`], name: "a.eml", type, reason: "charset" },
  ]);
});

test("an encoded word in an unknown character set is reported", async () => {
  const { unread } = await findLinksInMail("Subject: =?x-unknown?Q?a?=\n\nhi");
  expect(unread).toEqual([
    { part: ["subject"], name: null, type: "text/plain", reason: "charset" },
  ]);
});

test.each(["message/rfc822", "application/octet-stream; name=a.eml", "message/global"])(
  "attachments of the type %s have the same links however they are encoded",
  async (type) => {
    const inner = "Subject: http://s.example/\n\nhttp://a.example/\n";
    for (const [encoding, body] of [
      ["7bit", inner],
      ["base64", Buffer.from(inner).toString("base64")],
    ]) {
      const mail = `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n--b--\n`;
      expect(await urls(mail)).toEqual(["http://s.example/", "http://a.example/"]);
    }
  },
);
