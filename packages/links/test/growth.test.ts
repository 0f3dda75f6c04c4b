import { findLinks } from "@x/links";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { firstOf } from "@x/test-support/sample-size";
import { describe, test } from "vitest";

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
  ],
  markdown: ["[a](http://b.com) ", "[", "> ", "<a ", "*a_", "[a]: b\n", "\\", "- ", "`"],
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
