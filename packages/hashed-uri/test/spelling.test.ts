import { type HashUriOptions, hashedUriMatcher, hashUri, otherSpelling } from "@x/hashed-uri";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each<[uri: string, options: HashUriOptions, expected: string | null]>([
  ["http://www.thus.net", {}, "http://www.thus.net/"],
  ["http://www.thus.net/", {}, "http://www.thus.net"],
  ["HTTP://WWW.Thus.net:80#end", {}, "http://www.thus.net/"],
  ["http://www.thus.net/index.html", {}, "http://www.thus.net"],
  ["https://user@h:8443", {}, "https://user@h:8443/"],
  ["ftp://h", {}, "ftp://h/"],
  ["ws://h", {}, "ws://h/"],
  ["wss://h/", {}, "wss://h"],
  ["http://h?q#f", {}, "http://h/"],
  ["http://h?q#f", { keepQuery: true }, "http://h/?q"],
  ["http://h/?q#f", { keepQuery: true, keepFragment: true }, "http://h?q#f"],
  ["http://h#f", { keepQuery: true, keepFragment: true }, "http://h/#f"],
  ["//h", { base: "http://elsewhere/a" }, "http://h/"],
  ["http://h", { variant: "P" }, null],
  ["http://h/", { variant: "P" }, null],
  ["http://h/index.html", { variant: "P" }, "http://h"],
  ["http://h/a", {}, null],
  ["http://h/a/", {}, null],
  ["http://h//", {}, null],
  ["file:///", {}, null],
  ["x://h", {}, null],
  ["http:", {}, null],
  ["mailto:a@h", {}, null],
  ["urn:a:b", {}, null],
  ["http://h", { schemes: { http: (uri) => new URL(uri).href } }, null],
  ["http://h", { schemes: { http: () => "h" } }, null],
])("otherSpelling(%j, %j) is %j", (uri, options, expected) => {
  expect(otherSpelling(uri, options)).toBe(expected);
});

test("the other spelling has another hash, and in variant N its own other spelling is the first", () => {
  const uri = fc
    .tuple(
      fc.constantFrom("http://h", "HTTPS://H:443", "ftp://u@h", "x://h", "http://a.b"),
      fc.constantFrom("", "/", "//", "/index.html", "/a", "/%61"),
      fc.constantFrom("", "?", "?q", "?/"),
      fc.constantFrom("", "#", "#f"),
    )
    .map((parts) => parts.join(""));
  const options = fc.record({
    variant: fc.constantFrom("N" as const, "P" as const),
    keepQuery: fc.boolean(),
    keepFragment: fc.boolean(),
  });
  const seen = { other: 0, none: 0 };
  fc.assert(
    fc.property(uri, options, (uri, options) => {
      const other = otherSpelling(uri, options);
      seen[other === null ? "none" : "other"]++;
      if (other === null) return;
      const [first, second] = [hashUri(uri, options), hashUri(other, options)];
      expect(second).not.toBe(first);
      const { variant } = options;
      expect(hashedUriMatcher([first], { variant })(other)).toBeNull();
      expect(hashedUriMatcher([first, second], { variant })(other)).not.toBeNull();
      // In variant P, only a site's index file has another spelling, which itself has no other.
      const back = otherSpelling(other, options);
      if (variant === "P") {
        expect(uri).toContain("/index.html");
        expect(back).toBeNull();
        return;
      }
      expect(hashUri(back!, options)).toBe(first);
      // Browsers open the same page for both.
      expect(new URL(other).href).toBe(new URL(back!).href);
    }),
    { seed: 20261122, numRuns: sampleSize(2000) },
  );
  expect(Math.min(seen.other, seen.none)).toBeGreaterThan(fewest(200));
});

test("throws the same errors as hashUri", () => {
  expect(() => otherSpelling("www.thus.net")).toThrow(
    expect.objectContaining({ name: "HashedUriError", code: "base-missing" }),
  );
  expect(() => otherSpelling(1 as never)).toThrow(
    new TypeError("uri must be a string, not a number"),
  );
});
