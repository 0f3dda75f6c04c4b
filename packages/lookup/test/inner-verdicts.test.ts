import { type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import { checker } from "@x/lookup";
import { innerMatches, mayHaveMore, mustBeUrl, openedUrls } from "@x/lookup/inside";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

const wrap = (url: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(url)}`;
const open = (url: string): UnwrappedLink => unwrapLink(url);

test("each verdict goes to the URL that it is on", () => {
  const given = [
    "https://a.example/",
    wrap("https://b.example/"),
    wrap(wrap("https://c.example/")),
    "https://d.example/?x=https://e.example/&y=https://f.example/",
  ];
  const opened = given.map(open);
  const { urls, sorted } = openedUrls(given, opened);
  expect(urls).toHaveLength(9);
  const verdicts = sorted(urls.map((url) => `verdict on ${url}`));
  expect(verdicts.map(({ own }) => own)).toEqual(given.map((url) => `verdict on ${url}`));
  expect(verdicts.map((each) => each.opened)).toEqual(opened);
  for (const [i, { inner }] of verdicts.entries()) {
    expect(inner).toEqual(
      opened[i]!.found.map((found) => ({ inner: found, verdict: `verdict on ${found.url}` })),
    );
  }
  expect(verdicts.map(({ inner }) => inner.map((each) => each.inner.url))).toEqual([
    [],
    ["https://b.example/"],
    [wrap("https://c.example/"), "https://c.example/"],
    ["https://e.example/", "https://f.example/"],
  ]);
});

test("without URLs, there are no verdicts", () => {
  const { urls, sorted } = openedUrls([], []);
  expect(urls).toEqual([]);
  expect(sorted([])).toEqual([]);
});

test("the matches of a URL inside say through what the outer one is listed", () => {
  const [inner] = open(wrap("https://b.example/a")).found;
  const { check } = checker(prefixList([fullHash("b.example/"), fullHash("b.example/a")]));
  const matches = check(inner!.url);
  expect(matches).toHaveLength(2);
  expect(innerMatches(inner!, { matches })).toEqual(matches.map((match) => ({ ...match, inner })));
});

test.each([
  [wrap("https://b.example/"), true],
  ["https://protect-us.mimecast.com/s/a?domain=b.example", false],
  ["https://a.example/?x=https://b.example/", false],
])("%s must contain a URL: %s", (url, expected) => {
  expect(mustBeUrl(open(url).found[0]!)).toBe(expected);
});

test("only a URL that is not listed can have something dangerous left to find", () => {
  const whole = open(wrap("https://b.example/"));
  const cut = open(Array.from({ length: 40 }).reduce<string>(wrap, "https://b.example/"));
  expect(whole.limits).toEqual([]);
  expect(cut.limits).not.toEqual([]);
  expect([mayHaveMore(whole, false), mayHaveMore(whole, true)]).toEqual([false, false]);
  expect([mayHaveMore(cut, false), mayHaveMore(cut, true)]).toEqual([true, false]);
});
