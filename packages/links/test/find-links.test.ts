import { findLinks } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import { findLinksInText } from "@x/links/text";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const html = (text: string) => findLinks(text, { as: "html", base: "http://doc.example/d/" });
const markdown = (text: string) => findLinks(text, { as: "markdown" });

describe("where a link stood", () => {
  test.each([
    ["<a href=http://a.com>", "href"],
    ["<svg><a xlink:href=http://a.com />", "href"],
    ["<img srcset='http://a.com 1x'>", "srcset"],
    ["<p style='background:url(http://a.com)'>", "css"],
    ["<p onclick='f(\"http://a.com\")'>", "script"],
    ["<a href='javascript:open(\"http://a.com\")'>", "script"],
    ["<meta http-equiv=refresh content='1;url=http://a.com'>", "refresh"],
    ["<meta name=x content='http://a.com'>", "content"],
    ["<p data-x='http://a.com'>", "data-x"],
    ["<rect fill='url(http://a.com)'>", "css"],
    ["<!-- http://a.com -->", "comment"],
    ["http://a.com", "text"],
    ["<p title='http://a.com'>", "title"],
  ])("%s: %s", (text, where) => {
    const found = html(text).filter(({ url }) => url.startsWith("http://a.com"));
    expect(found.map((link) => link.where)).toEqual([where]);
  });

  test("in Markdown", () => {
    const text =
      "[a](http://a.com) ![b](<http://b.com/x y>) [c]\n\n[c]: http://c.com/\\(d&amp;\n\n" +
      "<http://d.com> `http://e.com`\n\n<a href='http://f.com'>x</a>";
    expect(markdown(text).map(({ url, where }) => [url, where])).toEqual([
      ["http://a.com", "href"],
      ["http://b.com/x y", "src"],
      ["http://c.com/(d&", "href"],
      ["http://d.com", "text"],
      ["http://e.com", "text"],
      ["http://f.com", "href"],
    ]);
  });
});

describe("what a person sees", () => {
  test.each([
    ["<a href=http://evil.com>www.bank.com</a>", "www.bank.com"],
    ["<a href=http://evil.com>Go to <b>bank</b>.com now</a>", "Go to bank.com now"],
    ["<a href=http://evil.com>https://bank.com/x</a>", "https://bank.com/x"],
    ["<a href=http://www.bank.com/x>bank.com</a>", null],
    ["<a href=http://bank.com>login.bank.com</a>", null],
    ["<a href=http://news.bank.com>www.bank.com</a>", null],
    ["<a href=http://evil.github.io>good.github.io</a>", "good.github.io"],
    ["<a href=http://evil.com>click</a>", null],
    ["<a href=mailto:a@evil.com>bank.com</a>", null],
    ["<a href='javascript:x()'>bank.com</a>", "bank.com"],
    ["<a href=http://evil.com>bank.com", "bank.com"],
    ["<a href=http://evil.com><p>bank.com</p><a href=http://b.com>", "bank.com"],
  ])("%s", (text, shown) => {
    expect(html(text)[0]!.shown).toBe(shown);
  });

  test("in Markdown", () => {
    expect(markdown("[bank.com](http://evil.com)")[0]!.shown).toBe("bank.com");
    expect(markdown("[x ![bank.com](http://evil.com)](http://b.com)").map((l) => l.shown)).toEqual([
      null,
      "x bank.com",
    ]);
  });
});

describe("a link before a URL in angle brackets is its text", () => {
  test.each([
    ["www.bank.com<https://evil.com/x>", "www.bank.com"],
    ["Go to www.bank.com <https://evil.com/x> now", "www.bank.com"],
    ["https://www.bank.com/login\u00a0<hxxps://evil[.]com>", "https://www.bank.com/login"],
    ["bank.com <https://evil.com/\u597d>", "bank.com"],
    ["bank.com <https://evil.com/a\nb>", "bank.com"],
    ["www.bank.com<https://bank.com/x>", null],
    ["bank.com <https://login.bank.com/>", null],
    ["bank.com\n<https://evil.com/>", null],
    ["bank.com, <https://evil.com/>", null],
    ["bank.com (https://evil.com/)", null],
    ["bank.com <evil.com>", null],
    ["bank.com https://evil.com/", null],
    ["<https://bank.com/> <https://evil.com/>", null],
    ["jane@bank.com <https://evil.com/>", null],
    ["bank.com <mailto:jane@evil.com>", null],
  ])("%j", (text, shown) => {
    const [first, ...others] = findLinks(text);
    expect(first!.shown).toBe(null);
    const links = first!.url.includes("evil") ? [first!] : others;
    for (const link of links) expect(link.shown).toBe(shown);
    expect(findLinksInText(text)).toEqual(findLinks(text));
  });

  test("in an email", async () => {
    const { links } = await findLinksInMail("Subject: x\n\nwww.bank.com<https://evil.com/x>\n");
    expect(links.map(({ url, shown }) => [url, shown])).toEqual([
      ["http://www.bank.com", null],
      ["https://evil.com/x", "www.bank.com"],
    ]);
  });
});

test("the text of a link that leads nowhere else is searched", () => {
  expect(html("<a href='#'>http://a.com</a>").map(({ url }) => url)).toContain("http://a.com");
});

test("indices are those of the source, also behind character references and tags", () => {
  const source =
    "&lt;&lt; &copy; http://a.com/?x&amp;y <b>www.b</b>.com\r\n<i>&#x1F600;</i> http://c.com";
  for (const { text, start, end } of html(source)) expect(source.slice(start, end)).toBe(text);
  expect(html(source).map(({ text }) => text)).toEqual([
    "http://a.com/?x&amp;y",
    "www.b</b>.com",
    "http://c.com",
  ]);
});

test.each(["constructor", "__proto__", "valueOf"])(
  "the element %s is one like any other",
  (name) => {
    const found = findLinks(`<${name}><a href="http://evil.example/">x</a>`, { as: "html" });
    expect(found.map(({ url }) => url)).toEqual(["http://evil.example/"]);
  },
);

test("without a base, relative references are left out", () => {
  const found = findLinks("<a href=x><a href=//a.com/y><a href=http://b.com>", { as: "html" });
  expect(found.map(({ url }) => url)).toEqual(["http://a.com/y", "http://b.com"]);
});

test.each([
  ["www.evil.com", "http://www.evil.com"],
  [" evil.com/a?b ", "http://evil.com/a?b"],
  ["page.html", null],
  ["a/evil.com", null],
  ["?u=evil.com", null],
])("without a base, the reference %s leads to %s", (reference, url) => {
  const inHtml = `<a href="${reference}">x</a>`;
  expect(findLinks(inHtml, { as: "html" }).map((link) => link.url)).toEqual(
    url === null ? [] : [url],
  );
  const base = "http://doc.example/";
  const [resolved] = findLinks(inHtml, { as: "html", base });
  expect(resolved!.url).toBe(new URL(reference, base).href);
});

test.each([
  ["<p style='background:u\\72l(http://a.com/1)'>", ["http://a.com/1"]],
  ['<style>a{background:url("http://a.com/\\"x")}</style>', ['http://a.com/"x']],
  // The end of a style sheet closes an open string or URL.
  ['<style>a{background:url("http://a.com/1</style>', ["http://a.com/1"]],
  ["<style>a{background:url(http://a.com/1</style>", ["http://a.com/1"]],
  [
    "<img srcset='http://a.com/1 calc(1px, 2px), http://a.com/2'>",
    ["http://a.com/1", "http://a.com/2"],
  ],
  ["<script>f('https://a.com/?x\\u0026y\\x26z')</script>", ["https://a.com/?x&y&z"]],
  ["<p xmlns:x='http://ns.com/'>", []],
  ["<applet archive='a.jar, b.jar'>", ["http://doc.example/d/a.jar", "http://doc.example/d/b.jar"]],
  ["<meta http-equiv=refresh content='http://a.com'>", ["http://a.com"]],
  ["<meta http-equiv=refresh content=';url=http://a.com/1'>", ["http://a.com/1"]],
  ["<meta http-equiv=refresh content='5http://a.com'>", ["http://a.com"]],
  ["<meta http-equiv=refresh content='5;url=\"a\"b'>", ["http://doc.example/d/a"]],
  ["<meta http-equiv=refresh content='x;url=a'>", []],
  ["<meta http-equiv=refresh content='5'>", []],
  ["<a href='hxxp[:]//a[.]com/x'>", ["http://a.com/x"]],
  ["<a href='http:'>", ["http://doc.example/d/"]],
  ["<a href='http://[x'>", ["http://[x"]],
  ["<template><base href=http://t.com/></template><a href=x>", ["http://doc.example/d/x"]],
  ["<base href='http://['><a href=x>", ["http://doc.example/d/x"]],
  [
    "<!-- <!-- a.b <!-- <iframe srcdoc='<iframe srcdoc=\"<iframe srcdoc=http://a.com/>\">'> -->",
    ["http://a.com/"],
  ],
  ["<a href=http://a.com/1 ", ["http://a.com/1"]],
  ["<a title='http://a.com/1", ["http://a.com/1"]],
  ["<xmp>http://a.com/1</xmp><plaintext>http://a.com/2", ["http://a.com/1", "http://a.com/2"]],
] as const)("odd markup: %s", (text, urls) => {
  expect([...new Set(html(text).map(({ url }) => url))]).toEqual(urls);
});

test("many links inside of one that is not closed", () => {
  expect(html(`<a href=http://a.com/>${"<img src=http://b.com/>".repeat(10_001)}`)).toHaveLength(
    10_002,
  );
});

test("wrong arguments", () => {
  for (const call of [
    () => findLinks(1 as never),
    () => findLinksInText(null as never),
    () => findLinks("", { as: "pdf" as never }),
    () => findLinks("", { base: 1 as never }),
    () => findLinks("", null as never),
  ]) {
    expect(call).toThrow(TypeError);
  }
  expect(() => findLinks("", { base: "/x" })).toThrow(RangeError);
});

const host = fc.constantFrom("a.com", "login.evil.co.uk", "münchen.de", "1.2.3.4", "[2001:db8::1]");
const path = fc.stringMatching(/^(\/[a-z0-9_~-]{0,5}){0,3}(\?[a-z0-9=&]{1,8})?$/);
const around = fc.constantFrom(
  ["", ""],
  ["(", ")"],
  ["<", ">"],
  ["“", "”"],
  ["see ", "."],
  ["[x](", ")"],
  ["**", "**"],
  ["url=", " "],
  ["「", "」"],
);

test.each([
  ["http://evil.com[.]net/x", ["http://evil.com.net/x", "http://evil.com"]],
  ["http://evil.com(.net", ["http://evil.com.net", "http://evil.com"]],
  ["https://évil.com dot net", ["https://évil.com.net", "https://évil.com"]],
  // These dots belong to names that no program links.
  ["http://evil[.]com", ["http://evil.com"]],
  ["http://a.evil[.]com", ["http://a.evil.com"]],
  ["www.evil[.]com", ["http://www.evil.com"]],
  ["evil.com[.]br", ["http://evil.com.br"]],
  ["hxxp://evil.com[.]br", ["http://evil.com.br"]],
])("a host before a defanged dot is a link, too, if programs link it: %s", (text, urls) => {
  expect(findLinks(`see ${text}`).map(({ url }) => url)).toEqual(urls);
});

test.each(["bob@ www.evil.com/x", "bob@\nwww.evil.com/x", "#www.evil.com/x", "US$www.evil.com/x"])(
  "no address and no other word ends where a program begins a link: %s",
  (text) => {
    expect(findLinks(text).map(({ url }) => url)).toEqual(["http://www.evil.com/x"]);
  },
);

test("a URL is found whatever is around it, defanged or not", () => {
  fc.assert(
    fc.property(host, path, around, fc.boolean(), (name, rest, [before, after], isDefanged) => {
      const url = `http://${name}${rest.replace(/[~_]+$/, "")}`;
      const written = isDefanged
        ? url.replace("http", "hxxp").replaceAll(/\.(?=[^/]*$)/g, "[.]")
        : url;
      const found = findLinks(`x ${before}${written}${after} y`);
      expect(found.map((link) => [link.text, link.url])).toEqual([[written, url]]);
    }),
    { seed: 20261127, numRuns: sampleSize(5000) },
  );
});

test("any text gives links that are where they say", { tags: "deep" }, () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "http://",
      "a.com",
      "[.]",
      " dot ",
      "<a href=",
      "'",
      '"',
      ">",
      "&amp;",
      "=\n",
      "](",
      "<!--",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      for (const as of ["text", "html", "markdown"] as const) {
        for (const link of findLinks(text, { as, base: "http://doc.example/" })) {
          expect(link.start).toBeLessThan(link.end);
          expect(link.end).toBeLessThanOrEqual(text.length);
          expect(link.url).not.toBe("");
        }
      }
    }),
    { seed: 20261127, numRuns: sampleSize(1200) },
  );
});

test.each([
  ['<a href="">www.bank.com</a>', 'href=""'],
  ["<a href>www.bank.com</a>", "href"],
  ["<a href=>www.bank.com</a>", "href"],
  ["<area href=' '>www.bank.com", " "],
])("an empty link leads to the base: %s", (html, text) => {
  const source = `<base href="http://evil.example/login">${html}`;
  const links = findLinks(source, { as: "html" });
  const shown = html.startsWith("<area") ? null : "www.bank.com";
  expect(links.map((link) => [link.url, link.text, link.shown])).toEqual([
    ["http://evil.example/login", text, shown],
    ["http://www.bank.com", "www.bank.com", null],
  ]);
  expect(findLinks(html, { as: "html" }).map(({ url }) => url)).toEqual(["http://www.bank.com"]);
});

test("other empty references lead nowhere", () => {
  const html = `<base href="http://a.example/"><img src="" srcset="" style="background: url()"><link href="">`;
  expect(findLinks(html, { as: "html" })).toEqual([]);
});

const urlsOf = (html: string) => findLinks(html, { as: "html" }).map(({ url }) => url);
const BASE = '<base href="http://evil.example/">';
const OTHER = '<base href="http://good.example/">';

test.each([
  ["the same comment", `<!--[if mso]>${BASE}<a href=x>y</a><![endif]-->`],
  ["a plain comment", `<!-- ${BASE}<a href=x>y</a> -->`],
  ["srcdoc", `<iframe srcdoc='${BASE}<a href=x>y</a>'>`],
  ["a conditional comment before", `<!--[if mso]>${BASE}<![endif]--><a href=x>y</a>`],
  ["a conditional comment behind", `<a href=x>y</a><!--[if mso]>${BASE}<![endif]-->`],
  ["noscript", `<noscript>${BASE}</noscript><a href=x>y</a>`],
])("a base in %s", (_where, html) => {
  expect(urlsOf(html)).toEqual(["http://evil.example/x"]);
});

test.each([
  ["noscript", `<noscript>${OTHER}</noscript>${BASE}<a href=x>y</a>`],
  ["noscript, and none", `<noscript>${BASE}</noscript>`, "http://good.example/"],
  ["a conditional comment", `<!--[if mso]>${BASE}<![endif]-->${OTHER}<a href=x>y</a>`],
  ["noscript and a comment", `<noscript><!--</noscript>${BASE}-->${OTHER}<a href=x>y</a>`],
  ["its own comment", `${OTHER}<!--[if mso]>${BASE}<a href=x>y</a><![endif]-->`],
])("programs read different bases: %s", (_where, html, base?: string) => {
  const source = base === undefined ? html : `${html}<a href=x>y</a>`;
  const links = findLinks(source, { as: "html", base });
  expect(new Set(links.map(({ url }) => url))).toEqual(
    new Set(["http://evil.example/x", "http://good.example/x"]),
  );
});

test("a base in another comment or in srcdoc counts only there", () => {
  expect(urlsOf(`<!-- ${BASE} --><a href=x>y</a>`)).toEqual([]);
  expect(urlsOf(`<iframe srcdoc='${BASE}'></iframe>${OTHER}<a href=x>y</a>`)).toEqual([
    "http://good.example/x",
  ]);
});

test.each([
  ["[x](evil.com/login)", "http://evil.com/login"],
  ["[x](www.evil.com)", "http://www.evil.com"],
  ["[x]: www.evil.com", "http://www.evil.com"],
  ["[x][a]\n\n[a]: <www.evil.com/a b>", "http://www.evil.com/a"],
  ["[x](login.html)", null],
  ["![x](www.evil.com/a.png)", null],
])("a destination in Markdown that begins with a host: %s", (text, url) => {
  expect(markdown(text).map((link) => link.url)).toEqual(url === null ? [] : [url]);
  const base = "http://doc.example/";
  for (const link of findLinks(text, { as: "markdown", base })) {
    expect(link.url.startsWith(base)).toBe(true);
  }
});

describe("escaped letters in a script", () => {
  const EVIL = "http://evil.example/";
  test.each([
    String.raw`\x68\x74\x74\x70\x3a\x2f\x2f\x65\x76\x69\x6c.example/`,
    String.raw`\u0068ttp://evil.example/`,
    String.raw`h\x74tp:\/\/evil.example/`,
  ])("%s", (written) => {
    const script = `<script>a("x"); location = "${written}";</script>`;
    const [link] = findLinks(script, { as: "html" }).filter(({ url }) => url === EVIL);
    expect([link?.where, link?.text, link?.start]).toEqual([
      "script",
      written,
      script.indexOf(written),
    ]);
    for (const html of [`<a onclick="b('${written}')">`, `<a href="javascript:b('${written}')">`]) {
      expect(findLinks(html, { as: "html" }).map(({ url }) => url)).toContain(EVIL);
    }
  });

  test("a URL that is found without them is one link", () => {
    const script = String.raw`<script>"http:\x2f\x2fevil.example/"</script>`;
    expect(findLinks(script, { as: "html" })).toHaveLength(1);
  });
});
