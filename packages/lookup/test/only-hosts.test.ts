import { CanonError } from "@x/canon";
import { exactExpression } from "@x/expressions";
import { type CheckerOptions, checker, type Match } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const listOf = (name: string, urls: readonly string[], bytes = 32) =>
  prefixList(
    urls.map((url) => fullHash(exactExpression(url)).subarray(0, bytes)),
    { name, created: 0 },
  );
const PAGES = ["evil.example/a", "evil.example/a/b?c", "b.evil.example/a/", "1.2.3.4/a", "a.b/?c"];
const hosts = listOf("hosts", ["evil.example", "b.evil.example", "1.2.3.4", "[::1]", "a.b"], 8);
/** As if the hashes of pages began like those of entries for hosts, by chance. */
const lucky = listOf("lucky", ["c.evil.example", "a.b", ...PAGES], 4);
const pages = listOf("pages", [...PAGES, "c.evil.example"]);
const safe = listOf("safe", ["good.example", "evil.example/a"]);

const part = (...values: string[]) => fc.constantFrom(...values);
const url = fc
  .tuple(
    part("http://", "http://", "https://", "", "HTTP:\\\\", "http://good.example@"),
    part("", "", "a.", "b.", "c.", "x.y.b.", "%62."),
    part("evil.example", "evil.example", "good.example", "1.2.3.4", "[::1]", "a.b", "ex\\ample"),
    part("", "", ":80", "."),
    part("", "/", "/a", "/a/", "/a/b?c", "/?c", "/a/../a", "/a\\b", "#/a", "/a%2f", '/"'),
  )
  .map((parts) => parts.join(""));

const told = ({ list, expression, hash, prefix, confirmed, by, reading }: Match) =>
  `${list.name}: ${expression} ${toHex(hash)} ${toHex(prefix)} ${confirmed} ${by} ${reading}`;

function outcome(run: () => readonly Match[]): readonly Match[] | string {
  try {
    return run();
  } catch (error) {
    expect(error).toBeInstanceOf(CanonError);
    return (error as CanonError).code;
  }
}

const isWholeHost = ({ expression }: Match) => /^[^/]+\/$/.test(expression);

const variants: Readonly<Record<string, CheckerOptions>> = {
  "all lists": { onlyHosts: [hosts, lucky] },
  "all lists, in JavaScript": { onlyHosts: [hosts, lucky], engine: "javascript" },
  "all lists, with registrable domains": {
    onlyHosts: [hosts, lucky],
    registrableDomain: (host) => host.split(".").slice(-3).join("."),
  },
  "some lists": { onlyHosts: [lucky] },
  "all lists but a safe one": { onlyHosts: [hosts, lucky], safeLists: safe },
  "a safe list": { onlyHosts: safe, safeLists: safe },
};

test.each(Object.entries(variants))(
  "%s: only matches of whole hosts count, and all others are those of the plain check",
  (_, options) => {
    const { onlyHosts, ...plainOptions } = options;
    const marked = [onlyHosts!].flat();
    const lists = [hosts, lucky, ...(options.safeLists === undefined ? [] : [pages])];
    const counts = (match: Match) => !marked.includes(match.list) || isWholeHost(match);
    const plain = checker(lists, { ...plainOptions, bloomFilter: false });
    const marking = checker(lists, options);
    const seen = { whole: 0, dropped: 0, none: 0, refused: 0 };
    fc.assert(
      fc.property(url, (url) => {
        const verdict = [...plain.checkMany([url])][0]!;
        const all = verdict.matches;
        const matches = all.filter(counts).map(told);
        const safeMatches = verdict.safeMatches.filter(counts).map(told);
        const found = [...marking.checkMany([url])][0]!;
        expect(found.matches.map(told)).toEqual(matches);
        // An input with a problem is an error, unless it is listed.
        if (matches.length > 0) expect(found.error).toBeNull();
        else if (all.length === 0) expect(found.error).toEqual(verdict.error);
        if (found.error === null && verdict.error === null)
          expect(found.safeMatches.map(told)).toEqual(safeMatches);
        const checked = outcome(() => marking.check(url));
        if (typeof checked === "string") expect(checked).toBe(found.error?.code);
        else expect([checked.map(told), found.error]).toEqual([matches, null]);
        const scanned = marking.scan(new TextEncoder().encode(url), { all: true }).verdicts[0];
        expect(scanned?.matches.map(told) ?? []).toEqual(matches);
        const kept = matches.length + safeMatches.length;
        if (all.length + verdict.safeMatches.length > kept) seen.dropped++;
        if (matches.length > 0) seen.whole++;
        else seen[verdict.error === null ? "none" : "refused"]++;
      }),
      { seed: 20261129, numRuns: sampleSize(20_000) },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(300));
  },
);

test("an entry for a page on another list is found", () => {
  const { check } = checker([hosts, pages], { onlyHosts: hosts });
  expect(check("http://c.good.example/").length).toBe(0);
  expect(check("http://a.b/?c").map(({ list }) => list.name)).toEqual(["pages", "hosts"]);
});

test("a list in onlyHosts has to be one of the lists", () => {
  expect(() => checker([hosts], { onlyHosts: pages })).toThrow(TypeError);
  expect(() => checker([hosts], { onlyHosts: true as never })).toThrow(TypeError);
});
