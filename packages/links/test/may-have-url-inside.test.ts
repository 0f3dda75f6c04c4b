import { mayHaveUrlInside, unwrapLink } from "@x/links/unwrap";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import cases from "./vectors/unwrap.json" with { type: "json" };
import { ENCODERS } from "./wrap.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const hasInside = (url: string | Uint8Array) => unwrapLink(url).found.length > 0;

/** Hosts of wrappers, as they are and changed a little. */
const host = fc.oneof(
  fc.constantFrom(
    ...ENCODERS.map(
      ({ wrap }) => /^[a-z-]+:\/\/([^/?#]+)/.exec(wrap("http://a.example/"))?.[1] ?? "",
    ),
    ...[
      "google.com",
      "www.google.co.uk",
      "meet.google.de",
      "l.threads.net",
      "r.search.yahoo.co.jp",
    ],
    ...["eur.safelinks.protection.office365.us", "statics.teams.cdn.live.net", "urldefense.us"],
    ...["url.us.mimecastprotect.com", "www.messenger.com", "x.com", "vk.ru", "a.bing-amp.com"],
    ...[
      "a-example.translate.goog",
      "archive.ph",
      "www.webarchive.org.uk",
      "wayback.archive-it.org",
    ],
    ...["webarchive.nationalarchives.gov.uk", "arquivo.pt", "webcache.googleusercontent.com"],
    ...[
      "a.example",
      "google.evil.example",
      "GOOGLE.com",
      "google.com.",
      "google..com",
      "u@google.com",
    ],
    ...["google.com:80", "127.0.0.1", "[::1]", "ｇoogle.com", "localhost"],
  ),
);
const path = fc.constantFrom(
  ...[
    "/url?q=",
    "/imgres?imgurl=",
    "/amp/s/",
    "/web/2020/",
    "/20200101000000/",
    "/l.php?u=",
    "/s/x?domain=",
  ],
  ...[
    "/v1/url?u=",
    "/v2/url?u=",
    "/v3/__",
    "/url?a=",
    "/wis/clicktime/v1/query?url=",
    "/c/s/",
    "/?d=x&u=",
  ],
  ...[
    "/ck/a?u=a1",
    "/x/RU=",
    "/redirect?z=",
    "/away?to=",
    "/linkfilter/",
    "/search?q=cache:",
    "/?",
    "/",
  ],
  ...[
    "",
    "?",
    "#",
    "/a#",
    "/%20",
    "/é",
    "/a:",
    "/redirect?q=",
    "/evergreen-assets/safelinks/1/x?url=",
  ],
);
const value = fc.constantFrom(
  ...[
    "evil.example",
    "http://evil.example/",
    "HTTPS:\\\\evil.example",
    "http%3A%2F%2Fevil.example",
  ],
  ...["%68ttp://evil.example", "%2568ttp%253A//evil.example", "aHR0cDovL2V2aWwuZXhhbXBsZS8"],
  ...[
    "%61HR0cDovL2V2aWwuZXhhbXBsZS8",
    "ZXZpbC5leGFtcGxl",
    "ftp:/evil.example",
    "ht\ttp://evil.example",
  ],
  ...[
    "http-3A__evil.example",
    "//evil.example",
    "x",
    "",
    "%ff",
    "aHR",
    "R",
    "p:",
    "https:evil.example",
  ],
);
const start = fc.constantFrom(
  ...[
    "http://",
    "https://",
    "HTTP://",
    "",
    "//",
    "http:",
    "http:/",
    "http:///",
    " http://",
    "ftp://",
  ],
  ...["view-source:http://", "blob:https://", "intent://", "\u0001view-source:", "\t", "ws://"],
);
const url = fc
  .tuple(
    start,
    host,
    path,
    value,
    fc.constantFrom("", "&x=1", "#a", "#http://b.example/", "&u=http:/c.example"),
  )
  .map((parts) => parts.join(""));

test("no URL with something inside is passed over", () => {
  const seen = { inside: 0, outside: 0, skipped: 0 };
  fc.assert(
    fc.property(
      fc.oneof({ weight: 5, arbitrary: url }, fc.webUrl(), fc.string({ unit: "binary" })),
      (text) => {
        const bytes = encode(text);
        if (hasInside(bytes)) {
          seen.inside++;
          expect(mayHaveUrlInside(bytes)).toBe(true);
        } else seen.outside++;
        if (!mayHaveUrlInside(bytes)) seen.skipped++;
      },
    ),
    { seed: 47, numRuns: sampleSize(5000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(300));
});

test("whatever stands around the URL in the bytes", () => {
  fc.assert(
    fc.property(url, url, url, (before, text, after) => {
      const [first, bytes] = [encode(before), encode(text)];
      const all = new Uint8Array([...first, ...bytes, ...encode(after)]);
      const end = first.length + bytes.length;
      expect(mayHaveUrlInside(all, first.length, end)).toBe(mayHaveUrlInside(bytes));
    }),
    { seed: 47, numRuns: sampleSize(1000) },
  );
});

test("every wrapper", () => {
  const plain = ["http://evil.example/", "https://evil.example/a?b"];
  for (const { wrap } of ENCODERS) {
    for (const inner of plain) {
      const bytes = encode(wrap(inner));
      if (hasInside(bytes)) expect(mayHaveUrlInside(bytes), wrap(inner)).toBe(true);
    }
  }
  for (const { input } of cases.cases) {
    if (hasInside(input)) expect(mayHaveUrlInside(encode(input)), input).toBe(true);
  }
});

test.each([
  "http://www.example.com/a/b.html?c=d&e=f%20g#h",
  "https://example.co.uk/caf%C3%A9/http/R/aH/R",
  "example.com",
  "http://user.example/@name/12:30",
  "http://good.example/https",
])("%s needs no closer look", (text) => {
  expect(mayHaveUrlInside(encode(text))).toBe(false);
});
