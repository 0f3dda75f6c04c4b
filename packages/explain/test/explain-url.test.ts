import { readFileSync } from "node:fs";
import { canonicalize, explainCanonicalization, tryParseUrl } from "@x/canon";
import {
  checkedUrl,
  explainUrl,
  expressionRecord,
  matchRecord,
  type UrlExplanation,
  verdictOf,
  verdictText,
} from "@x/explain";
import { checker, urlHashes } from "@x/lookup";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const ENTRIES = ["a.b/", "b.c/x/", "a.b/x/y?q", "1.2.3.4/"];
const LISTS = [
  prefixList(ENTRIES.map(fullHash), { name: "short", prefixBytes: 4 }),
  prefixList(ENTRIES.slice(1).map(fullHash), { name: "long", prefixBytes: 32 }),
];

const part = fc.constantFrom(
  ..."http:// HTTPS:// a.b b.c %61.b 1.2.3.4 16909060 / /x/ /x/y ?q #f @ : 80 . .. %2e \\ é \ud800".split(
    " ",
  ),
);
const text = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(""));
const bytes = fc.oneof(
  text.map((written) => new TextEncoder().encode(written)),
  fc.uint8Array({ maxLength: 12 }),
);

function explained(url: string | Uint8Array, lists: readonly PrefixList[]): UrlExplanation | null {
  const result = explainUrl(url, lists);
  return "error" in result ? null : result;
}

test("an explanation says what the packages below say, and is plain data", () => {
  const { check } = checker(LISTS, { readings: "specification" });
  const seen = { listed: 0, "not-listed": 0, "not-a-url": 0, "no-list": 0 };
  fc.assert(
    fc.property(fc.oneof(text, bytes), (url) => {
      const result = explainUrl(url, LISTS, { prefixBytes: 8 });
      seen[verdictOf(result)]++;
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      const parsed = tryParseUrl(url);
      if (parsed === null || "error" in result) {
        expect("error" in result).toBe(parsed === null);
        return;
      }
      const { href, ...parts } = parsed;
      expect(result).toEqual({
        ...parts,
        canonical: href,
        steps: explainCanonicalization(url),
        expressions: urlHashes(parsed, { prefixBytes: 8 }).map(expressionRecord),
        lists: LISTS.map(({ name, size }) => ({ name, size })),
        listed: result.matches.length > 0,
        matches: check(url).map(matchRecord),
      });
      expect(verdictOf(result)).toBe(result.listed ? "listed" : "not-listed");
    }),
    { seed: 3, numRuns: 4000 },
  );
  expect(Math.min(seen.listed, seen["not-listed"], seen["not-a-url"])).toBeGreaterThan(200);
});

test("a checked URL agrees with the explanation of it", () => {
  const { checkMany } = checker(LISTS, { readings: "specification" });
  fc.assert(
    fc.property(fc.array(fc.oneof(text, bytes), { maxLength: 20 }), (urls) => {
      const verdicts = [...checkMany(urls)];
      for (const [i, url] of urls.entries()) {
        const checked = checkedUrl(url, verdicts[i]!);
        const result = explainUrl(url, LISTS);
        expect(verdictOf(checked)).toBe(verdictOf(result));
        if ("error" in checked) expect(result).toMatchObject({ error: checked.error });
        else {
          expect(checked.canonical).toBe(canonicalize(url));
          expect(result).toMatchObject({ listed: checked.listed, matches: checked.matches });
        }
      }
    }),
    { seed: 4, numRuns: 200 },
  );
});

test("a line that is too long is a record with its beginning", () => {
  const line = new Uint8Array(3_000_000).fill(0x61);
  const { findings } = checker([]).scan(line);
  const [finding] = findings;
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

interface Vector {
  readonly url: string;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly expected: object;
}

describe("the verdict in words", () => {
  const file = new URL("vectors/verdict-wording.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Vector[] };
  test.each(cases)("$url on $lists", ({ url, lists, expected }) => {
    const built = Object.entries(lists).map(([name, entries]) =>
      prefixList(entries.map(fullHash), { name, prefixBytes: 4 }),
    );
    expect(verdictText(explainUrl(url, built))).toEqual(expected);
  });
});
