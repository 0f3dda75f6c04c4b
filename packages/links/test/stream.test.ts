import { readFileSync } from "node:fs";
import { findLinks, findLinksInStream, type TextFormat } from "@x/links";
import { oddHtml } from "@x/test-support/odd-html";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const load = (name: string) =>
  JSON.parse(readFileSync(new URL(`corpus/${name}.json`, import.meta.url), "utf8"));
const { ordinary, defanged, disguised } = load("texts") as Record<string, [string, ...string[]][]>;
const TEXTS = [...ordinary!, ...defanged!, ...disguised!].map(([text]) => text);
const BASE = "http://doc.example/dir/";

async function streamed(pieces: readonly string[], as: TextFormat) {
  const found = [];
  for await (const link of findLinksInStream(pieces, { as, base: BASE })) found.push(link);
  return found;
}

function split(text: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted(
    (one, other) => one - other,
  );
  return cuts.slice(1).map((end, i) => text.slice(cuts[i], end));
}

const places = fc.array(fc.nat(), { maxLength: 6 });
const texts = fc
  .array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 5 })
  .map((all) => all.join("\n"));

describe("findLinksInStream finds what findLinks finds, wherever the text is split", () => {
  test.each(["text", "markdown"] as const)("%s", async (as) => {
    await fc.assert(
      fc.asyncProperty(texts, places, async (text, cuts) => {
        expect(await streamed(split(text, cuts), as)).toEqual(findLinks(text, { as, base: BASE }));
      }),
      { seed: 20261127, numRuns: sampleSize(1000) },
    );
  });

  test("a link in angle brackets and the text before it", async () => {
    const text = `${"x ".repeat(3000)}www.bank.com\t <https://evil.com/x> ${"y ".repeat(3000)}`;
    const whole = findLinks(text);
    expect(whole.map(({ shown }) => shown)).toEqual([null, "www.bank.com"]);
    for (let at = 5990; at < 6040; at++) {
      expect(await streamed(split(text, [at]), "text")).toEqual(whole);
    }
    expect(await streamed([...text], "text")).toEqual(whole);
  });

  test("html", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 5000 }), places, async (seed, cuts) => {
        const html = oddHtml(seed).replace(/<base[^>]*>/gi, "");
        const whole = findLinks(html, { as: "html", base: BASE });
        expect(await streamed(split(html, cuts), "html")).toEqual(whole);
      }),
      { seed: 20261127, numRuns: sampleSize(1000), examples: [[5, [867607725]]] },
    );
  });

  test.each([
    "<svg><![CDATA[&amp; http://a.com/?a&amp;b <![CDATA[ http://b.com/&amp;]]]>http://c.com/&amp;x <![CDATA[http://d.com/?&amp;&lt;]]></svg> http://e.com/&amp;",
    "<svg>x<![CDATA[http://a.com/&amp;\0b]]\0]]>http://&#97;.com/&amp;<![CDATA[\0http://a.com/?&amp;]]>y</svg>",
    "<svg><![CDATA[http://a]]>.com/&amp;<![CDATA[&amp;]]>&amp;<b>http://a.com/&amp;",
    "<svg><![CDATA[\r\nhttp://a.com/&amp;\r\n\u{1f600}http://b.com/&amp;]]> http://a.com/?&copy=1&notit;x </svg>",
    "<svg><style>a{b:url( http://a.com/&amp;x ) c:ur<!---->l(http://b.com/)</style><style>\\75rl(http://c.com/)</style>",
  ])("at each place of odd foreign content: %j", async (html) => {
    const whole = findLinks(html, { as: "html", base: BASE });
    for (const { start, end, text } of whole) expect(html.slice(start, end)).toBe(text);
    for (let place = 0; place <= html.length; place++) {
      expect(await streamed([html.slice(0, place), html.slice(place)], "html")).toEqual(whole);
    }
  });
});

test("a style sheet in foreign content is read as one, with its references decoded", () => {
  const html = "<svg><style>a{b:url( http://a.com/?b&amp;c )}</style></svg>";
  const css = findLinks(html, { as: "html" }).filter(({ where }) => where === "css");
  expect(css.map(({ text, url }) => [text, url])).toEqual([
    ["http://a.com/?b&amp;c", "http://a.com/?b&c"],
  ]);
});

test("what looks like a reference in a CDATA section is text", () => {
  const html = "<svg><![CDATA[<a href='http://a.com/?b&amp;c'/>]]>&amp;http://b.com/&amp;c</svg>";
  expect(findLinks(html, { as: "html" }).map(({ text, url }) => [text, url])).toEqual([
    ["http://a.com/?b&amp;c", "http://a.com/?b&amp;c"],
    ["http://b.com/&amp;c", "http://b.com/&c"],
  ]);
});

describe("what is too long to be kept", () => {
  const filler = "x".repeat(100_000);

  test.each([
    ["text", `${filler} http://a.com/ ${filler}`],
    ["text", `${filler}/http://a.com/${filler}`],
    ["text", `http://a.com/${filler.repeat(3)} http://b.com/`],
    ["html", `<!--${filler.repeat(11)} http://a.com/ --><a href=http://b.com/>`],
    ["html", `<a title="${filler.repeat(11)}" href=http://a.com/> <a href=http://b.com/>`],
    ["html", `<script>${filler}'http://a.com/'${filler}</script><a href=http://b.com/>`],
    ["html", `<a href=http://a.com/>${filler}</a>`],
    ["markdown", `${filler}\n\n[x](http://a.com/)\n\n${filler}`],
    ["markdown", `${"a [b](http://a.com/) ".repeat(1500)}`],
  ] as const)("%s %#", { tags: "deep" }, async (as, text) => {
    const hosts = new Set(findLinks(text, { as }).map(({ url }) => new URL(url).host));
    expect(hosts.has("a.com")).toBe(true);
    if (text.includes("b.com")) expect(hosts.has("b.com")).toBe(true);
    const inStream = await streamed(split(text, [20_000, 70_000, 1_200_000]), as);
    expect(new Set(inStream.map(({ url }) => new URL(url).host))).toEqual(hosts);
  });
});

test("a base holds for what follows it in a stream", async () => {
  const html = "<a href=x>x</a><base href=http://b.com/><a href=y>y</a>";
  expect(findLinks(html, { as: "html" }).map(({ url }) => url)).toEqual([
    "http://b.com/x",
    "http://b.com/y",
  ]);
  const found = [];
  for await (const { url } of findLinksInStream([html], { as: "html" })) found.push(url);
  expect(found).toEqual(["http://b.com/y"]);
});

test("pieces of a stream are strings", async () => {
  await expect(streamed([new Uint8Array(1) as never], "text")).rejects.toThrow(TypeError);
});
