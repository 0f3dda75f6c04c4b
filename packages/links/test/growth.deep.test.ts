import { findLinks } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import {
  expectLinearGrowth,
  expectLinearGrowthOfPromise,
  stopwatch,
} from "@x/test-support/linear-time";
import { firstOf, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Pieces that could make a link finder slow when they are repeated. */
const PIECES = {
  text: [
    "see http://a.example/x?y=z and b.example, ",
    "http://",
    "a.",
    "http://a.com",
    "[.]",
    "a dot ",
    "'http://a.com/",
    "<http://a.com/\n",
    "http://a.com/(((",
    "=\n",
    "a@",
    "a",
    "hxxp://",
    "(",
    "%3a",
    "\u200b",
    "://",
    "a-",
    "aDOTb",
    "1.2.3.4/",
    "http://a . b ",
    "a . b . ",
    "= \n",
    "//",
    "https&#58;",
    "<http://a.com/\n> ",
    "*.-",
    "http://a.com/ [.] ",
    "http://a.example/=\n",
    `https://a.example/${"a".repeat(60)}?id=YWJj=\n`,
    "wss://a.com/)",
    "a.com/,b[.]com",
    "h[t]",
    "http://a.com/\u597d",
    "a.com\u3002",
    "a.com <http://b.com/> ",
    "a.com<",
  ],
  html: [
    "<a href=x>y</a>",
    "<a a",
    "<",
    "<!--",
    "<p>http://a.com</p>",
    '<style>url("',
    "<a href=http://a.com>",
    "<svg>",
    "<div>",
    "&amp;",
    "<iframe srcdoc='",
    "<textarea>a.b",
    "<script>'http://a.com'",
    "<base href=x>",
    "<!-- <base href=x>",
    "<!--[if a]><base href=x><![endif]--><a href=x>",
    "<iframe srcdoc='<base href=x>",
    "<img srcset='a 1x,",
    "<![CDATA[",
    "<svg><![CDATA[http://a.com/&amp;",
    "<svg><style>url(x)&amp;",
    "<noscript>",
    "<style>,'",
    '<style>image-set("',
    "<style>url(\\",
    '<style>url("\\\\',
    "<style>\\75\\72 \\6c",
    "<style>@import'",
    "<style>@\\69\\6d",
    "<style>@import/*",
    "<style>@namespace ",
    "<iframe src='data:text/html,",
    "<a https:'",
    "<math></style>",
  ],
  markdown: [
    ...["[a](http://b.com) ", "[", "> ", "<a ", "*a_", "[a]: b\n", "\\", "- ", "`"],
    ...["![", "[a](", "[a][b] ", "<http://a.com> ", "](<", "**a", "1. ", "> - ", "&#58;"],
    ...["https\\://a.com ", "a.com ", "<a href='http://a.com'>", "``a`", "|a.com", "[^a]", "\n\n"],
    ...["<?x<!--", "_a__b*", "](*a_**", "](a ("],
  ],
};

describe.each(["text", "html", "markdown"] as const)("%s", (as) => {
  test.each(firstOf(4, PIECES[as]))("linear time: %j repeated", (piece) => {
    expectLinearGrowth(
      (text: string) => findLinks(text, { as, base: "http://doc.example/" }),
      (length) => piece.repeat(Math.ceil(length / piece.length)),
      as === "markdown" ? 5000 : 10_000,
    );
  });
});

// Markdown is parsed in pieces, and growth inside one piece is too short to see.
test("emphasis in Markdown takes about as long as words", () => {
  const time = (text: string) => {
    const elapsed = stopwatch();
    findLinks(text, { as: "markdown" });
    return elapsed();
  };
  const shortest = (piece: string) =>
    Math.min(...Array.from({ length: 5 }, () => time(piece.repeat(4000 / piece.length))));
  shortest("ab ");
  expect(shortest("*a_") / shortest("ab ")).toBeLessThan(30);
});

/** Pieces of the syntax of each format. Any of them may follow any other. */
const SYNTAX = {
  text: "a.com<http://b.com> http://a.com/ https:// wss://a.com/ meow://b.com a.com a. =\n = =YWJj ?id= &quot; &#58; %22 ' | < > ( ) [ ] { } [.] \\. : :// __ @ a@b.com *. \u3002 \uff61 \u4e2d \u200b \n , - _ \u{1f600} %3a%2f%2f & // \\ # \u2014 [/url] hxxp www. {{x|url= view-source: DOT 1.2.3.4 https\\:// \"",
  html: "<a href=x> <a href=http://a.com> </a> <p> <b> </b> <script> </script> <textarea> </textarea> <title> <svg> </svg> <math> </mi> <![CDATA[ ]]> <!-- --> <!--[if <![endif]--> <base href=x> <iframe srcdoc=' '> <noscript> </noscript> &amp; & < <a a= \" ' <img srcset='a <div style=' url( <template> <select> <plaintext> <xmp> a.com http://a.com \0 \r\n > =\n",
  css: "url( url(' ') ) @import @import' image-set( src( /* */ \\ \\75 ; { } ' \" , @namespace a http://a.com ( \\\n </style> \n",
  script:
    "' \" ` http://a.com \\x68 \\u0068 \\/ / // + <!-- --> </ <script </script \n a.b location=' http:\\/\\/a.com $ { } <",
  markdown:
    "[a](http://b.com) [ ] ( ) ]( ![ > <a < * _ ` `` [a]:b\n \\ -\t \n \n\n # http://a.com a.com ~~~\n \t | &amp; <!-- \\: <http://a.com> ** ``` 1.\t === &#58; ](< <?x ]: <a\thref=' https\\:// \u3002 =\n \u4e2d",
  mail: '--b\n --b--\n Content-Type:text/html\n Content-Type:multipart/mixed;boundary=b\n Content-Type:message/rfc822\n \n \n\n Subject:a.com\n From:"http://a.com"<a@b.com>\n List-Unsubscribe:<http://a.com>\n Content-Transfer-Encoding:quoted-printable\n Content-Transfer-Encoding:base64\n \tx\n a.com\n http://a.com=\n ( " \\ =?utf-8?Q?a?= begin\t644\ta\n end\n +AGE- charset=utf-7 Content-Type:text/calendar\n <a < --',
};

describe.each(Object.keys(SYNTAX) as (keyof typeof SYNTAX)[])("%s: linear time", (format) => {
  const piece = fc.constantFrom(...SYNTAX[format].split(/[ ]/));
  const input = fc.tuple(piece, fc.array(piece, { minLength: 1, maxLength: 4 }));
  const inputs = fc.sample(input, { seed: 57, numRuns: sampleSize(60, 6) });
  const start = { css: "<style>", script: "<script>" }[format as string] ?? "";
  const as = start !== "" ? "html" : format;

  test.each(inputs)("%j, then %j repeated", async (first, pieces) => {
    const unit = pieces.join("");
    const make = (length: number) => start + first + unit.repeat(Math.ceil(length / unit.length));
    if (as === "mail") await expectLinearGrowthOfPromise(findLinksInMail, make, 4000);
    else expectLinearGrowth((text: string) => findLinks(text, { as: as as "text" }), make, 4000);
  });
});

test.each([
  "Content-Type: text/calendar\n\nURL:http://a.com/#\n",
  "Content-Type: message/rfc822\n\nSubject: x\nno field\n\nhttp://a.com/#\n",
  "Content-Type: message/rfc822\n\nContent-Type: a/b\nContent-Type: text/html\n\nhttp://a.com/#\n",
])("linear time: the part %j repeated", async (part) => {
  // Each part has another link.
  const make = (length: number) => {
    const parts = Array.from({ length: Math.ceil(length / part.length) }, (_, i) =>
      part.replace("#", String(i)),
    );
    return `Content-Type: multipart/mixed; boundary=b\n\n--b\n${parts.join("--b\n")}--b--\n`;
  };
  await expectLinearGrowthOfPromise(findLinksInMail, make, 20_000);
});
