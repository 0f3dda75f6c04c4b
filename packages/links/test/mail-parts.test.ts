import { findLinksInMail } from "@x/links/mail";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

const EVIL = "http://evil.example/login";

/** An email with parts, each given as its lines. */
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

test("flowed lines in quoted text", async () => {
  const mail = (lines: readonly string[]) =>
    ["Content-Type: text/plain; format=flowed; delsp=yes", "", ...lines].join("\r\n");
  expect(await found(mail(["> http://evil.exam ", "> ple/log ", ">in"]))).toEqual([
    [EVIL, "text/plain", 1],
  ]);
  // Lines of another depth, and signatures, do not continue a paragraph.
  for (const next of ["> ple/login", "ple/login", ">>ple/login", ">-- "]) {
    const lines = ["Hello", ">>> a", ">http://a.com/x ", next];
    const [first] = await found(mail(lines));
    const isSameDepth = next === "> ple/login";
    expect(first).toEqual([`http://a.com/x${isSameDepth ? "ple/login" : ""}`, "text/plain", 3]);
  }
});

test("a body that is somewhere else is reported", async () => {
  const type = "message/external-body";
  const { unread } = await findLinksInMail(
    multipart("mixed", [
      `Content-Type: ${type}; access-type=URL; URL="http://evil.example/"; name=a.png`,
      ...["", "Content-Type: image/png", "", ""],
    ]),
  );
  expect(unread).toEqual([{ part: [`${type} a.png`], name: "a.png", type, reason: "type" }]);
});

test.each([
  ["boundary=x; boundary=b", ["headers-differ"]],
  ["boundary=b; boundary*=us-ascii''x", ["headers-differ"]],
  ["boundary=b; boundary=b", []],
  ['boundary=""', ["boundary-missing"]],
  ["charset=utf-8", ["boundary-missing"]],
  [`boundary=${"x".repeat(201)}`, ["boundary-missing"]],
  ["boundary*=utf-8''%C3%A9", ["boundary-missing"]],
  ["boundary=-", ["boundary-missing"]],
])("a multipart with %s", async (parameters, expected) => {
  const html = Buffer.from(`<a href="${EVIL}">x</a>`).toString("base64");
  const mail = [
    `Content-Type: multipart/mixed; ${parameters}`,
    ...["", "--b", "Content-Type: text/html", "Content-Transfer-Encoding: base64", "", html],
    ...["--b--", "--x", "", "Hello", "-- ", "Eve", "--x--"],
  ].join("\r\n");
  const { problems } = await findLinksInMail(mail);
  expect(problems.map(({ code }) => code)).toEqual(expected);
});

test.each([
  ["--b\r\n\r\nHello\r\n--b--", []],
  ["--b\r\n\r\nHello\r\n--b-- \t", []],
  // By RFC 2046 §5.1.1, a boundary is a line that begins with it. Most programs require the whole line.
  ["--b\r\n\r\nHello\r\n--bb\r\n\r\nHello\r\n--b--", ["boundary-missing"]],
  ["--b\r\n\r\nHello\r\n--b--x", []],
  [
    "--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\nHello\r\n--bb--\r\n--b--",
    [],
  ],
  // All of the contents come before the only boundary, which is the last one.
  [`${EVIL}\r\n--b--`, ["boundary-missing"]],
  // Where a program finds no boundary, all of this is text.
  [`--b--\r\n${EVIL}`, ["boundary-missing"]],
  [`--b--${EVIL}`, ["boundary-missing"]],
  [`--x--\r\n--b\r\n\r\nHello`, []],
  ["--x--", ["boundary-missing"]],
  ["--b--", []],
  ["\r\n \r\n--b-- \r\n\r\n", []],
  ["--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c--\r\n--b--", []],
  [
    "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\nHello\r\n--c--\r\n--b--",
    ["boundary-missing"],
  ],
])("a multipart with the contents %j", async (contents, expected) => {
  const mail = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${contents}\r\n`;
  const { problems } = await findLinksInMail(mail);
  expect(problems.map(({ code }) => code)).toEqual(expected);
});

const IN_XML = "<a href='http&#58;//evil.example/login'/>";
const FOLDED = "BEGIN:VCARD\r\nURL:http://evil.exam\r\n ple/login\r\nEND:VCARD";

test.each([
  ["text/xml", IN_XML],
  ["application/xml", IN_XML],
  ["application/octet-stream; name=a.xml", IN_XML],
  ["text/x-vcard", FOLDED],
  ["text/directory", FOLDED],
  ["text/x-vcalendar", FOLDED],
  ["text/x-vcard", "URL;WORK;ENCODING=QUOTED-PRINTABLE:http=3A//evil.exam=\r\nple/=6Cogin\r\nN:a"],
  ["text/calendar", "DESCRIPTION;CHARSET=utf-8;QUOTED-PRINTABLE:=68ttp=3A=2F=2Fevil.example/login"],
])("an attachment of the type %s", async (type, contents) => {
  const mail = multipart("mixed", ["", "Hello"], [`Content-Type: ${type}`, "", contents]);
  expect((await found(mail)).map(([url]) => url)).toEqual([EVIL]);
});

test("an encrypted message in the text is not searched", async () => {
  const type = "application/pgp-encrypted";
  const armored = ["-----BEGIN PGP MESSAGE-----", "", "hQEMAw==", "-----END PGP MESSAGE-----"];
  const mail = ["Content-Type: text/plain", "", "Hello", ...armored].join("\r\n");
  expect((await findLinksInMail(mail)).unread).toEqual([
    { part: [type], name: null, type, reason: "type" },
  ]);
});

test.each([
  ["-----BEGIN PGP MESSAGE-----", "application/pgp-encrypted", null],
  ["begin 644 a.html", "application/x-uuencode", "a.html"],
  ["begin-base64 644 a.html", "application/x-uuencode", "a.html"],
  ["=ybegin line=128 size=42 name=a.html", "application/x-yencode", "a.html"],
  ["(This file must be converted with BinHex 4.0)", "application/mac-binhex40", null],
])("a file in HTML or in a quoted text is reported: %s", async (begin, type, name) => {
  const expected = [
    { part: [name === null ? type : `${type} ${name}`], name, type, reason: "type" },
  ];
  for (const [of, body] of [
    ["html", `<p>Hello</p><pre>${begin}\r\n\r\nhQEMAw==\r\n</pre>`],
    ["html", `<p>Hello<br>${begin}<br>hQEMAw==</p>`],
    ["plain", `> Hello\r\n>${begin}\r\n>hQEMAw==`],
  ]) {
    const mail = `Content-Type: text/${of}\r\n\r\n${body}`;
    expect((await findLinksInMail(mail)).unread).toEqual(expected);
  }
});

test("HTML in a calendar", async () => {
  const calendar = [
    "BEGIN:VCALENDAR",
    'X-ALT-DESC;FMTTYPE=text/html:<a href="http://evi&#108\\;.exam',
    ' ple/login">x</a> http://a.example.com/',
    "END:VCALENDAR",
  ];
  const mail = multipart("mixed", ["", "Hello"], ["Content-Type: text/calendar", "", ...calendar]);
  expect((await found(mail)).map(([url]) => url)).toContain(EVIL);
});

test.each(["text/calendar", "text/calendar; charset=utf-8", "text/vcard"])(
  "a line of %s that is folded inside a character",
  async (type) => {
    const lines = [`Content-Type: ${type}`, "", "BEGIN:VCALENDAR", "URL:http://b\xc3"];
    const mail = [...lines, " \xbccher.example/a", "\tb", "END:VCALENDAR"].join("\r\n");
    const { links } = await findLinksInMail(Buffer.from(mail, "latin1"));
    expect(links.map(({ url }) => url)).toEqual(["http://b\u00fccher.example/ab"]);
  },
);

test("a file in a calendar is reported", async () => {
  const calendar = [
    "ATTACH:http://evil.example/login",
    "ATTACH;VALUE=BINARY;ENCODING=BASE64:PGEgaHJlZj0iaHR0cDovL2",
    " V2aWwuZXhhbXBsZS8iPg==",
    "ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=text/html;X-FILENAME=a.html:PGE+",
  ];
  const mail = ["Content-Type: text/calendar", "", ...calendar].join("\r\n");
  const { links, unread } = await findLinksInMail(mail);
  expect(links.map(({ url }) => url)).toEqual([EVIL]);
  const reason = "type";
  const types = ["application/octet-stream", "text/html"] as const;
  expect(unread).toEqual([
    { part: ["text/calendar", types[0]], name: null, type: types[0], reason },
    { part: ["text/calendar", `${types[1]} a.html`], name: "a.html", type: types[1], reason },
  ]);
});

test.each(["text/html charset=utf-8", "text/html, charset=utf-8"])(
  "a type without a semicolon: %s",
  async (type) => {
    const mail = `Content-Type: ${type}\r\n\r\n<a href="${EVIL}">x</a>`;
    expect(await found(mail)).toEqual([[EVIL, "text/html", 1]]);
  },
);

test.each(["text/rtf", "text/plain; name=a.rtf"])("RTF as %s is not searched", async (type) => {
  const rtf = String.raw`{\rtf1{\field{\*\fldinst HYPERLINK "http://\'65vil.example/login"}}}`;
  const mail = multipart(
    "mixed",
    ["", "Hello"],
    [`Content-Type: ${type}`, "Content-Disposition: attachment", "", rtf],
  );
  const { links, unread } = await findLinksInMail(mail);
  expect([links.length, unread.length]).toEqual([0, 1]);
});

test("a part with two character sets", async () => {
  const mail = "Content-Type: text/html; charset=utf-8; charset=utf-16\r\n\r\nHello";
  const { problems } = await findLinksInMail(mail);
  expect(problems).toEqual([{ part: [], code: "headers-differ" }]);
});

test.each(["x-uuencode", "X-UUE", "uue (c)", "x-gzip64"])(
  "a part in the encoding %s is reported",
  async (encoding) => {
    for (const type of ["text/html", "text/plain", "application/octet-stream; name=a.txt"]) {
      const headers = [`Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, ""];
      const { unread, links } = await findLinksInMail([...headers, `see ${EVIL}`].join("\r\n"));
      expect(unread.map(({ reason }) => reason)).toEqual(["encoding"]);
      expect(links.map(({ url }) => url)).toEqual([EVIL]);
    }
  },
);

test.each(['"base64"', '"Quoted-Printable"', "x-base64", "base64-8bit"])(
  "a part in the encoding %s, which only some programs decode, is reported",
  async (encoding) => {
    const headers = ["Content-Type: text/html", `Content-Transfer-Encoding: ${encoding}`, ""];
    const { unread } = await findLinksInMail([...headers, `see ${EVIL}`].join("\r\n"));
    expect(unread.map(({ reason }) => reason)).toEqual(["encoding"]);
  },
);

test.each([
  ["begin 644 page.html", "page.html"],
  ["begin-base64 0644 my page.html ", "my page.html"],
])("a uuencoded file in a text is reported: %s", async (begin, name) => {
  const lines = ["Hello", begin, "#86)C", "`", "end"];
  const type = "application/x-uuencode";
  for (const [place, mail] of [
    [[], ["", ...lines].join("\r\n")],
    [["text/csv"], ["Content-Type: text/csv", "", ...lines].join("\n")],
  ] as const) {
    expect((await findLinksInMail(mail)).unread).toEqual([
      { part: [...place, `${type} ${name}`], name, type, reason: "type" },
    ]);
  }
  const { unread } = await findLinksInMail(`\r\nbegin 1 a\r\n begin 644 b\r\nbegin 644`);
  expect(unread).toEqual([]);
});

test.each([
  ['"b "', "b"],
  ["bé", "bé"],
  [`"${"x".repeat(200)}"`, "x".repeat(200)],
])("a multipart with the odd boundary %s is read", async (written, boundary) => {
  const html = Buffer.from(`<a href="${EVIL}">x</a>`).toString("base64");
  const mail = [
    `Content-Type: multipart/mixed; boundary=${written}`,
    ...["", `--${boundary}`, "Content-Type: text/html", "Content-Transfer-Encoding: base64"],
    ...["", html, `--${boundary}--`],
  ].join("\r\n");
  const { links, problems } = await findLinksInMail(mail);
  expect([links.map(({ url }) => url), problems]).toEqual([[EVIL], []]);
});

/* The oracle is `postal-mime` with a whole email, which joins the texts of all parts of a type. */

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

test("the parts are those that the parser of whole emails finds", async () => {
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
      const urls = new Set(own.map(({ url }) => url));
      // A message with such a line is also read as if its body began there.
      const hasLineAmongHeaders = /^--.*\r?\n(?:\S+:.*\r?\n)*--/m.test(mail);
      if (hasLineAmongHeaders)
        expect([...urls], mail).toEqual(expect.arrayContaining([...expected]));
      else expect(urls, mail).toEqual(expected);
      texts += expected.size;
    }),
    { seed: 20261128, numRuns: sampleSize(3000) },
  );
  expect(texts).toBeGreaterThan(sampleSize(3000) / 10);
});

test("a part is decoded as the parser of whole emails decodes it", async () => {
  const piece = fc.constantFrom(
    ...[
      "http://a.example/",
      "x y",
      "=",
      "=3D",
      "=2e",
      "=\r\n",
      "=G1",
      "\r\n",
      "\r",
      " ",
      "é",
      "==",
      "-- ",
    ],
    ...[
      "aHR0cDovL2EuZXhhbXBsZS8=",
      "aHR0cDovL2EuZXhhbXBsZS9iYw",
      "\r\n ",
      "<a href=http://b.example>",
    ],
  );
  const header = fc.constantFrom(
    ...["Content-Type: text/html", "Content-Type: text/plain; charset=iso-8859-1", "X-A: b"],
    ...[
      "Content-Type: text/plain; format=flowed",
      "CONTENT-TYPE: text/plain; format=flowed; DelSp=yes",
    ],
    ...[
      "Content-Disposition: attachment; filename=a.txt",
      "Content-Type: text/csv",
      "content-type:",
    ],
    ...[
      "Content-Disposition: inline; filename*=utf-8''a%C3%A9.html",
      "Content-Type: x; name=b.html",
    ],
  );
  const encoding = fc.constantFrom("7bit", "base64", "QUOTED-PRINTABLE", "(c) base64", "8bit");
  let decoded = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(header, { maxLength: 3 }),
      encoding,
      fc.array(piece, { maxLength: 12 }),
      async (headers, encoding, pieces) => {
        const head = [...headers, `Content-Transfer-Encoding: ${encoding}`, "", ""].join("\r\n");
        const written = `${pieces.join("")}\r\n`;
        // Only we drop the blanks at the ends of lines.
        const isQuoted = /quoted/i.test(encoding);
        const mail = Buffer.from(
          head + (isQuoted ? written.replace(/[ \r]+(?=\r\n)/g, "") : written),
        );
        const { text, html, attachments } = await PostalMime.parse(mail);
        // The parser ends all lines in LF, except in base64.
        const { links, unread } = await findLinksInMail(mail);
        const type = html === undefined ? "text/plain" : "text/html";
        const body = html ?? text;
        const file = attachments[0];
        const plain = `Content-Type: ${file?.mimeType ?? type}`;
        const name = file?.filename == null ? "" : `; name="${file.filename}"`;
        const content =
          file === undefined ? Buffer.from(body ?? "") : Buffer.from(file.content as ArrayBuffer);
        const again = await findLinksInMail(
          Buffer.concat([
            Buffer.from(`${plain}${name}${file === undefined ? "; charset=utf-8" : ""}\n`),
            Buffer.from(file === undefined ? "\n" : "Content-Disposition: attachment\n\n"),
            content,
          ]),
        );
        const places = (found: typeof links) =>
          found
            .filter(({ part }) => part[0] !== "raw")
            .map(({ url, part, line, shown }) => [url, part, line, shown]);
        expect(places(links)).toEqual(places(again.links));
        expect(unread.filter(({ reason }) => reason !== "charset")).toEqual(again.unread);
        if (links.length > 0 && /base64|quoted/i.test(encoding)) decoded++;
      },
    ),
    { seed: 20261129, numRuns: sampleSize(3000) },
  );
  expect(decoded).toBeGreaterThan(0);
});

test("encoded words are those that the parser of whole emails reads", async () => {
  const word = fc.constantFrom(
    ...[
      "=?utf-8?Q?http=3A//a.example/_?=",
      "=?UTF-8?b?aHR0cDovL2EuZXhhbXBsZS8=?=",
      "=?utf-8*en?q?b=2Eexample/x?=",
    ],
    ...[
      "=?iso-8859-1?Q?=E9?=",
      "=?utf-8?q?=C3?= =?utf-8?q?=A9?=",
      "=?utf-8?B?w6k=?=",
      "=?utf-8?Q?a?b?=",
    ],
    ...[" ", "\r\n ", "see ", "http://c.example/", "=?", "?="],
  );
  let found = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
      const subject = words.join("");
      const { subject: decoded = "" } = await PostalMime.parse(`Subject: ${subject}\r\n\r\nx`);
      const { links } = await findLinksInMail(`Subject: ${subject}\r\n\r\nx`);
      const expected = await findLinksInMail(`Subject: ${decoded}\r\n\r\nx`);
      const urls = links.map(({ url }) => url);
      expect(urls).toEqual(expected.links.map(({ url }) => url));
      found += links.length;
    }),
    { seed: 20261130, numRuns: sampleSize(3000) },
  );
  expect(found).toBeGreaterThan(0);
});

describe("a text that says it is in UTF-16", () => {
  const text = `see ${EVIL}`;
  const bytes = {
    "little-endian": Buffer.from(text, "utf16le"),
    "big-endian": Buffer.from(text, "utf16le").swap16(),
    ASCII: Buffer.from(text),
  };
  test.each(
    ["utf-16", "UTF-16LE", '"utf-16be"', "ucs-2"].flatMap((charset) =>
      ["7bit", "8bit", "base64"].flatMap((encoding) =>
        Object.keys(bytes).map((order) => [charset, encoding, order] as const),
      ),
    ),
  )("%s, %s, in fact %s", async (charset, encoding, order) => {
    const body = bytes[order as keyof typeof bytes];
    const headers = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
    const mail = [
      Buffer.from(headers),
      encoding === "base64" ? Buffer.from(body.toString("base64")) : body,
    ];
    const { links } = await findLinksInMail(Buffer.concat(mail));
    expect(links.map(({ url }) => url)).toContain(EVIL);
  });
});

test.each([
  ["Content-Type: text/calendar; charset=utf-16", "BEGIN:VCALENDAR\r\nURL:http://evil.example/"],
  [`Subject: =?utf-16?B?${Buffer.from(EVIL).toString("base64")}?=`, "Hello"],
])("%s: a text in UTF-16 outside of the body is reported", async (header, body) => {
  const { unread } = await findLinksInMail(`${header}\r\n\r\n${body}`);
  expect(unread.map(({ reason }) => reason)).toEqual(["charset"]);
});

describe("a line among the headers that is no header field", () => {
  const base64 = Buffer.from(`see ${EVIL}\n`).toString("base64");
  const stray = ["Hello,", EVIL];

  test.each([
    ["begins a body", ["Subject: a", ...stray]],
    ["begins a body in base64", ["Content-Transfer-Encoding: base64", base64]],
    ["begins the body of a part", [multipart("mixed", ["X-A: b", ...stray])]],
    ["begins a part without headers", [multipart("mixed", stray)]],
    ["begins a message in a digest", [multipart("digest", ["", ...stray])]],
    ["begins a forwarded message", ["Content-Type: message/rfc822", "", "Subject: a", ...stray]],
    ["is a boundary", ["Content-Type: multipart/mixed; boundary=b", "--b", "", EVIL, "--b--"]],
    [
      "is before a boundary",
      ["Content-Type: multipart/mixed; boundary=b", "Hello", "--b", "", EVIL, "--b--"],
    ],
    ["is skipped", ["Hello", "Content-Transfer-Encoding: base64", "", base64]],
  ])("%s", async (_, lines) => {
    const { links, problems } = await findLinksInMail(lines.join("\r\n"));
    expect(links.map(({ url }) => url)).toEqual([EVIL]);
    expect(problems).toEqual([]);
  });
});
