import { findLinks, findLinksInStream, unwrapLink } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import { lookAtUrl } from "@x/links/unwrap";
import { stopwatch } from "@x/test-support/linear-time";
import { expect, test } from "vitest";

const LONG = 10_000_000;
const TIMES_LONGER = 16;
/**
 * A limit between the ratio for linear growth (16, or more if memory gets slower) and the one for quadratic growth
 * (256).
 */
const LIMIT = 160;

const repeated = (piece: string) => (length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

async function readStream(text: string, as: "text" | "html"): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(text.length / 1000) }, (_, i) =>
    text.slice(i * 1000, (i + 1) * 1000),
  );
  for await (const _ of findLinksInStream(pieces, { as }));
}

const part = (type: string, text: string) => `--b\r\nContent-Type: text/${type}\r\n\r\n${text}\r\n`;
const mail = (type: string, parts: string) =>
  `Content-Type: multipart/${type}; boundary=b\r\n\r\n${parts}--b--\r\n`;

const CASES: readonly (readonly [
  name: string,
  run: (text: string) => unknown,
  make: (length: number) => string,
])[] = [
  ["text of brackets", (text) => findLinks(text), repeated("http://a.com/(((")],
  ["text of dots", (text) => findLinks(text), repeated("a.")],
  [
    "text of emoji",
    (text) => findLinks(text),
    (length) => `http://a.com/a${repeated("🔥")(length)}`,
  ],
  ["HTML of tags", (text) => findLinks(text, { as: "html" }), repeated("<a a")],
  [
    "HTML of a text area",
    (text) => findLinks(text, { as: "html" }),
    (length) => `<textarea>${repeated("&amp;\r\n")(length)}`,
  ],
  [
    "Markdown of lines",
    (text) => findLinks(text, { as: "markdown" }),
    repeated(`${"word ".repeat(20)}\n`),
  ],
  ["Markdown of one line", (text) => findLinks(text, { as: "markdown" }), repeated("a b ")],
  ["text in a stream", (text) => readStream(text, "text"), repeated("a.")],
  ["HTML in a stream", (text) => readStream(text, "html"), repeated("<p>http://a.com/</p>")],
  [
    "an email with many parts",
    (text) => findLinksInMail(text),
    (length) => mail("mixed", repeated(part("plain", "x"))(length)),
  ],
  [
    "an email with text and HTML",
    (text) => findLinksInMail(text),
    (length) =>
      mail(
        "alternative",
        part("plain", repeated("http://a.com/ ")(length / 2)) +
          part("html", repeated("<a href=http://a.com/>x</a>")(length / 2)),
      ),
  ],
  [
    "an email in base64",
    (text) => findLinksInMail(text),
    (length) =>
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${repeated("eHh4\r\n")(length)}`,
  ],
  [
    "an email of types",
    (text) => findLinksInMail(text),
    (length) => `x\r\n\r\n${repeated("Content-Type: a/b\r\n ")(length)}`,
  ],
  [
    "an email of boundaries",
    (text) => findLinksInMail(text),
    (length) => mail("mixed", repeated("--b\r\n")(length / 4)),
  ],
  [
    "an email of lines like boundaries",
    (text) => findLinksInMail(text),
    (length) => mail("mixed", repeated("--b-\r\n")(length)),
  ],
  [
    "an email in quoted-printable",
    (text) => findLinksInMail(text),
    (length) =>
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${repeated("= \r\n   \t")(length)}`,
  ],
  [
    "an email in flowed lines",
    (text) => findLinksInMail(text),
    (length) => `Content-Type: text/plain; format=flowed\r\n\r\n${repeated("x \r\n")(length)}`,
  ],
  [
    "an email of the starts of uuencoded files",
    (text) => findLinksInMail(text),
    (length) => `\r\n${repeated("begin 644\r\n")(length)}`,
  ],
  [
    "an email of encoded words",
    (text) => findLinksInMail(text),
    (length) => `Subject: ${repeated("=?utf-8?q?a?= ")(length)}\r\n\r\nx`,
  ],
  ...["(", "a=(", ";a*1*=b", '"\\', ";a"].map(
    (piece) =>
      [
        `an email with many types of ${piece}`,
        (text: string) => findLinksInMail(text),
        (length: number) =>
          mail("mixed", repeated(`--b\nContent-Type: text/${piece.repeat(1000)}\n\n`)(length / 4)),
      ] as const,
  ),
  [
    "comments with a base",
    (text) => findLinks(text, { as: "html" }),
    repeated("<!--[if a]><base href=http://a.com/><a href=x>"),
  ],
  [
    "an email of headers",
    (text) => findLinksInMail(text),
    repeated("List-Help: <http://a.com\r\n"),
  ],
  ["a wrapped URL", (text) => unwrapLink(text), repeated("http://a.com/?u=")],
  ["a look for URLs inside", (text) => lookAtUrl(Buffer.from(text)), repeated("http://a.com/a%2")],
];

test.each(CASES)("10 MB in linear time: %s", async (_name, run, make) => {
  const time = async (length: number, counted?: "computing") => {
    const text = make(length);
    const elapsed = stopwatch(counted);
    await run(text);
    return elapsed();
  };
  const ratios: number[] = [];
  // One measurement can be wrong on a busy machine.
  for (let attempt = 0; attempt < 3; attempt++) {
    const short = Math.max(await time(LONG / TIMES_LONGER), 0.02);
    ratios.push((await time(LONG, "computing")) / short);
    if (ratios.at(-1)! < LIMIT) return;
  }
  expect(Math.min(...ratios), `ratios ${ratios.join(", ")}`).toBeLessThan(LIMIT);
});
