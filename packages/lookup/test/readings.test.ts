import { type CanonErrorCode, parseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { verifyCanonical } from "@x/canon/verify";
import { checker, readingHashes, type UrlVerdict } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";
import { randomNumbers, spoofedUrl } from "./spoofed-urls.ts";
import vectors from "./vectors/readings.json" with { type: "json" };

const listOf = (name: string, ...entries: string[]) =>
  prefixList(
    entries.map((entry) => fullHash(entry)),
    { name, created: 0, prefixBytes: 4 },
  );
const list = listOf("l", "evil.example/", "evil.example/bad/", "195.127.0.11/");

const told = ({ matches, error }: Pick<UrlVerdict, "matches"> & { error: unknown }) =>
  error === null ? matches.map(({ expression, reading }) => [expression, reading]).sort() : error;

describe.each(["webassembly", "javascript"] as const)("%s", (engine) => {
  const { check, checkMany, scan } = checker(list, { engine });

  test.each(vectors.cases)("$input: $section", ({ input, expected, error }) => {
    const code = error as CanonErrorCode | undefined;
    const [verdict] = checkMany([input]);
    expect(verdict!.error?.code).toBe(code);
    if (expected === undefined) {
      expect(() => check(input)).toThrow(expect.objectContaining({ code }) as Error);
      return;
    }
    expect(told(verdict!)).toEqual(expected);
    expect(told({ matches: check(input), error: null })).toEqual(expected);
    const bytes = new TextEncoder().encode(input);
    expect(told({ matches: check(bytes), error: null })).toEqual(expected);
    const [finding] = scan(bytes, { all: true }).verdicts;
    expect(told(finding!)).toEqual(expected);
  });

  test("browsers replace half of a surrogate pair by U+FFFD; the specification has no such character", () => {
    const expected = [
      ["evil.example/", "browser"],
      ["evil.example/bad/", "browser"],
    ];
    expect(told({ matches: check("http://evil.example/bad/\ud800"), error: null })).toEqual(
      expected,
    );
    expect(() => check("\ud800")).toThrow(
      expect.objectContaining({ code: "lone-surrogate" }) as Error,
    );
  });

  test.each([
    "http://ev\xadil.example/",
    "http://\x82\x85vil.example/",
    "http://ev\xadil.example\\@good.example/",
    "http://\x1b$B#e\x1b(Bvil.example/",
    "http://\x01\x80.com/",
  ])("a host in another encoding than UTF-8 is never not listed: %j", (text) => {
    const bytes = Buffer.from(text, "latin1");
    expect(() => check(bytes)).toThrow(
      expect.objectContaining({ code: "host-undecided" }) as Error,
    );
    const [verdict] = checkMany([bytes]);
    expect(verdict!.error?.code).toBe("host-undecided");
    const [finding] = scan(bytes).verdicts;
    expect(finding!.error?.code).toBe("host-undecided");
  });

  test("a host in another encoding than UTF-8 is listed if a reading is", () => {
    const bytes = Buffer.from("http://\xfc@evil.example/", "latin1");
    expect(check(bytes)).toHaveLength(1);
    expect(scan(bytes).verdicts).toHaveLength(1);
    expect(check(Buffer.from("http://evil.example/\xe4", "latin1"))).toHaveLength(1);
  });

  test.each([
    ["//evil.example?c=4&go=/y/../x", "evil.example/?c=4&go=/y/../x", "evil.example/?c=4&go=/x"],
    ["http:\\\\evil.example?/y/../x", "evil.example/?/y/../x", "evil.example/?/x"],
    ["//good.example%2F@evil.example?/y/..", "evil.example/?/y/..", "evil.example/?/"],
    ["http:\\\\\\good.example/../evil.example/a", "good.example/", "evil.example/"],
    ["http:\\\\\\evil.example/../evil.example/../a", "evil.example/", "a/"],
  ])("a link that Firefox reads in its own way is found in all forms: %j", (url, ...entries) => {
    for (const entry of entries) {
      const lists = listOf("l", entry);
      const { check, checkMany, scan } = checker(lists, { engine });
      const found = [...checkMany([url, "http://other.example/"])][0]!;
      const [scanned] = scan(new TextEncoder().encode(url)).verdicts;
      for (const matches of [check(url), found.matches, scanned!.matches]) {
        expect(matches.map(({ expression }) => expression)).toEqual([entry]);
      }
      expect(readingHashes(url).hashes.map(({ expression }) => expression)).toContain(entry);
    }
    const safeLists = [listOf("safe", ...entries, "good.example/", "evil.example/")];
    const safe = checker(listOf("none", "b.example/"), { safeLists, engine });
    expect([...safe.checkMany([url])][0]!.safeMatches).toEqual([]);
  });

  test("the href of a spoofed URL is listed too", () => {
    const { href } = new URL("http://good.example%2F@evil.example/");
    expect(href).toContain("%2F@");
    expect(check(href)).toHaveLength(1);
  });

  test.each(["both", "specification"] as const)("a verdict has the readings: %s", (readings) => {
    const { checkMany, scan } = checker(list, { engine, readings });
    const random = randomNumbers(25);
    const spoofed = Array.from({ length: sampleSize(2000) }, () => spoofedUrl(random));
    const plain = ["http://evil.example/bad/", "http://good.example/?", "http://a.good.example/"];
    // `scan` would read blank text, text with line endings and text with lone surrogates differently.
    const urls = [...plain, ...spoofed.filter((url) => !/^\s*$|[\r\n]|\p{Cs}/u.test(url))];
    const lines = new TextEncoder().encode(urls.join("\n"));
    const { verdicts } = scan(lines, { all: true });
    const seen = { parsed: 0, asTheyStand: 0 };
    for (const [i, verdict] of [...checkMany(urls)].entries()) {
      const bytes = new TextEncoder().encode(urls[i]);
      const spans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 } as const;
      const isCanonical = verifyCanonical(bytes, 0, bytes.length, { ...spans });
      seen[isCanonical ? "asTheyStand" : "parsed"]++;
      expect(verdict.readings).toEqual(isCanonical ? null : readUrl(urls[i]!, readings));
      // In a URL given as text, the specification reads each U+0080 to U+009F in the host as a single byte, but `scan`
      // reads UTF-8.
      expect(verdicts[i]!.readings).toEqual(isCanonical ? null : readUrl(bytes, readings));
    }
    expect(seen.parsed).toBeGreaterThan(fewest(1000));
    expect(seen.asTheyStand).toBeGreaterThanOrEqual(plain.length);
  });

  test("a URL whose registrable domain cannot be found leaves nothing behind", () => {
    let isDown = true;
    const registrableDomain = () => {
      if (isDown) throw new Error("down");
      return null;
    };
    const { check, checkMany } = checker(list, { engine, registrableDomain });
    for (const url of ["https:good.example", "http://good.example\\@\u2065/", "http://a.b/"]) {
      expect(() => check(url)).toThrow("down");
      expect(() => [...checkMany([url])]).toThrow("down");
    }
    isDown = false;
    expect(check("http://good.example/")).toEqual([]);
    expect([...checkMany(["http://good.example/"])].map(({ error }) => error)).toEqual([null]);
  });

  test('with readings: "specification", browsers are not asked', () => {
    const strict = checker(list, { engine, readings: "specification" });
    for (const { input, expected } of vectors.cases) {
      const verdict = [...strict.checkMany([input])][0]!;
      const ofSpecification = (expected ?? []).filter(([, reading]) => reading !== "browser");
      expect(verdict.matches.map(({ expression }) => expression)).toEqual(
        ofSpecification.map(([expression]) => expression),
      );
      for (const { reading } of verdict.matches) expect(reading).toBe("specification");
    }
    expect(() => strict.check("https:evil.example")).toThrow(
      expect.objectContaining({ code: "authority-missing" }) as Error,
    );
  });

  test("a CanonicalUrl has the specification's reading alone", () => {
    const parsed = parseUrl("http://evil.example\\@good.example/");
    expect(check(parsed)).toEqual([]);
    const [first, second] = [parseUrl("http://evil.example/x"), parseUrl("http://a.example/")];
    expect(told({ matches: check(first), error: null })).toEqual([
      ["evil.example/", "specification"],
    ]);
    expect([...checkMany([second, "evil.example", first])].map(told)).toEqual([
      [],
      [["evil.example/", "both"]],
      [["evil.example/", "specification"]],
    ]);
    // The parts of a `CanonicalUrl` are used without comparing them with its `href`.
    expect(check({ ...first, host: "good.example" })).toEqual([]);
  });

  test.each([new URL("http://evil.example/"), {}, [], new Date(0)])(
    "%o is neither text nor bytes nor a CanonicalUrl",
    (url) => {
      expect(() => check(url as never)).toThrow(TypeError);
      expect(() => check(url as never)).toThrow(/^url must be a string, a Uint8Array or a Canon/);
    },
  );

  test("the readings of a URL that is too long for the batch", () => {
    const tail = `bad/${"x/".repeat(100_000)}`;
    expect(
      told({ matches: check(`http://evil.example\\@good.example/${tail}`), error: null }),
    ).toEqual([["evil.example/", "browser"]]);
    expect(told({ matches: check(`HTTP://evil.example/${tail}`), error: null })).toEqual([
      ["evil.example/", "both"],
      ["evil.example/bad/", "both"],
    ]);
  });

  test("many URLs with two readings fill a batch", { tags: "deep" }, () => {
    const urls = Array.from({ length: 3000 }, (_, i) => {
      const decoy = `http://a.b.c.d.good.example/1/2/3/4/${i}?q`;
      return i % 3 === 0 ? `http://evil.example\\@${decoy.slice(7)}` : decoy;
    });
    expect([...checkMany(urls)].map(({ matches }) => matches.length)).toEqual(
      urls.map((_, i) => (i % 3 === 0 ? 1 : 0)),
    );
    const lines = new TextEncoder().encode(urls.join("\n"));
    expect(scan(lines).verdicts.map(({ line }) => line)).toEqual(
      urls.flatMap((_, i) => (i % 3 === 0 ? [i] : [])),
    );
  });
});

test.each([null, "browser", "letter", true])("readings: %o is a TypeError", (readings) => {
  expect(() => checker(list, { readings: readings as never })).toThrow(TypeError);
});

describe("safe lists", () => {
  const safe = listOf("safe", "good.example/", "fine.example/");
  const other = listOf("other", "good.example/");
  const { check, checkMany, scan } = checker(list, { safeLists: [safe, other] });
  const safeNames = ({ safeMatches }: Pick<UrlVerdict, "safeMatches">) =>
    safeMatches.map((match) => [match.list.name, match.expression, match.reading]);

  test("a URL on a safe list is not listed, and its verdict says so", () => {
    const [verdict] = checkMany(["http://www.good.example/x"]);
    expect(verdict!.matches).toEqual([]);
    expect(safeNames(verdict!)).toEqual([
      ["safe", "good.example/", "both"],
      ["other", "good.example/", "both"],
    ]);
    expect(check("http://www.good.example/x")).toEqual([]);
  });

  test("it counts only when every reading is on it", () => {
    const verdicts = [
      ...checkMany([
        "http://good.example\\@evil.example/",
        "http://evil.example\\@good.example/",
        "http://good.example\\@fine.example/",
        "http:good.example",
        "good.example",
        "http://bad.example%2F@good.example/",
      ]),
    ];
    expect(verdicts.map(({ matches }) => matches.length)).toEqual([1, 1, 0, 0, 0, 0]);
    expect(verdicts.map(safeNames)).toEqual([
      [],
      [],
      [
        ["safe", "fine.example/", "specification"],
        ["safe", "good.example/", "browser"],
      ],
      [
        ["safe", "good.example/", "browser"],
        ["other", "good.example/", "browser"],
      ],
      [
        ["safe", "good.example/", "both"],
        ["other", "good.example/", "both"],
      ],
      [],
    ]);
  });

  test("it does not count when a reading cannot be decided", () => {
    const urls = ["http://a\u2065.good.example/", "http://good.example\\@\u2065/"];
    const verdicts = [...checkMany(urls)];
    expect(verdicts.map(safeNames)).toEqual([[], []]);
    expect(verdicts.map(({ error }) => error?.code)).toEqual(["host-undecided", "host-undecided"]);
    const both = checker(listOf("l", "www.good.example/"), { safeLists: safe });
    const [verdict] = both.checkMany(["http://www.good.example\\@a\u2065.good.example/"]);
    expect([verdict!.matches.length, verdict!.safeMatches.length, verdict!.error]).toEqual([
      1,
      0,
      null,
    ]);
  });

  test("a URL may be on both kinds of lists", () => {
    const both = checker(list, { safeLists: listOf("s", "www.evil.example/") });
    const [verdict] = both.checkMany(["http://www.evil.example/"]);
    expect(verdict!.matches).toHaveLength(1);
    expect(verdict!.safeMatches).toHaveLength(1);
  });

  test("scan reports lines on safe lists", () => {
    const lines = new TextEncoder().encode("a.example\ngood.example\nevil.example\n");
    expect(
      scan(lines).verdicts.map(({ line, matches, safeMatches }) => [
        line,
        matches.length,
        safeMatches.length,
      ]),
    ).toEqual([
      [1, 0, 2],
      [2, 1, 0],
    ]);
  });

  test("a list is of one kind", () => {
    expect(() => checker([list, safe], { safeLists: safe })).toThrow(TypeError);
    expect(() => checker(list, { safeLists: "safe" as never })).toThrow(TypeError);
    expect(() => checker(list, { safeLists: [5] as never })).toThrow(/^safeLists\[0\] must be/);
  });
});

test("a match of a full hash is confirmed, one of four bytes is not, and a longer one is, by its length", () => {
  const list = prefixList([
    fullHash("evil.example/"),
    fullHash("a.example/").subarray(0, 5),
    fullHash("b.example/").subarray(0, 4),
  ]);
  const { check } = checker(list);
  const told = (url: string) => check(url).map(({ confirmed, by }) => [confirmed, by]);
  expect(told("http://evil.example/")).toEqual([[true, undefined]]);
  expect(told("http://a.example/")).toEqual([[true, "length"]]);
  expect(told("http://b.example/")).toEqual([[false, undefined]]);
  expect("by" in check("http://evil.example/")[0]!).toBe(false);
});
