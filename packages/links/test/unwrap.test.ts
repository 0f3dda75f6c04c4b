import { tryParseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { type UnwrappedLink, unwrapLink } from "@x/links/unwrap";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  MAX_UNWRAP_DEPTH,
  MAX_UNWRAP_LENGTH,
  MAX_UNWRAPPED_URLS,
} from "../src/unwrap/unwrap-link.ts";
import cases from "./vectors/unwrap.json" with { type: "json" };
import { ENCODERS, type Encoder } from "./wrap.ts";

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,6}(?:-[a-z0-9]{1,4})?$/);
const host = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("example", "org", "co.uk"),
  )
  .map(([labels, end]) => [...labels, end].join("."));
const path = fc.stringMatching(/^(?:\/[A-Za-z0-9~_.,:@*!$()'-]{1,6}|\/%[2-7][0-9A-F]){0,3}$/);
const query = fc.option(
  fc.stringMatching(/^[a-z]=[A-Za-z0-9/?_*.-]{0,8}(?:&[a-z]=%C3%A9[a-z]{0,3})?$/),
);
const plainUrl = fc
  .tuple(fc.constantFrom("http", "https"), host, path, query)
  .map(
    ([scheme, name, rest, search]) =>
      `${scheme}://${name}${rest}/${search === null ? "" : `?${search}`}`,
  )
  // Leaves out dot segments, which browsers resolve, and the mark at the end of a URL that Proofpoint wraps.
  .filter(
    (url) => !/\/(?:\.|%2e){1,2}(?:\/|$)|__;/i.test(url) && unwrapLink(url).found.length === 0,
  );

const isWeb = (url: string) => /^https?:/.test(url);
/** Proofpoint does not wrap its own links again. Wrappers that show a page or its origin accept only URLs of pages. */
const canWrap = ({ wrapper, wrap }: Encoder, url: string) =>
  !(wrapper === "Proofpoint v3" && url.includes("__;")) &&
  (isWeb(url) ||
    wrap === ENCODERS.at(-1)!.wrap ||
    !/AMP|Translate|archive|intent|blob|filesystem/.test(wrapper));

const isTranslated = (url: string) => /^https:\/\/[^/]*\.translate\.goog\//.test(url);

const sameUrl = (one: string, other: string) =>
  one === other || tryParseUrl(one)?.href === tryParseUrl(other)?.href;

describe("wrapped by the rule of the service, and opened", () => {
  test.each(ENCODERS.map((encoder, i) => [encoder.wrapper, i, encoder] as const))(
    "%s (%i)",
    (wrapper, _i, { wrap }) => {
      fc.assert(
        fc.property(plainUrl, (url) => {
          const { found, closed, limits } = unwrapLink(wrap(url));
          expect(found.map(({ depth, certainty }) => [depth, certainty])).toEqual([[1, "certain"]]);
          expect(found[0]!.wrapper).toBe(wrapper);
          expect(tryParseUrl(found[0]!.url)?.href).toBe(tryParseUrl(url)!.href);
          expect([closed, limits]).toEqual([[], []]);
        }),
        { numRuns: sampleSize(200) },
      );
    },
  );

  test("500 of them nested two and three deep", { tags: "deep" }, () => {
    let count = 0;
    const chain = fc.array(fc.constantFrom(...ENCODERS), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(plainUrl, chain, (url, encoders) => {
        const layers = [url];
        for (const encoder of encoders) {
          fc.pre(canWrap(encoder, layers[0]!));
          // Both layers would add the same parameters to one query, so they could not be told apart.
          fc.pre(!(isTranslated(encoder.wrap(layers[0]!)) && isTranslated(layers[0]!)));
          layers.unshift(encoder.wrap(layers[0]!));
        }
        const { found, limits } = unwrapLink(layers[0]!);
        const names = encoders.map(({ wrapper }) => wrapper).reverse();
        expect(found.map(({ wrapper }) => wrapper)).toEqual(names);
        expect(found.map(({ inside }) => inside)).toEqual([null, ...found.slice(0, -1)]);
        expect(sameUrl(found.at(-1)!.url, url)).toBe(true);
        expect(limits).toEqual([]);
        count++;
      }),
      { numRuns: 500 },
    );
    expect(count).toBeGreaterThanOrEqual(500);
  });
});

test.each(cases.cases)("$input", { tags: "deep" }, ({ input, expected, closed }) => {
  const result = unwrapLink(input);
  expect(result.found.map(({ url, wrapper, certainty }) => [url, wrapper ?? certainty])).toEqual(
    expected,
  );
  expect(result.closed.map(({ wrapper }) => wrapper)).toEqual(closed);
});

test("says whether a wrapper is a service or a scheme", () => {
  const { found } = unwrapLink(
    "view-source:https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F%3Fnext%3Dhttp%3A%2F%2Fb.example%2F",
  );
  expect(found.map(({ wrapper, wrapperKind }) => [wrapper, wrapperKind])).toEqual([
    ["view-source", "scheme"],
    ["Facebook", "service"],
    [null, null],
  ]);
});

test.each(["intent:x", "intent://x/#Intent;scheme=;end", "blob:null/0-1-2"])(
  "no service knows more about %s",
  (url) => {
    expect(unwrapLink(url)).toEqual({ found: [], closed: [], limits: [] });
  },
);

describe("a URL inside whose host cannot be decided is returned, so that its check can say so", () => {
  test.each([
    "http://ev\u0378il.example/",
    "ev\u0378il.example/",
    "//ev\u0378il.example/",
    "http:%2fev\u0378il.example/",
    "https:a\u0378\\@",
    `http://${"\u00e9".repeat(600)}.example/`,
  ])("%j", (url) => {
    const { found } = unwrapLink(`https://www.google.com/url?q=${encodeURIComponent(url)}`);
    expect(found).toHaveLength(1);
    expect(readUrl(found[0]!.url).problem?.code).toBe("host-undecided");
  });
});

test.each(["\u0939\u093f\u0928\u094d\u0926\u0940.example/a", "\u{1f4a9}.la", "\u{10ffff}.example"])(
  "a host without a scheme may have marks, emoji and undefined characters: %j",
  (host) => {
    const { found } = unwrapLink(`https://www.google.com/url?q=${encodeURIComponent(host)}`);
    expect(found.map(({ url }) => url)).toEqual([`http://${host}`]);
  },
);

describe("limits", () => {
  const nested = (depth: number) => `${"view-source:".repeat(depth)}http://evil.example/`;

  test("of depth", () => {
    expect(unwrapLink(nested(MAX_UNWRAP_DEPTH)).limits).toEqual([]);
    const { found, limits } = unwrapLink(nested(MAX_UNWRAP_DEPTH + 1));
    expect(found.at(-1)!.depth).toBe(MAX_UNWRAP_DEPTH);
    expect(limits).toEqual(["depth"]);
  });

  test("of URLs", () => {
    const many = (count: number) =>
      `http://a.example/?${Array.from({ length: count }, (_, i) => `u=http://b${i}.example/`).join("&")}`;
    expect(unwrapLink(many(MAX_UNWRAPPED_URLS)).limits).toEqual([]);
    const { found, limits } = unwrapLink(many(MAX_UNWRAPPED_URLS + 1));
    expect(found).toHaveLength(MAX_UNWRAPPED_URLS);
    expect(limits).toEqual(["urls"]);
  });

  test("of length", () => {
    const url = "http://a.example/?u=http://evil.example/";
    expect(unwrapLink(url.padEnd(MAX_UNWRAP_LENGTH, "x")).found).toHaveLength(1);
    const { found, limits } = unwrapLink(url.padEnd(MAX_UNWRAP_LENGTH + 1, "x"));
    expect([found, limits]).toEqual([[], ["length"]]);
  });
});

describe("any input", () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom(
        ..."http:// https: view-source: intent: #Intent; scheme= ; __; /v3/__ ** * & = ? # % %25 %3A %2F aHR0cDov u= url= q= . / \\ @".split(
          " ",
        ),
        "https://urldefense.com/v3/__",
        "https://urldefense.proofpoint.com/v2/url?u=http-3A__",
        "https://x.translate.goog/",
        "https://web.archive.org/web/",
        "https://www.google.com/url?q=",
        "https://r.search.yahoo.com/RU=",
      ),
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.string({ unit: "binary", maxLength: 6 }),
    ),
    { maxLength: 40 },
  );

  const check = ({ found, closed, limits }: UnwrappedLink) => {
    expect(found.length).toBeLessThanOrEqual(MAX_UNWRAPPED_URLS);
    expect(closed.length).toBeLessThanOrEqual(MAX_UNWRAPPED_URLS + 1);
    expect(new Set(found.map(({ url }) => url)).size).toBe(found.length);
    for (const [i, { depth, inside, wrapper, certainty }] of found.entries()) {
      if (inside !== null) expect(found.slice(0, i)).toContain(inside);
      expect(depth).toBe((inside?.depth ?? 0) + 1);
      expect(certainty === "guess").toBe(wrapper === null);
      if (depth > MAX_UNWRAP_DEPTH) expect(limits).toContain("depth");
    }
  };

  test("text gives a result of the documented form", () => {
    let opened = 0;
    fc.assert(
      fc.property(hostile, (pieces) => {
        const result = unwrapLink(pieces.join(""));
        if (result.found.length > 0) opened++;
        check(result);
      }),
      { numRuns: sampleSize(20_000) },
    );
    expect(opened).toBeGreaterThan(0);
  });

  test("bytes give the same result as their text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), hostile, (bytes, pieces) => {
        check(unwrapLink(bytes));
        const text = pieces
          .join("")
          .replace(/\p{Surrogate}/gu, "")
          .replace(/^\ufeff/, "");
        expect(unwrapLink(new TextEncoder().encode(text))).toEqual(unwrapLink(text));
      }),
      { numRuns: sampleSize(2_000) },
    );
  });

  test.each([
    ["many wrappers", (length: number) => "https://www.google.com/url?q=".repeat(length / 29)],
    [
      "many parameters",
      (length: number) => `http://a.example/?${"u=%2568ttp&".repeat(length / 11)}`,
    ],
    [
      "ends of URLs",
      (length: number) => `http://a.example/?]${'"}http://b.c//'.repeat(length / 13)}`,
    ],
    ["many escapes", (length: number) => `http://a.example/?u=${"%25".repeat(length / 3)}`],
    [
      "asterisks",
      (length: number) => `https://urldefense.com/v3/__http://a/${"**_".repeat(length / 3)}__;IS`,
    ],
    ["ends", (length: number) => `https://urldefense.com/v3/__${"__;".repeat(length / 3)}`],
    ["slashes", (length: number) => `https://web.archive.org/web/${"/".repeat(length)}`],
    ["labels", (length: number) => `https://www.google.com/url?q=${"a.".repeat(length / 2)}`],
    ["nested in paths", (length: number) => `http://a.example${"/http://b".repeat(length / 9)}`],
    [
      "slashes after signs",
      (length: number) => `http://a.example/?${"u=//a.b".repeat(length / 7)}`,
    ],
    [
      "base64",
      (length: number) => `http://a.example/?u=${"aHR0c%25/eyJ/JTI/".repeat(length / 17)}`,
    ],
    ["base64 in paths", (length: number) => `http://a.example/${"eyJ/-".repeat(length / 5)}`],
    [
      "JSON",
      (length: number) =>
        `http://a.example/?u=${encodeURIComponent(JSON.stringify(Array(length / 20).fill("[1]%25")))}`,
    ],
    ["brackets", (length: number) => `http://a.example/?u=${"[".repeat(length)}`],
    ["objects", (length: number) => `http://a.example/?u=${'{"":'.repeat(length / 4)}`],
    ["extras", (length: number) => `intent:${"#Intent;scheme=http;".repeat(length / 20)}`],
  ])("takes time linear in its length: %s", { tags: "deep" }, (_name, make) => {
    expectLinearGrowth(unwrapLink, make, 4000);
  });

  test("a URL is found inside once, however many places it may end at", () => {
    const { found, limits } = unwrapLink(`http://a.example/?]${'"}http://b.example/'.repeat(99)}`);
    expect(found.length).toBeLessThan(10);
    expect(found.map(({ url }) => url)).toContain("http://b.example/");
    expect(limits).toEqual(["depth"]);
  });

  test("anything but text and bytes is a TypeError", () => {
    // @ts-expect-error
    expect(() => unwrapLink(null)).toThrow(TypeError);
    // @ts-expect-error
    expect(() => unwrapLink(new URL("http://a.example/"))).toThrow(
      "url must be a string or a Uint8Array",
    );
    // @ts-expect-error
    expect(() => unwrapLink(new Uint16Array(1))).toThrow(TypeError);
    const detached = new Uint8Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    expect(() => unwrapLink(detached)).toThrow(TypeError);
  });
});
