import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { CanonError, tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { verifyCanonical } from "@x/canon/verify";
import { expressions } from "@x/expressions";
import { type Checker, checker, type Match, type Reading, type UrlVerdict } from "@x/lookup";
import { encodePrefixList, type PrefixList, prefixes, prefixList } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const SEED = 20261121;
const engines = ["webassembly", "javascript"] as const;

const evilBytes = Array.from(new TextEncoder().encode("http://evil.example/"));

const sha256 = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());

/** A match in a form that is easily compared. */
const told = ({ expression, hash, prefix, list, confirmed, reading }: Match) =>
  `${list.name}: ${expression} ${toHex(hash)} ${toHex(prefix)} ${confirmed} ${reading}`;

/** Whether a URL is canonical as it stands. */
function isCanonical(url: string | Uint8Array): boolean {
  const bytes = typeof url === "string" ? new TextEncoder().encode(url) : url;
  const spans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 } as const;
  return verifyCanonical(bytes, 0, bytes.length, { ...spans });
}

/** The matches of a URL in all its readings, by the platform's hash and a walk over every prefix of every list. */
function oracle(url: string | Uint8Array, lists: readonly PrefixList[]): string[] | string {
  const specification = tryParseUrl(url);
  const browser = tryParseUrlAsBrowser(url);
  if (specification === null && browser === null) return "not a URL";
  const [own, others] = [specification, browser].map((parsed) =>
    parsed ? expressions(parsed) : [],
  ) as [string[], string[]];
  const matches = [...new Set([...own, ...others])].flatMap((expression) => {
    const isOwn = own.includes(expression);
    const isBoth = isCanonical(url) || (isOwn && others.includes(expression));
    const reading = isBoth ? "both" : isOwn ? "specification" : "browser";
    const hash = sha256(expression);
    return lists.flatMap((list) => {
      const found = [...prefixes(list)].filter((prefix) =>
        prefix.every((byte, i) => byte === hash[i]),
      );
      const longest = found.sort((a, b) => b.length - a.length)[0];
      if (longest === undefined) return [];
      // The lists are so short that every prefix of more than four bytes is certain.
      const facts = `${toHex(hash)} ${toHex(longest)} ${longest.length > 4} ${reading}`;
      return [`${list.name}: ${expression} ${facts}`];
    });
  });
  const isUnread = isUndecoded(url) || hasImpossibleHost((browser ?? specification)!.host);
  return matches.length === 0 && isUnread ? "not a URL" : matches;
}

/** Whether a generated host cannot be a name in DNS, because its top-level domain is "1" or it has an escape. */
function hasImpossibleHost(host: string): boolean {
  return host.includes("%") || /(?:^|\.)1$/.test(host.replace(/^\d+(?:\.\d+){3}$/, ""));
}

/**
 * Whether the bytes before the path do not encode the original text, because half of a surrogate pair has become
 * U+FFFD.
 */
function isUndecoded(url: string | Uint8Array): boolean {
  if (typeof url === "string") return false;
  return /^ *(?:https?:|ftp:)?[/\\]*[^/\\?#]*\ufffd/i.test(new TextDecoder().decode(url));
}

const toldOf = ({ matches, error }: Pick<UrlVerdict, "matches"> & { error: unknown }) =>
  error ? "not a URL" : matches.map(told);

function checked(check: Checker["check"], url: string | Uint8Array): string[] | string {
  try {
    return check(url).map(told);
  } catch (error) {
    expect(error).toBeInstanceOf(CanonError);
    return "not a URL";
  }
}

// Few hosts and folders, so that URLs are often listed.
const host = fc.array(fc.constantFrom("a", "b", "xn--e1a", "evil", "1"), {
  minLength: 1,
  maxLength: 7,
});
const folder = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("x", "y", "z", "index.html") },
  fc.constantFrom("%20", "a b", "..", "", ".", "é"),
);
const url = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("http://", "https://") },
      fc.constantFrom(
        "",
        "HTTP://",
        "http:",
        "//u@",
        "ftp://",
        "http:\\\\",
        "http:///",
        " http://c\\@",
      ),
    ),
    fc.oneof(
      { weight: 6, arbitrary: host.map((labels) => labels.join(".")) },
      fc.constantFrom("[::1]", "1.2.3.4", "é.b", "B.a", ""),
    ),
    fc.array(folder, { maxLength: 6 }).map((folders) => folders.map((name) => `/${name}`).join("")),
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("/", "/?q", "/z?q=1/2") },
      fc.constantFrom("", "?", "?q=1/2", "/#f", "/%", "\ud800"),
    ),
  )
  .map((parts) => parts.join(""));

const listed = fc.array(url, { minLength: 1, maxLength: 20 });

function listOf(name: string, urls: readonly string[], sizes: readonly number[]): PrefixList {
  const hashes = urls
    .flatMap((text) => [tryParseUrl(text), tryParseUrlAsBrowser(text)])
    .flatMap((parsed) => (parsed ? expressions(parsed) : []))
    .filter((_, i) => i % 3 === 0)
    .map((text, i) => sha256(text).subarray(0, sizes[i % sizes.length]));
  return prefixList(hashes, { name, created: 0 });
}

describe.each(engines)("%s", (engine) => {
  test("a checker agrees with hashing every expression and walking every list", {
    tags: "deep",
  }, () => {
    const seen = {
      ...{ fast: 0, plain: 0, listed: 0, clean: 0, invalid: 0 },
      ...{ both: 0, specification: 0, browser: 0 },
    };
    fc.assert(
      fc.property(listed, listed, fc.array(url, { maxLength: 40 }), (some, others, urls) => {
        const lists = [listOf("some", some, [4]), listOf("others", others, [4, 5, 32])];
        const { check, checkMany, scan } = checker(lists, { engine });
        const all = [...urls, ...some];
        const expected = all.map((text) => oracle(text, lists));

        expect(all.map((text) => checked(check, text))).toEqual(expected);
        expect([...checkMany(all)].map(toldOf)).toEqual(expected);

        const encoder = new TextEncoder();
        const asBytes = all.map((text) => encoder.encode(text));
        const expectedOfBytes = asBytes.map((bytes) => oracle(bytes, lists));
        expect([...checkMany(asBytes)].map(toldOf)).toEqual(expectedOfBytes);

        asBytes.forEach((bytes, i) => {
          seen[isCanonical(bytes) ? "fast" : "plain"]++;
          const outcome = expected[i]!;
          if (typeof outcome !== "string") {
            for (const match of outcome) seen[match.split(" ").at(-1) as Reading]++;
          }
          if (typeof outcome === "string") seen.invalid++;
          else seen[outcome.length > 0 ? "listed" : "clean"]++;
        });

        const { lines, verdicts } = scan(encoder.encode(all.join("\n")));
        expect(lines).toBe(all.length);
        const byLine = new Map(verdicts.map((finding) => [finding.line, toldOf(finding)]));
        expectedOfBytes.forEach((outcome, line) => {
          const tells = all[line] !== "" && outcome.length > 0;
          expect(byLine.get(line)).toEqual(tells ? outcome : undefined);
        });
      }),
      { seed: SEED, numRuns: sampleSize(300) },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(100));
  });

  const list = prefixList([sha256("evil.example/").subarray(0, 4)], { name: "l", created: 0 });

  test("a batch that fills up many times gives every verdict at its index", {
    tags: "deep",
  }, () => {
    const { checkMany, scan } = checker(list, { engine });
    const urls = Array.from({ length: 5000 }, (_, i) => {
      if (i % 7 === 0) return `http://www.evil.example/${i}`;
      if (i % 11 === 0) return `mailto:me${i}`;
      return `http://a.b.c.d.e.f.g/1/2/3/4/5/${i}?${i % 3 === 0 ? "%20" : "q"}`;
    });
    const expected = urls.map((_, i) => (i % 7 === 0 ? 1 : i % 11 === 0 ? "authority-missing" : 0));
    const verdicts = [...checkMany(urls)];
    expect(verdicts.map(({ matches, error }) => error?.code ?? matches.length)).toEqual(expected);

    const bytes = new TextEncoder().encode(urls.join("\r\n"));
    const scanned = scan(bytes);
    expect([scanned.lines, scanned.checked]).toEqual([urls.length, urls.length]);
    expect([scanned.listed, scanned.refused]).toEqual(
      [1, "authority-missing"].map((each) => expected.filter((outcome) => outcome === each).length),
    );
    expect(scanned.verdicts.map(({ line }) => line)).toEqual(
      expected.flatMap((outcome, i) => (outcome === 0 ? [] : [i])),
    );
    for (const { line, start, end } of scanned.verdicts) {
      expect(new TextDecoder().decode(bytes.subarray(start, end))).toBe(urls[line]);
    }
  });

  test("URLs and lines longer than a batch are checked as well", () => {
    const { check, scan } = checker(list, { engine });
    const tail = `${"x/".repeat(100_000)}`;
    for (const url of [
      `http://evil.example/${tail}`,
      `EVIL.example/${tail}`,
      `evil.example?${tail}`,
    ]) {
      expect(check(url).map(({ expression }) => expression)).toEqual(["evil.example/"]);
      const { lines, verdicts } = scan(new TextEncoder().encode(`a\n${url}\nb\n${url}\n\n`));
      expect(lines).toBe(5);
      expect(verdicts.map(({ line }) => line)).toEqual([1, 3]);
    }
  });

  test("a checker works after a wrong argument, and refuses calls from its own registrableDomain", () => {
    const { check, checkMany } = checker(list, { engine });
    const wrong = ["http://evil.example/", 5 as unknown as string];
    expect(() => [...checkMany(wrong)]).toThrow(TypeError);
    expect(check("http://good.example/")).toEqual([]);
    expect(check("http://evil.example/")).toHaveLength(1);

    const nested: Checker = checker(list, {
      engine,
      registrableDomain: (host) => (nested.check(host).length > 0 ? host : null),
    });
    expect(() => nested.check("http://evil.example/")).toThrow("registrableDomain");
  });

  test("takes bytes of another realm, such as a frame's or a test runner's", () => {
    const { check, checkMany, scan } = checker(list, { engine });
    const bytes: Uint8Array = runInNewContext(`Uint8Array.from(${JSON.stringify(evilBytes)})`);
    expect(bytes instanceof Uint8Array).toBe(false);
    expect(check(bytes)).toHaveLength(1);
    expect([...checkMany([bytes])][0]!.matches).toHaveLength(1);
    expect(scan(bytes).verdicts).toHaveLength(1);
  });

  test.each([
    ["an array", evilBytes],
    ["a Uint16Array", Uint16Array.from(evilBytes)],
    ["a Uint8ClampedArray", Uint8ClampedArray.from(evilBytes)],
    ["an ArrayBuffer", Uint8Array.from(evilBytes).buffer],
    ["a number", 1],
    ["null", null],
    ["nothing", undefined],
  ])("%s is a TypeError, and never passes as not listed", (_what, wrong) => {
    const { check, checkMany, scan } = checker(list, { engine });
    for (const run of [() => check(wrong as never), () => [...checkMany([wrong as never])]]) {
      expect(run).toThrow(TypeError);
      expect(run).toThrow(/must be a string(,| or) a Uint8Array/);
    }
    expect(() => scan(wrong as never)).toThrow(TypeError);
  });

  test("with registrableDomain, the suffixes start at that domain", () => {
    const shared = prefixList([sha256("co.uk/").subarray(0, 4)], { name: "l", created: 0 });
    expect(checker(shared, { engine }).check("http://a.co.uk/")).toHaveLength(1);
    const registrableDomain = () => "a.co.uk";
    expect(checker(shared, { engine, registrableDomain }).check("http://a.co.uk/")).toEqual([]);
  });
});

test.each([
  [
    "lists must be a PrefixList or an array of them, not an object",
    encodePrefixList(prefixList([sha256("a.b/")])),
  ],
  ["lists[0] must be a PrefixList, not an object", [sha256("a.b/")]],
  ["lists[1] must be a PrefixList, not a number", [prefixList([]), 2]],
  ["lists[0] must be a PrefixList, not undefined", new Array(1)],
  ["lists must be a PrefixList or an array of them, not an object", { tables: [] }],
  ['lists must be a PrefixList or an array of them, not "phishing"', "phishing"],
  ["lists must be a PrefixList or an array of them, not undefined", undefined],
  ["lists must be a PrefixList or an array of them, not null", null],
])("checker refuses anything but lists, which would find nothing: %s", (message, lists) => {
  expect(() => checker(lists as never)).toThrow(new TypeError(message));
});

test("checkMany refuses a single URL, and scan refuses text", () => {
  const { check, checkMany, scan } = checker(prefixList([sha256("a.b/")]));
  const bytes = new TextEncoder().encode("a.b");
  expect(() => [...checkMany("a.b")]).toThrow(/^urls must be .* of URLs, not "a.b"$/);
  expect(() => [...checkMany(bytes as never)]).toThrow(/^urls must be .* of URLs, not an object$/);
  expect(() => scan("a.b\n" as never)).toThrow(
    'lines must be a Uint8Array or a LineBlock, not "a.b\\n"',
  );
  expect(check("a.b")).toHaveLength(1);
  expect(scan(bytes).verdicts).toHaveLength(1);
});

test("an element of a wrong type ends checkMany, in place of the verdicts on its chunk", () => {
  const { checkMany } = checker(prefixList([sha256("a.b/")]));
  const given: unknown[] = [...Array.from({ length: 300 }, () => "a.b"), 5];
  const verdicts = checkMany(given as string[]);
  let count = 0;
  const countAll = () => {
    for (const { matches } of verdicts) count += matches.length;
  };
  expect(countAll).toThrow(TypeError);
  expect(count).toBe(256);
  expect(verdicts.next().done).toBe(true);

  const none = checkMany(5 as never);
  expect(() => none.next()).toThrow(TypeError);
});

test("checkMany takes its input only as results are asked for", () => {
  let taken = 0;
  function* endless() {
    for (;;) yield `http://host${taken++}.example/`;
  }
  const list = prefixList([sha256("host300.example/")], { name: "l", created: 0 });
  let first = 0;
  for (const { matches } of checker(list).checkMany(endless())) {
    if (matches.length > 0) break;
    first++;
  }
  expect(first).toBe(300);
  expect(taken).toBeLessThan(1000);
});

test("checkMany mixes texts of any length, bytes and URLs that are parsed", () => {
  const { check, checkMany } = checker(prefixList([sha256("evil.example/")]));
  const encoder = new TextEncoder();
  const kinds: readonly ((i: number) => Parameters<Checker["check"]>[0])[] = [
    (i) => `http://evil.example/${i}`,
    (i) => `http://good.example/${i}`,
    (i) => encoder.encode(`http://evil.example/${i}`),
    (i) => tryParseUrl(`http://www.evil.example/${i}`)!,
    (i) => `http://evil.example/${"x".repeat(i * 100)}`,
    (i) => `http://evil.example/é${i}#top`,
  ];
  // The longest texts are longer than the memory of a batch, 64 kB.
  const urls = Array.from({ length: 1000 }, (_, i) => kinds[((i * i) % 97) % kinds.length]!(i));
  const found = [...checkMany(urls)].map(({ matches }) => matches.map(told));
  expect(found).toEqual(urls.map((url) => check(url).map(told)));
  expect(new Set(found.map((matches) => matches.length))).toEqual(new Set([0, 1]));
});

test("a list of another layout is refused, and not searched in vain", () => {
  const list = { ...prefixList([sha256("a.b/")]), layout: "tables-0" } as never;
  const code = expect.objectContaining({ code: "layout-unsupported" });
  expect(() => checker(list)).toThrow(code);
  expect(() => checker([list])).toThrow(code);
  expect(() => checker([], { safeLists: [list] })).toThrow(code);
});

test("a list cannot say of a URL both that it is dangerous and that it is safe", () => {
  const list = prefixList([sha256("a.b/")]);
  const expected = new TypeError("a list cannot be in both lists and safeLists");
  expect(() => checker(list, { safeLists: list })).toThrow(expected);
  expect(() => checker([prefixList([]), list], { safeLists: [list] })).toThrow(expected);
});

test("calls of one checker may overlap", () => {
  const { check, checkMany } = checker(prefixList([sha256("evil.example/")]));
  const listed = (url: string) => check(url).length;
  function* urls() {
    for (let i = 0; i < 600; i++) {
      // While some URLs wait, another is checked.
      expect(listed(i % 2 === 0 ? "evil.example/x" : "good.example")).toBe(1 - (i % 2));
      yield i % 3 === 0 ? "http://evil.example/" : "http://good.example/";
    }
  }
  let index = 0;
  for (const { matches } of checkMany(urls())) {
    expect(matches.length).toBe(index++ % 3 === 0 ? 1 : 0);
    expect([...checkMany(["evil.example", "good.example"])].map((v) => v.matches.length)).toEqual([
      1, 0,
    ]);
    if (index === 500) break;
  }
  expect(listed("evil.example")).toBe(1);
});

test("the iterator of checkMany can be left, refused and chained like that of a generator", () => {
  const { checkMany } = checker(prefixList([sha256("evil.example/")]));
  let closed = 0;
  function* urls() {
    try {
      for (let i = 0; i < 600; i++) yield i === 300 ? "evil.example" : "good.example";
    } finally {
      closed++;
    }
  }
  const done = { done: true, value: undefined };
  const left = checkMany(urls());
  expect(left[Symbol.iterator]()).toBe(left);
  expect(left.next()).toMatchObject({ done: false, value: { matches: [] } });
  expect(left.return()).toEqual(done);
  expect(closed).toBe(1);
  expect(left.next()).toEqual(done);

  const refused = checkMany(urls());
  refused.next();
  expect(() => refused.throw(new Error("enough"))).toThrow("enough");
  expect(closed).toBe(2);
  expect(refused.next()).toEqual(done);

  const all = [...checkMany(urls())];
  expect(all.flatMap(({ matches }, i) => (matches.length > 0 ? [i] : []))).toEqual([300]);
  expect(all).toHaveLength(600);
  // The verdicts inherit everything that iterators have on this platform, such as `map`.
  const inherited = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  expect(Object.getPrototypeOf(checkMany([]))).toBe(inherited);
});
