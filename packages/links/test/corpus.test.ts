import { readFileSync } from "node:fs";
import { tryParseUrl } from "@x/canon";
import { findLinks } from "@x/links";
import { findLinksInMail } from "@x/links/mail";
import { findLinksInText } from "@x/links/text";
import { describe, expect, test } from "vitest";

type Case = readonly [text: string, ...urls: string[]];

interface Mail {
  readonly mail: readonly string[];
  readonly links: readonly string[];
  readonly unread?: readonly string[];
  readonly problems?: readonly string[];
}

const load = (name: string) =>
  JSON.parse(readFileSync(new URL(`corpus/${name}.json`, import.meta.url), "utf8"));

type Texts = Readonly<Record<"ordinary" | "defanged" | "disguised", readonly Case[]>>;

interface OtherCases {
  readonly texts: Texts;
  readonly pages: readonly Case[];
  readonly mails: readonly Mail[];
}

const OTHERS = [load("held-out"), load("later")] as readonly OtherCases[];
const TEXTS = load("texts") as Texts;
const PAGES = [
  ...(load("pages") as { readonly cases: Case[] }).cases,
  ...OTHERS.flatMap(({ pages }) => pages),
];
const MAILS = [
  ...(load("mails") as { readonly cases: Mail[] }).cases,
  ...OTHERS.flatMap(({ mails }) => mails),
];

/** URLs are equal if lists treat them as equal. */
const same = (url: string) => tryParseUrl(url)?.href ?? url;

describe.each(["ordinary", "defanged", "disguised"] as const)("%s text", (kind) => {
  const cases = [...TEXTS[kind], ...OTHERS.flatMap(({ texts }) => texts[kind])];
  test.each(cases.map(([text, ...urls]) => ({ text, urls })))("$text", ({ text, urls }) => {
    const found = findLinks(text);
    expect(found.map(({ url }) => same(url))).toEqual(urls.map(same));
    expect(findLinksInText(text)).toEqual(found);
    let start = 0;
    for (const link of found) {
      expect(text.slice(link.start, link.end)).toBe(link.text);
      expect(link.start).toBeGreaterThanOrEqual(start);
      start = link.start;
      expect([link.where, link.shown]).toEqual(["text", null]);
    }
    if (kind !== "disguised") {
      expect(found.map(({ isDefanged }) => isDefanged)).toEqual(
        urls.map(() => kind === "defanged"),
      );
    }
  });
});

test.each(PAGES.map(([html, ...urls]) => ({ html, urls })))("page: $html", ({ html, urls }) => {
  const found = findLinks(html, { as: "html", base: "http://doc.example/dir/page.html" });
  expect(found.map(({ url }) => same(url))).toEqual(urls.map(same));
  for (const { text, start, end } of found) expect(html.slice(start, end)).toBe(text);
});

test.each(MAILS)("mail: $mail", async ({ mail, links, unread = [], problems = [] }) => {
  const raw = mail
    .join("\n")
    .replace(/\{(utf-8|utf16le):([^}]*)\}/g, (_, encoding: BufferEncoding, text: string) =>
      Buffer.from(text, encoding).toString("base64"),
    )
    .replace(/\n/g, "\r\n");
  const found = await findLinksInMail(Buffer.from(raw));
  expect(new Set(found.links.map(({ url }) => same(url)))).toEqual(new Set(links.map(same)));
  expect(found.unread.map(({ part }) => part.at(-1))).toEqual(unread);
  expect(found.problems.map(({ code }) => code)).toEqual(problems);
});
