import { parseUrl, tryParseUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The parts that `verifyCanonical` finds, or `null` when it proves nothing. */
function verified(octets: Uint8Array, start = 0, end = octets.length) {
  const spans: CanonicalSpans = { hostType: "ipv6", host: 0, path: 0, query: 0, end: 0 };
  if (!verifyCanonical(octets, start, end, spans)) return null;
  const text = (from: number, to: number) => decoder.decode(octets.subarray(from, to));
  return {
    href: text(start, spans.end),
    hostType: spans.hostType,
    host: text(spans.host, spans.path),
    path: text(spans.path, spans.query),
    query: spans.query === spans.end ? null : text(spans.query + 1, spans.end),
  };
}

// Pieces that often form a canonical URL, and often break one.
const piece = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("a", "b.c", "d", "/", "/e", "?f", "-", "_", "9") },
  fc.constantFrom(".", "..", "//", "/.", "%", "%20", "#", "@", ":", ":8", "[", "]", "?", "\\", " "),
  fc.constantFrom("A", "Z", "\t", "\n", "\0", "\x7f", "é", "0x1", "1.2.3.4", "xn--", "~", "^", "!"),
);
const url = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("http://", "https://") },
      fc.constantFrom(
        "",
        "HTTP://",
        "httpss://",
        "http:/",
        "http:",
        "ftp://",
        "https",
        "//",
        "http.//",
        "https///",
      ),
    ),
    fc.array(piece, { maxLength: 10 }),
    fc.constantFrom("", "", "", "#", "#top", "#a b#\t"),
  )
  .map(([scheme, pieces, fragment]) => scheme + pieces.join("") + fragment);

test("a verified URL is canonical, and its parts are those of parseUrl", () => {
  const seen = { proven: 0, notProven: 0, queries: 0, fragments: 0 };
  fc.assert(
    fc.property(url, fc.nat(9), fc.string({ maxLength: 9 }), (text, before, after) => {
      // The bytes around the URL must make no difference.
      const own = encoder.encode(text);
      const octets = new Uint8Array([
        ...encoder.encode("http://x/y".slice(0, before)),
        ...own,
        ...encoder.encode(after),
      ]);
      const found = verified(octets, before, before + own.length);
      expect(found).toEqual(verified(own));
      if (found === null) {
        seen.notProven++;
        return;
      }
      const { scheme, ...parts } = parseUrl(own);
      expect(found).toEqual(parts);
      // Only the fragment may be left out.
      expect(found.href).toBe(text.split("#")[0]);
      if (found.href !== text) seen.fragments++;
      seen.proven++;
      if (found.query !== null) seen.queries++;
    }),
    { seed: 20261121, numRuns: sampleSize(40_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(400));
});

test("the canonical form of an http URL of a named host without escapes is verified", () => {
  let seen = 0;
  fc.assert(
    fc.property(url, (text) => {
      const parsed = tryParseUrl(text);
      if (parsed?.hostType !== "domain" || !/^https?$/.test(parsed.scheme)) return;
      // Verification leaves escapes, hidden files, backslashes before a query and odd hosts to parsing.
      if (/%|\/\./.test(parsed.href) || /\\/.test(parsed.host + parsed.path)) return;
      if (/[^a-z0-9.-]|(?:^|\.)(?:\d|-|xn-)[^.]*$|-$|(?:^|\.)h(.)\1p[^.]*$/.test(parsed.host))
        return;
      expect(verified(encoder.encode(parsed.href))?.href).toBe(parsed.href);
      seen++;
    }),
    { seed: 20261121, numRuns: sampleSize(20_000) },
  );
  expect(seen).toBeGreaterThan(fewest(1000));
});

test("nothing is proven about bytes that end in the middle of a URL", () => {
  const octets = encoder.encode("https://a.b/c");
  for (let end = 0; end < "https://a.b/".length; end++) {
    expect(verified(octets, 0, end)).toBeNull();
  }
  expect(verified(octets, 0, "https://a.b/".length)?.path).toBe("/");
});
