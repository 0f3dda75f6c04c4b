import { tryParseUrl } from "@x/canon";
import { browserHref } from "@x/canon/browser";
import { lookAtUrl, unwrapLink } from "@x/links/unwrap";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linkParts } from "../src/unwrap/link-parts.ts";
import cases from "./vectors/unwrap.json" with { type: "json" };
import { ENCODERS } from "./wrap.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const hasInside = (url: string | Uint8Array) => unwrapLink(url).found.length > 0;

/** Hosts of wrappers, unchanged or changed a little. */
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
    ...["groups.yahoo.com", "search.yahoo.com", "a.protection.sophos.com", "www.cisco.com"],
    ...[
      "google.com:80",
      "a.example:",
      "a.example:8001",
      "a.example:99999",
      "a.example:1:2",
      "a:80@b.example",
    ],
    ...["127.0.0.1", "[::1]", "[::1]:80", "ｇoogle.com", "localhost"],
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
    "/a\\b",
    "/redirect?q=",
    "/./amp/x/",
    "\\amp\\s\\",
    "/a/..\\amp/",
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
    "http%0A://evil.example",
    "ht%09tp://evil.example",
    "h%0dttp%0D://evil.example",
    "(http://evil.example)",
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
          expect(lookAtUrl(bytes)).toBe("maybe-inside");
        } else seen.outside++;
        if (unwrapLink(bytes).closed.length > 0) expect(lookAtUrl(bytes)).not.toBe("plain");
        if (lookAtUrl(bytes) !== "maybe-inside") seen.skipped++;
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
      expect(lookAtUrl(all, first.length, end)).toBe(lookAtUrl(bytes));
    }),
    { seed: 47, numRuns: sampleSize(1000) },
  );
});

test("every wrapper", () => {
  const plain = ["http://evil.example/", "https://evil.example/a?b"];
  for (const { wrap } of ENCODERS) {
    for (const inner of plain) {
      const bytes = encode(wrap(inner));
      if (hasInside(bytes)) expect(lookAtUrl(bytes), wrap(inner)).toBe("maybe-inside");
    }
  }
  for (const { input } of cases.cases) {
    if (hasInside(input)) expect(lookAtUrl(encode(input)), input).toBe("maybe-inside");
  }
});

/** Wrapped hosts without a scheme, which only the host of the wrapper reveals. */
const BY_HOST_ALONE: readonly string[] = [
  "a.safelinks.protection.outlook.com/?url=evil.example",
  "safelinks.protection.office365.us/?url=evil.example",
  "statics.teams.cdn.office.net/evergreen-assets/safelinks/1/a?url=evil.example",
  "statics.teams.cdn.live.net/evergreen-assets/safelinks/1/a?url=evil.example",
  "urldefense.proofpoint.com/v1/url?u=evil.example",
  "urldefense.us/v1/url?u=evil.example",
  "linkprotect.cudasvc.com/url?a=evil.example",
  "secure-web.cisco.com/a/evil.example",
  "a.trendmicro.com/wis/clicktime/v1/query?url=evil.example",
  "clicktime.symantec.com/a?u=evil.example",
  "protect2.fireeye.com/v1/url?u=evil.example",
  "eu.protection.sophos.com/?u=ZXZpbC5leGFtcGxl",
  "protect-us.mimecast.com/s/a?domain=evil.example",
  "url.us.mimecastprotect.com/s/a?domain=evil.example",
  "protect.checkpoint.com/v2/___evil.example___.a",
  "url.avanan.click/v2/___evil.example___.a",
  "avanan.url-protection.com/v1/url?o=evil.example",
  "shared.outlook.inky.com/link?domain=evil.example",
  "google.com/url?q=evil.example",
  "meet.google.co.uk/url?q=evil.example",
  "www.google.com.au/amp/s/evil.example",
  "translate.google.de/translate?u=evil.example",
  "www.bing.com/alink/link?url=evil.example",
  "r.search.yahoo.com/RU=evil.example/",
  "r.search.yahoo.co.jp/RU=evil.example/",
  "search.yahoo.com/RU=evil.example/",
  "www.youtube.com/redirect?q=evil.example",
  "l.facebook.com/l.php?u=evil.example",
  "l.messenger.com/l.php?u=evil.example",
  "l.instagram.com/?u=evil.example",
  "l.threads.net/?u=evil.example",
  "www.linkedin.com/safety/go?url=evil.example",
  "twitter.com/i/redirect?url=evil.example",
  "x.com/i/redirect?url=evil.example",
  "slack-redir.net/link?url=evil.example",
  "steamcommunity.com/linkfilter/evil.example",
  "vk.ru/away?to=evil.example",
  "t.umblr.com/redirect?z=evil.example",
  "href.li/?evil.example",
  "a.cdn.ampproject.org/c/s/evil.example",
  "a.bing-amp.com/c/s/evil.example",
  "evil-example.translate.goog/",
  "web.archive.org/web/20200101000000/evil.example",
  "archive.org/web/20200101000000/evil.example",
  "arquivo.pt/wayback/20200101000000/evil.example",
  "wayback.archive-it.org/1/20200101000000/evil.example",
  "www.webarchive.org.uk/a/20200101000000/evil.example",
  "webarchive.nationalarchives.gov.uk/a/20200101000000/evil.example",
  "webcache.googleusercontent.com/search?q=cache:evil.example",
];

test.each(BY_HOST_ALONE)("%s has something inside", (link) => {
  for (const spelling of [
    `https://${link}`,
    `HTTP://${link.replace(/^[^/]*/, (host) => host.toUpperCase())}`,
  ]) {
    expect(hasInside(spelling)).toBe(true);
    expect(lookAtUrl(encode(spelling))).toBe("maybe-inside");
  }
});

test.each([
  ["http://www.example.com/a/b.html?c=d&e=f%20g#h", "nothing-inside"],
  ["https://example.co.uk/caf%C3%A9/http/R/aH/R", "plain"],
  ["example.com", "plain"],
  ["http://user.example/@name/12:30", "nothing-inside"],
  ["http://good.example/https", "plain"],
  ["http://a--b.example/", "nothing-inside"],
  ["http://a.example/a--b", "plain"],
  ["http://localhost/", "nothing-inside"],
  ["http://a.example/b\\c", "nothing-inside"],
  ["http://groups.yahoo.com/a", "plain"],
  ["http://www.google.com/search", "maybe-closed"],
  ["https://t.co/abc", "maybe-closed"],
  ["https://lnkd.in/abc#d", "nothing-inside"],
  ["http://www.google.com/search?q=a", "maybe-inside"],
  ["http://www.google.com/a/../amp/b", "maybe-inside"],
  ["http://www.google.com/a\\..\\amp\\b", "maybe-inside"],
  ["http://href.li/#evil.example", "nothing-inside"],
  ["http://evil-example.translate.goog", "maybe-inside"],
  ["http://a.example:8001/b", "nothing-inside"],
  ["http://google.com:80/b?c", "maybe-inside"],
  ["intent:8080#Intent;scheme=https;end", "maybe-inside"],
])("%s is %s", (text, look) => {
  expect(lookAtUrl(encode(text))).toBe(look);
});

test("the parts of a URL that is not parsed are those of the URL that browsers open", () => {
  const seen = { same: 0, other: 0 };
  const unit = fc.constantFrom(...`/.?#=&%:;,@!$()*+~_-|"'<>^\`{}[]\\aZ0`, "%2e", "..", "é", " ");
  const name = fc.constantFrom("a.example", "A.example", "x--a.example", "a.1", "a.example.");
  fc.assert(
    fc.property(name, fc.string({ unit, maxLength: 6 }), (host, rest) => {
      const text = `http://${host}/${rest}`;
      const href = browserHref(text) ?? tryParseUrl(text)?.href ?? null;
      const parts = linkParts(text);
      expect(parts === null ? null : `http://${parts.host}${parts.rest}`).toBe(href);
      seen[href === text ? "same" : "other"]++;
    }),
    { seed: 47, numRuns: sampleSize(5000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(300));
});
