import { lookAtUrl, unwrapLink } from "@x/links/unwrap";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const SITES = ["https://good.example/a/b", "http://good.example/a/b"];
const hostOf = (url: string, base?: string) =>
  URL.canParse(url, base) ? new URL(url, base).hostname : null;

/** Whether a browser leaves a site for evil.example when the site redirects it to `location`. */
const isOpenedAtEvil = (location: string) =>
  SITES.some((site) => hostOf(location, site) === "evil.example");

const blanks = fc.constantFrom("", "", "", " ", "\t", "\u0001", "\r\n ");
/** Text with characters in it that browsers drop. */
const withDropped = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.constantFrom("", "", "", "\t", "\n", "\r"))
    .map(([at, dropped]) => text.slice(0, at) + dropped + text.slice(at));
const scheme = fc.constantFrom("http:", "https:", "HTTP:", "hTTps:", "ftp:", "");
const slashes = fc.constantFrom("//", "//", "/", "", "\\\\", "/\\", "\\/", "///", "\\/\\/");
const user = fc.constantFrom("", "", "", "good.example@", "a:b@", "good.example%2f@");
const host = fc.constantFrom(
  ...[
    "evil.example",
    "EVIL.example",
    "evil\u3002example",
    "%65vil.example",
    "evil%2eexample",
    "ev\u00adil.example",
  ],
);
const rest = fc.constantFrom(
  "",
  "/",
  "/a",
  "#.good.example",
  "?good.example",
  "\\.good.example",
  ":80/",
  "/?u=1&v=2",
);
const location = fc
  .tuple(
    blanks,
    scheme.chain(withDropped),
    slashes.chain(withDropped),
    user,
    host.chain(withDropped),
    rest,
  )
  .map((parts) => parts.join(""))
  .filter(isOpenedAtEvil);

/** Characters that would end a parameter, or that no URL has. */
const MUST_ESCAPE = /[^!-~]|[%&#+]/;
const escapeAll = (text: string) =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, "0")}`,
  ).join("");

/** A text that gives another one when it is decoded `times` times. */
const escaped = (text: string, times: number, isEscaped: readonly boolean[]) => {
  let written = text;
  for (let i = 0; i < times; i++) {
    written = [...written]
      .map((character, at) =>
        MUST_ESCAPE.test(character) || isEscaped[(at + i) % isEscaped.length]
          ? escapeAll(character)
          : character,
      )
      .join("");
  }
  return written;
};

const places = {
  parameter: (value: string) => `https://good.example/r?u=${value}`,
  "one of many parameters": (value: string) => `https://good.example/r?x=y&u=${value}&z=//a`,
  wrapper: (value: string) => `https://www.google.com/url?q=${value}&sa=D`,
  fragment: (value: string) => `https://good.example/#/r?u=${value}`,
  path: (value: string) => `https://good.example/r/${value}`,
};

describe.each(Object.entries(places))("in a %s", (name, place) => {
  test("every URL that a browser opens after some decodings is found", () => {
    const times = new Set<number>();
    fc.assert(
      fc.property(
        location,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
        (value, count, isEscaped) => {
          // In a path, text without a scheme and slashes is only a part of the path.
          fc.pre(
            name !== "path" || /^[\0- ]*(?:https?|ftp):[/\\]/i.test(value.replace(/[\t\r\n]/g, "")),
          );
          const url = place(escaped(value, count, isEscaped));
          const { found, limits } = unwrapLink(url);
          // The escapes of the host itself are one more level, at which the limit may end the search.
          const isLimited = count === 4 && limits.includes("depth");
          if (!isLimited) expect(found.map(({ url }) => hostOf(url))).toContain("evil.example");
          expect(lookAtUrl(new TextEncoder().encode(url))).toBe("maybe-inside");
          times.add(count);
        },
      ),
      { seed: 57, numRuns: sampleSize(2000) },
    );
    expect(times.size).toBe(4);
  });
});

test("base64 of a URL, of an escaped URL, of JSON with a URL, and of base64", () => {
  const toBase64 = (text: string) => Buffer.from(text).toString("base64");
  const toBase64url = (text: string) => Buffer.from(text).toString("base64url");
  const inJson = (text: string) => JSON.stringify({ s: "x", v: 1, url: text });
  const phpJson = (text: string) => inJson(text).replaceAll("/", "\\/");
  const inPercents = (text: string) => encodeURIComponent(text);
  const coding = fc.constantFrom(toBase64, toBase64url, inPercents);
  const inner = fc.constantFrom(
    ...[
      "http://evil.example/",
      "HTTPS://evil.example/a",
      "Http://evil.example?b",
      "http:\\\\evil.example",
    ],
  );
  const wrap = fc.constantFrom(
    (text: string) => text,
    inPercents,
    inJson,
    phpJson,
    (text: string) => phpJson(phpJson(text)),
    (text: string) => inJson(toBase64(text)),
  );
  let count = 0;
  fc.assert(
    fc.property(
      inner,
      wrap,
      coding,
      coding,
      fc.constantFrom(...Object.values(places)),
      (url, wrapped, one, other, place) => {
        const value = encodeURIComponent(other(one(wrapped(url))));
        expect(unwrapLink(place(value)).found.map(({ url }) => hostOf(url))).toContain(
          "evil.example",
        );
        count++;
      },
    ),
    { seed: 57, numRuns: sampleSize(1000) },
  );
  expect(count).toBeGreaterThan(fewest(300));
});

test("base64 and hexadecimal, with any text before and after the URL", () => {
  const coding = fc.constantFrom("base64", "base64url", "hex", "HEX");
  const before = fc.oneof(
    fc.constantFrom("", " ", "\n", "url=", '["', '{ "u": "', "a:1:{s:3:\\", "id:7|", "<a href="),
    fc.string({ maxLength: 5 }),
  );
  const after = fc.constantFrom("", "&id=3", '"]', " x", ">", "|x", ",http://good.example/");
  const junk = fc.constantFrom("", "", "v1_", "v1-", "a.", "~", "read-more-");
  const url = fc.constantFrom("http://evil.example/a", "HTTPS://evil.example/a");
  fc.assert(
    fc.property(
      ...[url, before, after, coding, junk, fc.constantFrom(...Object.values(places))],
      (url, before, after, coding, junk, place) => {
        const isHex = coding.toLowerCase() === "hex";
        // A URL at the start of a text is all of it.
        const text = isHex || before === "" ? url : `${before}${url}${after}`;
        const bytes = Buffer.from(text);
        const digits = bytes.toString(coding.toLowerCase() as "hex");
        const outer = place(
          encodeURIComponent(junk + (coding === "HEX" ? digits.toUpperCase() : digits)),
        );
        const found = unwrapLink(outer).found.map(({ url }) => url.toLowerCase());
        // A wrapper opens its value as it is, if that is a host.
        fc.pre(junk !== "a." || place !== places.wrapper);
        expect(found).toContain(url.toLowerCase());
        expect(lookAtUrl(new TextEncoder().encode(outer))).toBe("maybe-inside");
      },
    ),
    { seed: 57, numRuns: sampleSize(1000) },
  );
});

test.each([1, 2, 3, 4, 5, 6, 9])(
  "escaped %i times, it is found or a limit is reported",
  (times) => {
    const url = places.parameter(escaped("https://evil.example/", times, [true, false]));
    const { found, limits } = unwrapLink(url);
    expect(found.length > 0 ? [] : limits).toEqual(times > 4 ? ["depth"] : []);
    expect(found.length).toBe(times > 4 ? 0 : 1);
  },
);

test("base64 of base64, as often as it may be, is found or reported", () => {
  const inner = fc
    .constantFrom("http", "HTTP", "hTtPs", "https")
    .map((scheme) => `${scheme}://evil.example/`);
  const text = fc.oneof(
    inner,
    inner.map((url) => `{"url":"${url}"}`),
    inner.map(encodeURIComponent),
  );
  const place = fc.constantFrom(
    "https://good.example/r?u=",
    "https://good.example/r/",
    "https://good.example/#",
  );
  fc.assert(
    fc.property(
      text,
      place,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (text, place, times, isPadded) => {
        let encoded = text;
        for (let i = 0; i < times; i++) {
          encoded = Buffer.from(encoded)
            .toString("base64")
            .replaceAll("+", "-")
            .replaceAll("/", "_");
          if (!isPadded) encoded = encoded.replace(/=+$/, "");
        }
        const url = place + encoded;
        const { found, limits } = unwrapLink(url);
        if (times > 3) expect([found, limits]).toEqual([[], ["depth"]]);
        else expect(found.map(({ url }) => hostOf(url))).toContain("evil.example");
        expect(lookAtUrl(new TextEncoder().encode(url))).toBe("maybe-inside");
      },
    ),
    { seed: 57, numRuns: sampleSize(1000, 200) },
  );
});

test.each([
  ["https://good.example/login?next=//evil.example/x", ["http://evil.example/x"]],
  ["https://good.example/login?next=%2F%5Cevil.example", ["http://evil.example"]],
  ["https://good.example/login?next=+//evil.example", ["http://evil.example"]],
  ["https://good.example/r/aHR0cDovL2V2aWwuZXhhbXBsZQ/x", ["http://evil.example"]],
  ["https://good.example/r?u=http:/%2Fevil.example/", ["http://evil.example/"]],
  ["https://good.example/r?//evil.example/a", ["http://evil.example/a"]],
  ["https://good.example/r?u=Ly9ldmlsLmV4YW1wbGUv", ["http://evil.example/"]],
  ["https://good.example/go-http://evil.example/", ["http://evil.example/"]],
  ["https://good.example/r?u=%3Ca%20href=http://evil.example%3E", ["http://evil.example"]],
  ["https://good.example/r?u=http://a.example,http://evil.example", ["http://evil.example"]],
  [
    "https://good.example/r?u=http://evil.example%23.good.example/",
    ["http://evil.example#.good.example/"],
  ],
])("%s contains %j", (url, expected) => {
  const found = unwrapLink(url).found.map(({ url }) => url);
  expect(found).toEqual(expect.arrayContaining(expected));
});

test.each([
  "https://good.example/a?next=/b//c.html",
  "https://good.example/a?next=//b/c",
  "https://good.example//a.b/c",
  "https://good.example/a?q=100%25+//+x",
  "https://good.example/a?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
  "https://good.example/a?q=a%2525b",
])("%s contains nothing", (url) => {
  expect(unwrapLink(url)).toEqual({ found: [], closed: [], limits: [] });
});
