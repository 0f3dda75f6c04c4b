import { readFileSync } from "node:fs";
import { explainCanonicalization, tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import {
  changeText,
  checkedUrl,
  explainUrl,
  expressionRecord,
  matchRecord,
  type UrlExplanation,
  verdictOf,
  verdictText,
} from "@x/explain";
import { expressions } from "@x/expressions";
import { chanceOfFalseMatch, checker, urlHashes } from "@x/lookup";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const ENTRIES = ["a.b/", "b.c/x/", "a.b/x/y?q", "1.2.3.4/"];
const LISTS = [
  prefixList(ENTRIES.map(fullHash), { name: "short", prefixBytes: 4 }),
  prefixList(ENTRIES.slice(1).map(fullHash), { name: "long", prefixBytes: 32 }),
];

const part = fc.constantFrom(
  ..."http:// HTTPS:// https: a.b b.c %61.b 1.2.3.4 16909060 / /x/ /x/y ?q #f @ : 80 . .. %2e \\ é \ud800".split(
    " ",
  ),
);
const text = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(""));
const bytes = fc.oneof(
  text.map((written) => new TextEncoder().encode(written)),
  fc.uint8Array({ maxLength: 12 }),
);

/** URLs that are already canonical, some with a fragment. A checker does not parse such URLs. */
const canonical = fc
  .tuple(
    fc.constantFrom("http://a.b/", "https://b.c/x/?q", "http://a.b/x/y?q?"),
    fc.constantFrom("", "#f", "#", "#a#b", "# a?", "#é"),
  )
  .map((parts) => parts.join(""));

function explained(url: string | Uint8Array, lists: readonly PrefixList[]): UrlExplanation | null {
  const result = explainUrl(url, lists);
  return "error" in result ? null : result;
}

test("an explanation says what the packages below say, and is plain data", { tags: "deep" }, () => {
  const seen = { listed: 0, "not-listed": 0, "not-a-url": 0, "no-list": 0 };
  const readings = { both: 0, browser: 0, specification: 0 };
  const { checkMany } = checker(LISTS);
  fc.assert(
    fc.property(fc.oneof(text, bytes), (url) => {
      const result = explainUrl(url, LISTS, { prefixBytes: 8 });
      seen[verdictOf(result)]++;
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      const [verdict] = checkMany([url]);
      const specification = tryParseUrl(url);
      const browser = tryParseUrlAsBrowser(url);
      if ("error" in result) {
        const isReadable = /^(?:host-(?:undecided|invalid)|url-unclear)$/.test(result.error.code);
        if (!isReadable) expect([specification, browser]).toEqual([null, null]);
        expect(result.error.code).toBe(verdict!.error?.code);
        return;
      }
      readings[result.reading]++;
      const shown = specification ?? browser!;
      const { href, ...parts } = shown;
      const hashes = urlHashes(shown, { prefixBytes: 8 }).map(expressionRecord);
      const others = browser === null ? [] : expressions(browser);
      const own = hashes.map(({ expression }) => expression);
      expect(result).toMatchObject({
        ...parts,
        canonical: href,
        lists: LISTS.map(({ name, size, checksum }) => ({ name, size, checksum })),
        listed: result.matches.length > 0,
        matches: verdict!.matches.map(matchRecord),
        chanceOfFalseMatch: chanceOfFalseMatch(LISTS, result.expressions.length),
      });
      if (specification !== null) expect(result.steps).toEqual(explainCanonicalization(url));
      expect(result.expressions.slice(0, hashes.length)).toMatchObject(hashes);
      expect(new Set(result.expressions.map(({ expression }) => expression))).toEqual(
        new Set([...own, ...others]),
      );
      for (const { expression, reading } of result.expressions) {
        const isOwn = specification !== null && own.includes(expression);
        const isBrowsers = browser === null || others.some((other) => other === expression);
        expect(reading).toBe(isOwn ? (isBrowsers ? "both" : "specification") : "browser");
      }
      const isSame = new Set(own).size === new Set([...own, ...others]).size;
      if (!isSame) expect(result.browser?.canonical).toBe(browser!.href);
      expect(result.refused === null).toBe(specification !== null);
      expect(verdictOf(result)).toBe(result.listed ? "listed" : "not-listed");
    }),
    { seed: 3, numRuns: sampleSize(20_000) },
  );
  expect(Math.min(seen.listed, seen["not-listed"], seen["not-a-url"])).toBeGreaterThan(fewest(200));
  expect(Math.min(...Object.values(readings))).toBeGreaterThan(fewest(8));
});

test("the specification alone gives its own reading and no other", () => {
  const { checkMany } = checker(LISTS, { readings: "specification" });
  fc.assert(
    fc.property(fc.oneof(text, bytes), (url) => {
      const result = explainUrl(url, LISTS, { readings: "specification" });
      const parsed = tryParseUrl(url);
      expect("error" in result).toBe(parsed === null);
      if ("error" in result || parsed === null) return;
      const [verdict] = checkMany([url]);
      expect(result).toMatchObject({ reading: "both", browser: null, refused: null });
      expect(result.matches.map(({ expression, list }) => [expression, list])).toEqual(
        verdict!.matches.map(({ expression, list }) => [expression, list.name]),
      );
    }),
    { seed: 5, numRuns: sampleSize(2000) },
  );
});

test("a checked URL agrees with the explanation of it", () => {
  const { checkMany } = checker(LISTS);
  const inCanonicalBytes = fc.tuple(canonical, fc.constantFrom(0x66, 0xff)).map(([url, last]) => {
    return new Uint8Array([...new TextEncoder().encode(`${url}#`), last]);
  });
  const seen = { parsed: 0, asTheyStand: 0 };
  const anyUrl = fc.oneof(text, bytes, canonical, inCanonicalBytes);
  fc.assert(
    fc.property(fc.array(anyUrl, { maxLength: 20 }), (urls) => {
      const verdicts = [...checkMany(urls)];
      for (const [i, url] of urls.entries()) {
        const checked = checkedUrl(url, verdicts[i]!);
        const result = explainUrl(url, LISTS);
        seen[verdicts[i]!.readings === null ? "asTheyStand" : "parsed"]++;
        expect(verdictOf(checked)).toBe(verdictOf(result));
        if ("error" in checked) expect(result).toMatchObject({ error: checked.error });
        else {
          expect(checked.canonical).toBe(tryParseUrl(url)?.href ?? null);
          expect(result).toMatchObject({ listed: checked.listed, matches: checked.matches });
          const isRefused = checked.canonical === null;
          const browser = "browser" in result ? result.browser?.canonical : undefined;
          expect(checked.browser).toBe(browser);
          if (isRefused) expect(checked.browser).toBeDefined();
        }
      }
    }),
    { seed: 4, numRuns: sampleSize(300) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(fewest(500));
});

test("a line that is too long is a record with its beginning", () => {
  const line = new Uint8Array(3_000_000).fill(0x61);
  const { verdicts } = checker([]).scan(line);
  const [finding] = verdicts;
  const expected = { url: "a".repeat(256), error: { code: "line-too-long" } };
  expect(checkedUrl(line, finding!)).toMatchObject(expected);
  expect(checkedUrl("a".repeat(3_000_000), finding!)).toMatchObject(expected);
});

test("without a list, nothing is said to be listed or not", () => {
  expect(explained("a.b", [])).toMatchObject({ lists: [], listed: null, matches: [] });
});

test("wrong arguments are no refusals", () => {
  expect(() => explainUrl("a.b", [], { prefixBytes: 3 })).toThrow(RangeError);
  expect(() => explainUrl(1 as never, [])).toThrow(TypeError);
});

type Entries = Readonly<Record<string, readonly string[]>>;

interface Vector {
  readonly url: string;
  readonly prefixBytes: number;
  readonly lists: Entries;
  readonly safeLists?: Entries;
  readonly expected: object;
  readonly change: string | null;
}

test("beside lists with short prefixes, a long one confirms a match", () => {
  const short = Array.from({ length: 9999 }, (_, i) => fullHash(`${i}.example/`));
  const lists = [
    prefixList(short, { name: "short", prefixBytes: 4 }),
    prefixList([fullHash("b.c/")], { name: "long", prefixBytes: 8 }),
  ];
  expect(verdictText(explainUrl("http://b.c/", lists)).prefixNote).toBe(
    "Only a hash prefix matches, but its length confirms the match.",
  );
});

describe("the verdict in words", () => {
  const file = new URL("vectors/verdict-wording.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Vector[] };
  test.each(cases)("$url on $lists", ({ url, prefixBytes, lists, safeLists, expected, change }) => {
    const build = (entries: Entries = {}) =>
      Object.entries(entries).map(([name, all]) =>
        prefixList(all.map(fullHash), { name, prefixBytes }),
      );
    const explained = explainUrl(url, build(lists), { safeLists: build(safeLists) });
    const { prefixNote, ...text } = verdictText(explained);
    expect(text).toEqual(expected);
    const about = text.notes.filter((note) => note.startsWith("Only a hash prefix matches"));
    expect(about).toEqual(prefixNote === null ? [] : [prefixNote]);
    expect(changeText(explained)).toBe(change);
  });
});
