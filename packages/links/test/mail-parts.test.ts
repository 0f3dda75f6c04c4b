import { findLinksInMail } from "@x/links/mail";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

const EVIL = "http://evil.example/login";

/** A mail with parts, each given as its lines. */
function multipart(type: string, ...parts: readonly (readonly string[])[]): string {
  const lines = [`Content-Type: multipart/${type}; boundary=b`, ""];
  return [...lines, ...parts.flatMap((part) => ["--b", ...part]), "--b--"].join("\r\n");
}

const found = async (mail: string) =>
  (await findLinksInMail(mail)).links.map(({ url, part, line }) => [url, part.join("/"), line]);

describe.each(["mixed", "alternative", "related"])("documents in multipart/%s", (type) => {
  test("each have their own base", async () => {
    const mail = multipart(
      type,
      ["Content-Type: text/html", "", "<base href='http://good.example/'>", "<a href=a>x</a>"],
      ["Content-Type: text/html", "", "<base href='http://evil.example/'>", "<a href=login>x</a>"],
      ["Content-Type: text/html", "", "<a href=none>x</a>"],
    );
    expect(await found(mail)).toEqual([
      ["http://good.example/a", "text/html", 2],
      [EVIL, "text/html 2", 2],
    ]);
  });

  test("do not go on in the next one", async () => {
    const mail = multipart(
      type,
      ["Content-Type: text/html", "", "<p>Hello <!-- "],
      ["Content-Type: text/html", "", `<a href="${EVIL}">x</a>`],
    );
    expect(await found(mail)).toEqual([[EVIL, "text/html 2", 1]]);
  });

  test("a text is not read as HTML, and has its own lines", async () => {
    const mail = multipart(
      type,
      ["Content-Type: text/html", "", `<a href="${EVIL}">x</a>`],
      ["", "see", "http://a.example.com/"],
    );
    expect(await found(mail)).toEqual([
      ["http://a.example.com/", "text/plain", 2],
      [EVIL, "text/html", 1],
    ]);
  });
});

test("the header of a part, or of what is around it, is its base", async () => {
  const mail = [
    "Content-Location: http://outer.example/",
    multipart(
      "mixed",
      ["Content-Type: text/html", "Content-Location: http://evil.example/", "", "<a href=login>"],
      ["Content-Type: text/html", "", "<a href=x>"],
    ),
  ].join("\r\n");
  expect((await found(mail)).map(([url]) => url)).toEqual([EVIL, "http://outer.example/x"]);
});

test("a part of a digest is a message", async () => {
  const mail = multipart(
    "digest",
    ["", "Subject: x", "", EVIL],
    ["Content-Type: text/plain", "", EVIL],
  );
  expect(await found(mail)).toEqual([
    [EVIL, "text/plain", 1],
    [EVIL, "message/rfc822/text/plain", 1],
  ]);
});

/** Decodes quoted-printable by RFC 2045 §6.7, one rule after the other. */
function decodeQuotedPrintable(text: string): string {
  return text
    .split("\r\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("")
    .replaceAll("=\n", "")
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

test.each(["text/html", "text/plain"])("blanks at the ends of lines of %s", async (type) => {
  const piece = fc.constantFrom(
    ...["= \r\n", "=\t \r\n", "=\r\n", " \r\n", "=20\r\n", "=20=\r\n", "\r\n", " ", "  "],
    ...["=2E", "a", "/", "=3D", "http://evil.example/"],
  );
  let softBreaks = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const body = `<a href=3D"http://evil.example/${pieces.join("")}">x</a>`;
      const decoded = decodeQuotedPrintable(body);
      const headers = [`Content-Type: ${type}`, ""].join("\r\n");
      const encoding = "Content-Transfer-Encoding: Quoted-Printable (c)\r\n";
      const { links } = await findLinksInMail(`${encoding}${headers}\r\n${body}`);
      expect(links).toEqual((await findLinksInMail(`${headers}\r\n${decoded}`)).links);
      if (/=[ \t]+\r/.test(body)) softBreaks++;
    }),
    { seed: 20261128, numRuns: sampleSize(1000) },
  );
  expect(softBreaks).toBeGreaterThan(0);
});

test("blanks at the ends of lines of other encodings stay", async () => {
  const mail =
    "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\nhttp://evil.example/log \r\nin";
  expect(await found(mail)).toEqual([[EVIL, "text/plain", 1]]);
});

/* The parser of whole mails is the oracle: it joins what is in all parts of a type. */

const TYPE = fc.constantFrom("text/html", "text/plain", "TEXT/HTML; charset=utf-8 (c)");
const LINE = fc.constantFrom(
  ...["text", "", "--", "--a", "--b", "--b--", "--c--", " --b", "--b \t", "--bb", "--b--x"],
  ...["Content-Type: multipart/mixed; boundary=b", "Content-Type: text/html"],
);
const BOUNDARY = fc.constantFrom(
  ...["boundary=#", 'boundary="#"', "BOUNDARY = #", 'x=1; boundary="#" (c)', "boundary*0=#"],
  ...["flag; boundary=#", "boundary*=us-ascii''#", 'x=";"; boundary="\\#"', "(;) boundary=#;"],
  ...[
    'boundary="#"; boundary=z',
    '\r\n boundary="#"',
    'x="(";boundary=#',
    "(boundary=z) boundary=#",
  ],
);

interface Node {
  readonly lines: readonly string[];
}

const leaf = fc
  .record({ type: TYPE, body: fc.array(LINE, { maxLength: 4 }) })
  .map(({ type, body }): Node => ({ lines: [`Content-Type: ${type}`, "", ...body] }));

const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .record({
        type: fc.constantFrom("mixed", "related", "Digest"),
        written: BOUNDARY,
        boundary: fc.constantFrom("a", "b", "c", "a.b"),
        parts: fc.array(tie("tree"), { maxLength: 3 }),
        isClosed: fc.boolean(),
      })
      .map(({ type, written, boundary, parts, isClosed }) => ({
        lines: [
          `Content-Type: multipart/${type}; ${written.replace("#", boundary)}`,
          ...["", "before"],
          ...parts.flatMap(({ lines }) => [`--${boundary}`, ...lines]),
          ...(isClosed ? [`--${boundary}--`, "after"] : []),
        ],
      })),
  ),
}));

test("the parts are those that the parser of whole mails finds", async () => {
  let texts = 0;
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom("\r\n", "\n"), async ({ lines }, lineEnd) => {
      // Each line of a text is a link of its own.
      const mail = lines
        .map((line, i) => (line === "text" ? `http://a.example/${i}/` : line))
        .join(lineEnd);
      const whole = await PostalMime.parse(mail, { forceRfc822Attachments: true });
      const all = `${whole.html ?? ""} ${whole.text ?? ""}`;
      const expected = new Set(all.match(/http:[\w:/.]+/g));
      const { links } = await findLinksInMail(mail);
      const own = links.filter(({ part }) => part.length === 1 && part[0]!.startsWith("text/"));
      expect(new Set(own.map(({ url }) => url)), mail).toEqual(expected);
      texts += expected.size;
    }),
    { seed: 20261128, numRuns: sampleSize(3000) },
  );
  expect(texts).toBeGreaterThan(sampleSize(3000) / 10);
});
