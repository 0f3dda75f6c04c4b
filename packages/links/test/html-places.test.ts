import { type FoundLink, findLinks, findLinksInStream } from "@x/links";
import { oddHtml } from "@x/test-support/odd-html";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const OPTIONS = { as: "html", base: "http://doc.example/d/" } as const;

function expectAsWritten(html: string, links: readonly FoundLink[]): void {
  for (const { text, start, end, url } of links) {
    expect([html.slice(start, end), start < end], `${url} in ${JSON.stringify(html)}`).toEqual([
      text,
      true,
    ]);
  }
}

async function inPieces(html: string, length: number): Promise<FoundLink[]> {
  const pieces: string[] = [];
  for (let at = 0; at < html.length; at += length) pieces.push(html.slice(at, at + length));
  const found: FoundLink[] = [];
  for await (const link of findLinksInStream(pieces, OPTIONS)) found.push(link);
  return found;
}

/** Sources before a link, most of which are longer than the text that they stand for. */
const BEFORE = [
  "\r\n",
  "\r",
  "\r\r\n\n",
  "&amp;",
  "&#x1F600;",
  "&notin;",
  "&copy",
  "é😀",
  "\0",
  "x ",
];
/** Sources with a link in the place of `#`, by the `where` of the link. */
const PLACES = [
  ["text", "<p>#</p>"],
  ["script", "<script>#</script>"],
  ["css", "<style>p{background:url(#)}</style>"],
  ["text", "<title>#</title>"],
  ["text", "<textarea>\r\n#</textarea>"],
  ["text", "<textarea><![CDATA[#]]></textarea>"],
  ["text", "<svg></svg><title><b>#</title>"],
  ["text", "<textarea><i>#"],
  ["text", "<xmp>#</xmp>"],
  ["text", "<noframes><p>#</p></noframes>"],
  ["text", "<plaintext>#"],
  ["comment", "<!-- # -->"],
  ["text", "<svg><text>#</text></svg>"],
  ["css", "<svg><style>a{fill:url(#)}</style></svg>"],
  ["script", "<script><!-- # --></script>"],
] as const;

test.each(PLACES)("the place of a link in %s: %s", async (where, around) => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...BEFORE), { maxLength: 6 }),
      fc.array(fc.constantFrom(...BEFORE), { maxLength: 3 }),
      fc.integer({ min: 1, max: 40 }),
      async (outside, inside, length) => {
        // In CSS, the reference follows directly; in text, a blank must precede the link.
        const start = where === "css" ? "" : `${inside.join("")} `;
        const html = outside.join("") + around.replace("#", () => `${start}http://a.example/b`);
        for (const links of [findLinks(html, OPTIONS), await inPieces(html, length)]) {
          expectAsWritten(html, links);
          const link = links.find((each) => each.where === where);
          expect(link?.text, JSON.stringify(html)).toBe("http://a.example/b");
          found++;
        }
      },
    ),
    { seed: 20261127, numRuns: sampleSize(300) },
  );
  expect(found).toBeGreaterThan(0);
});

test.each(["<p>", "<title>", "<svg><text>", "<p>\r", "<p>\0"])(
  "a link that begins with a reference after white space: %j",
  (before) => {
    for (const space of [" ", "x\r\n", "\n", "&amp; "]) {
      const html = `${before}x${space}&#104;ttp://a.example/b`;
      const links = findLinks(html, OPTIONS);
      expect(links.map(({ text }) => text)).toEqual(["&#104;ttp://a.example/b"]);
      expectAsWritten(html, links);
    }
  },
);

test("style sheets with several links behind line ends", () => {
  const html =
    "<style>\r\na{background:url(http://a.example/1)}\r\n@import 'http://a.example/2';\r\n</style>";
  const links = findLinks(html, OPTIONS);
  expectAsWritten(html, links);
  expect(links.map(({ text }) => text)).toEqual(["http://a.example/1", "http://a.example/2"]);
});

test("character references inside a link are a part of it", () => {
  const html =
    "<title>\r\n&lt;http://a.example/?b&amp;c&gt;</title><script>\r\n'http://a.example/?b&amp;c'</script>";
  const links = findLinks(html, OPTIONS);
  expectAsWritten(html, links);
  expect(links.map(({ text, url }) => [text, url])).toEqual([
    ["http://a.example/?b&amp;c", "http://a.example/?b&c"],
    ["http://a.example/?b&amp;c", "http://a.example/?b&amp;c"],
  ]);
});

test("the text of every link is what is written at its place, in odd documents", {
  tags: "deep",
}, async () => {
  let links = 0;
  for (let seed = 0; seed < sampleSize(1000); seed++) {
    const html = oddHtml(seed)
      .replaceAll(" ", seed % 2 === 0 ? "\r\n" : " ")
      .replaceAll(">", seed % 3 === 0 ? ">&amp;\0 http://t.example/ " : ">");
    for (const found of [findLinks(html, OPTIONS), await inPieces(html, (seed % 50) + 1)]) {
      expectAsWritten(html, found);
      links += found.length;
    }
  }
  expect(links).toBeGreaterThan(sampleSize(1000));
});
