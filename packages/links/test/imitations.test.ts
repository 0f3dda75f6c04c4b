import { readFileSync } from "node:fs";
import { type Imitation, imitations, WELL_KNOWN_SITES } from "@x/links/look-alikes";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { getDomain } from "tldts";
import { expect, test } from "vitest";

const { imitationOf, mayImitate } = imitations({
  registrableDomain: (host) => getDomain(host, { allowPrivateDomains: true }),
});
const encoder = new TextEncoder();
const sites = WELL_KNOWN_SITES.split("\n").filter((line) => /^[^#]/.test(line));
const domains = sites.map((line) => line.replace(/^[~!]/, "").split(" ")[0]!);
const names = domains.map((domain) => domain.split(".")[0]!);

/** The host of a URL, as a program that checks URLs gets it. */
function hostOf(host: string): string {
  return new URL(`http://${host}/`).hostname;
}

test.each<[host: string, site: string, code: Imitation["code"]]>([
  ["paypa1.com", "paypal.com", "look-alike"],
  ["www.rnicrosoft.com", "microsoft.com", "look-alike"],
  ["g00gle.com", "google.com", "look-alike"],
  ["ɢoogle.com", "google.com", "look-alike"],
  ["faceƅook.com", "facebook.com", "look-alike"],
  ["раураl.com", "paypal.com", "look-alike"],
  ["goögle.com", "google.com", "look-alike"],
  ["pay-pal.com", "paypal.com", "look-alike"],
  ["paypa1.evil.example", "paypal.com", "look-alike"],
  ["paypall.com", "paypal.com", "typo"],
  ["gogole.com", "google.com", "typo"],
  ["mircosoft.com", "microsoft.com", "typo"],
  ["gosyslugi.example", "gosuslugi.ru", "typo"],
  ["paypal-secure-login.com", "paypal.com", "words"],
  ["secure-paypa1-login.com", "paypal.com", "words"],
  ["netflixaccountupdate.example", "netflix.com", "words"],
  ["usps-redelivery.example", "usps.com", "words"],
  ["appleid-verify.example", "appleid.com", "words"],
  ["face-book-login.example", "facebook.com", "words"],
  ["dhl.com.evil.example", "dhl.com", "leading-name"],
  ["qq.com.evil.example", "qq.com", "leading-name"],
  ["login.microsoftonline.com.session-8f3a2c.evil.example", "microsoftonline.com", "leading-name"],
  ["apple.com-signpage.example", "apple.com", "leading-name"],
  ["www-paypal-com.evil.example", "paypal.com", "leading-name"],
  ["amazon.co.jp.evil.example", "amazon.com", "leading-name"],
  ["paypal.top", "paypal.com", "top-level-domain"],
])("%s imitates %s", (host, site, code) => {
  expect(imitationOf(hostOf(host))).toEqual({ code, site });
  expect(mayImitate(encoder.encode(`http://${hostOf(host)}/`))).toBe(true);
});

test.each([
  "www.paypal.com",
  "google.de",
  "amazon.co.uk",
  "accounts.google.co.uk",
  "www.paypal.com.edgekey.net",
  "www.nytimes.com",
  "pineapple.com",
  "apple-pie.example",
  "chased.example",
  "switch.ch",
  "www.mindcraft.com",
  "groups.example",
  "update.example",
  "booking-hotels.example",
  "paypal.github.io",
  "127.0.0.1",
  "[::1]",
  "localhost",
  "com",
])("%s imitates nothing", (host) => {
  expect(imitationOf(hostOf(host))).toBe(null);
});

test("no name imitates another site, nor does any domain of the table, or a name below the domain of a country", () => {
  const found: string[] = [];
  const countries =
    "ae at au be br ca ch cl cn cz de dk es fi fr gr hk hu ie il in it jp kr mx nl no nz pl pt ro se sg tr tw ua uk za";
  for (const line of sites) {
    for (const domain of line.replace(/^[~!]/, "").split(" ")) {
      for (const host of [domain, `www.${domain}`]) {
        if (imitationOf(host) !== null) found.push(host);
      }
    }
  }
  for (const name of names) {
    for (const country of countries.split(" ")) {
      for (const host of [
        `${name}.${country}`,
        `www.${name}.co.${country}`,
        `${name}.com.${country}`,
      ]) {
        if (imitationOf(host) !== null) found.push(host);
      }
    }
  }
  expect(found).toEqual([]);
});

test("of reported forgeries, those are found that are known to be found", () => {
  const { cases } = JSON.parse(
    readFileSync(new URL("vectors/forgeries.json", import.meta.url), "utf8"),
  ) as { cases: { input: string; expected: string | null }[] };
  const found = cases.map(({ input }) => {
    return { input, expected: imitationOf(hostOf(input))?.site ?? null };
  });
  expect(found).toEqual(cases);
  expect(cases.length).toBeGreaterThan(300);
  expect(cases.filter(({ expected }) => expected !== null).length / cases.length).toBeGreaterThan(
    0.7,
  );
});

test("other sites can be added, and the Public Suffix List is not needed", () => {
  const own = imitations({ sites: "# ours\nmybank.example mybank.test\n~river.example\n" });
  expect(own.imitationOf("mybank.test")).toBe(null);
  expect(own.imitationOf("mybamk.example")).toBe(null);
  expect(own.imitationOf("mybnak.example")).toMatchObject({ site: "mybank.example" });
  expect(own.imitationOf("my8ank.co.uk")).toMatchObject({ site: "mybank.example" });
  expect(own.imitationOf("rivver.example")).toBe(null);
  expect(own.imitationOf("river-login.example")).toMatchObject({ site: "river.example" });
  expect(own.imitationOf("paypa1.com")).toMatchObject({ site: "paypal.com" });
  expect(own.mayImitate(encoder.encode("https://mybnak.example"))).toBe(true);
});

/** Hosts that are like those of forgeries. */
const name = fc.constantFrom(...names);
const change = fc.tuple(fc.nat(12), fc.constantFrom(..."abcdeilmnorstuvwy01345-"), fc.nat(4));
const changed = fc.tuple(name, change).map(([text, [at, letter, how]]) => {
  const i = at % text.length;
  const [before, after] = [text.slice(0, i), text.slice(i + 1)];
  if (how === 0) return before + letter + text.slice(i);
  if (how === 1) return before + after;
  if (how === 2) return before + letter + after;
  return how === 3 ? before + after.slice(0, 1) + text[i] + after.slice(1) : text;
});
const spelt = changed.chain((text) =>
  fc.constantFrom(
    text,
    text.replaceAll("m", "rn"),
    text.replaceAll("w", "vv"),
    text.replaceAll("d", "cl"),
    text.replaceAll("o", "0"),
  ),
);
const word = fc.constantFrom(
  "login",
  "my",
  "x",
  "online",
  "12",
  "com",
  "co",
  "www",
  "verify",
  "shop",
);
const token = fc.oneof(
  spelt,
  spelt,
  name,
  word,
  fc.tuple(spelt, word).map((pair) => pair.join("")),
  fc.tuple(word, name).map((pair) => pair.join("")),
);
const label = fc
  .array(token, { minLength: 1, maxLength: 3 })
  .chain((tokens) => fc.constantFrom(tokens.join("-"), tokens[0]!));
const host = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("com", "top", "co.uk", "example", "de"),
  )
  .map(([labels, end]) => `${labels.join(".")}.${end}`)
  .filter((text) => /^(?!.*\.-|.*-\.|-)[a-z\d.-]{4,200}$/.test(text) && !text.includes(".."));

test("the quick test excludes no host that imitates a site", () => {
  let found = 0;
  let excluded = 0;
  fc.assert(
    fc.property(host, fc.constantFrom("", "/", "/a.b/paypal.com", "?q"), (text, rest) => {
      const imitation = imitationOf(text);
      const bytes = encoder.encode(`xx https://${text}${rest}`);
      const may = mayImitate(bytes, 3, bytes.length);
      if (imitation !== null) {
        found++;
        expect(may, text).toBe(true);
      }
      if (!may) excluded++;
    }),
    { numRuns: sampleSize(20_000, 2000), seed: 640 },
  );
  expect(found).toBeGreaterThan(200);
  expect(excluded).toBeGreaterThan(20);
});

test("hosts of any characters do no harm", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      imitationOf(text);
      mayImitate(encoder.encode(text));
    }),
    { numRuns: sampleSize(500), seed: 65 },
  );
  expect(imitationOf(`${"paypal-".repeat(9000)}x.example`)).toBe(null);
});
