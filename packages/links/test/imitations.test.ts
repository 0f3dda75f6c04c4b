import { readFileSync } from "node:fs";
import { type Imitation, imitations } from "@x/links/look-alikes";
import { lookAtUrl } from "@x/links/unwrap";
import { firstOf, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { getDomain } from "tldts";
import { expect, test } from "vitest";
import { WELL_KNOWN_SITES } from "../src/look-alikes/well-known-sites.ts";

const { imitationOf, quickTest } = imitations({
  registrableDomain: (host) => getDomain(host, { allowPrivateDomains: true }),
});
const encoder = new TextEncoder();

/** The same as `imitationOf` says, by the way that programs take for many URLs. */
function isImitation(host: string, test = quickTest()): boolean {
  const url = encoder.encode(`xx https://${host}/paypal.com`);
  return lookAtUrl(url, 3, url.length, test) === "nothing-inside";
}

const sites = WELL_KNOWN_SITES.split("\n").filter((line) => /^[^#]/.test(line));
const domains = sites.map((line) => line.replace(/^[~!]/, "").split(" ")[0]!);
const names = domains.map((domain) => domain.split(".")[0]!);

/** The host of a URL, as a program that checks URLs gets it. */
function hostOf(host: string): string {
  return new URL(`http://${host}/`).hostname;
}

test.each<[host: string, site: string, code: Imitation["code"]]>([
  ["paypa1.com", "paypal.com", "characters"],
  ["www.rnicrosoft.com", "microsoft.com", "characters"],
  ["g00gle.com", "google.com", "characters"],
  ["ɢoogle.com", "google.com", "characters"],
  ["faceƅook.com", "facebook.com", "characters"],
  ["раураl.com", "paypal.com", "characters"],
  ["goögle.com", "google.com", "characters"],
  ["pay-pal.com", "paypal.com", "characters"],
  ["paypa1.evil.example", "paypal.com", "characters"],
  ["paypall.com", "paypal.com", "typo"],
  ["gogole.com", "google.com", "typo"],
  ["mircosoft.com", "microsoft.com", "typo"],
  ["gosyslugi.example", "gosuslugi.ru", "typo"],
  ["paypal-secure-login.com", "paypal.com", "words"],
  ["secure-paypa1-login.com", "paypal.com", "words"],
  ["netflixaccountupdate.example", "netflix.com", "words"],
  ["usps-redelivery.example", "usps.com", "words"],
  ["dhl-paket-zoll.example", "dhl.com", "words"],
  ["correos-aduana.example", "correos.es", "words"],
  ["appleid-verify.example", "appleid.com", "words"],
  ["face-book-login.example", "facebook.com", "words"],
  ["dhl.com.evil.example", "dhl.com", "leading-name"],
  ["qq.com.evil.example", "qq.com", "leading-name"],
  ["login.microsoftonline.com.session-8f3a2c.evil.example", "microsoftonline.com", "leading-name"],
  ["apple.com-signpage.example", "apple.com", "leading-name"],
  ["www-paypal-com.evil.example", "paypal.com", "leading-name"],
  ["amazon.co.jp.evil.example", "amazon.co.jp", "leading-name"],
  ["pancakeswap.finance.evil.example", "pancakeswap.finance", "leading-name"],
  ["bittrex.com24.example", "bittrex.com", "leading-name"],
  ["trezør.com", "trezor.io", "characters"],
  ["paypal.top", "paypal.com", "top-level-domain"],
  ["telstrabpnd.weebly.com", "telstra.com", "cheap-host"],
  ["evri-hub.web.app", "evri.com", "cheap-host"],
  ["postfinance.onrender.com", "postfinance.ch", "cheap-host"],
  ["logix-robnhood.square.site", "robinhood.com", "cheap-host"],
  ["outlook40394343.web.app", "outlook.com", "cheap-host"],
  ["inposthome.top", "inpost.pl", "cheap-host"],
  ["t-mobile.qutop.cc", "t-mobile.com", "cheap-host"],
  ["allegro.982t8t8238t2.sbs", "allegro.pl", "cheap-host"],
  ["kleinanzeigen.005102.com", "kleinanzeigen.de", "cheap-host"],
  ["depop.id-562940.com", "depop.com", "cheap-host"],
  ["ledger-com-start.vercel.app", "ledger.com", "leading-name"],
  ["myetherwalet.example.org", "myetherwallet.com", "typo"],
  ["home-myetherwallat.com", "myetherwallet.com", "words"],
  ["rakutenofficial.com", "rakuten.co.jp", "words"],
])("%s imitates %s", (host, site, code) => {
  const found = imitationOf(hostOf(host))!;
  expect(found).toMatchObject({ code, site });
  const { start, end } = found;
  expect(start < end && end <= hostOf(host).length).toBe(true);
  expect(isImitation(hostOf(host))).toBe(true);
});

test.each([
  ["www.paypa1.com", "1", "l"],
  ["rnicrosoft.com", "rn", "m"],
  ["instagrm.com", "r", "ra"],
  ["micorsoft.com", "or", "ro"],
  ["paypa1.evil.example", "1", "l"],
  ["paypal.top", "top", "com"],
  ["secure-paypal-login.com", "paypal", null],
  ["paypalsecurelogin.com", "paypal", null],
  ["login.microsoftonline.com.session-8f3a2c.evil.example", "microsoftonline.com", null],
  ["apple.com-signpage.example", "apple.com", null],
  ["email-telstramail.weebly.com", "telstra", null],
  ["www-paypal-com.evil.example", "paypal-com", null],
  ["amazon.co.jp.evil.example", "amazon.co.jp", null],
  [hostOf("trez\u00f8r.com"), hostOf("trez\u00f8r.com").slice(0, -4), "trezor"],
])("the piece of %s that imitates a site is %s", (host, piece, instead) => {
  const found = imitationOf(host)!;
  expect([host.slice(found.start, found.end), found.instead]).toEqual([piece, instead]);
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
  "netflix-clone.vercel.app",
  "github-readme-stats.vercel.app",
  "revolution.weebly.com",
  "elsterwerda.weebly.com",
  "gemini.588886.xyz",
  "weibo.51240.com",
  "verizon.tk",
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

test.each([
  ["forgeries.json", 300, 0.61],
  ["held-out-forgeries.json", 90, 0.78],
  ["reported-forgeries.json", 199, 0.67],
  ["openphish-forgeries.json", 199, 0.35],
])("of the forgeries in %s, those are found that are known to be found", (file, least, share) => {
  const { cases } = JSON.parse(
    readFileSync(new URL(`vectors/${file}`, import.meta.url), "utf8"),
  ) as { cases: { input: string; expected: string | null }[] };
  const found = cases.map(({ input }) => imitationOf(hostOf(input))?.site ?? null);
  expect(found).toEqual(cases.map(({ expected }) => expected));
  expect(cases.length).toBeGreaterThan(least);
  expect(found.filter((site) => site !== null).length / cases.length).toBeGreaterThan(share);
});

test.each([
  "gitlab.cs.example.de",
  "project.gitlabpages.example.fr",
  "chainz.cryptoid.info",
  "googleonlinesecurity.blogspot.com",
  "weechat.org",
  "1cloudfile.com",
  "img-prod-cms-rt-microsoft-com.akamaized.net",
  "minecraft-mp.com",
  "titter.com",
  "www.vis4.net",
  "opensearch.org",
  "postpay.io",
  "youtube-dl.bandcamp.com",
  "krakenfiles.com",
  "webdesignledger.com",
  "whats-on-netflix.com",
  "coins-battle.com",
  "device-profile.jeniusbank.com",
  "img.sparkasse-koelnbonn.de",
  "www.raiffeisen-kosovo.com",
  "tags.caixabankresearch.com",
  "sanalytics.adobe.tp.example.com",
  "tk.airfrance.ga",
  "movistarplus.es",
  "neteller-group.com",
  "m-wikipedia.org",
  "btx.maybank-xy.com",
  "info.applied.com",
  "paypac.com.au",
  "secure.idbank.it",
  "postback.io",
  "lsbeim.mediamart.vn",
  "kirana.studio",
  "civia.com",
  "a8clk.order-box.net",
  "hfolmr.office-com.jp",
  "squareregister.com",
  "aufe3prod.g.ebay.com.ebay.com.au",
  "live-tracking.locusmap.app",
  "support-uber.com",
])("%s, which held-out hosts are like, imitates nothing", (host) => {
  expect(imitationOf(host)).toBe(null);
});

test("other sites can be added, and the Public Suffix List is not needed", () => {
  const own = imitations({ sites: "# ours\nmybank.example mybank.test\n~river.example\n" });
  expect(own.isWellKnown("mybank.test")).toBe(true);
  expect(own.imitationOf("mybank.test")).toBe(null);
  expect(own.imitationOf("mybamk.example")).toBe(null);
  expect(own.imitationOf("mybnak.example")).toMatchObject({ site: "mybank.example" });
  expect(own.imitationOf("my8ank.co.uk")).toMatchObject({ site: "mybank.example" });
  expect(own.imitationOf("rivver.example")).toBe(null);
  expect(own.imitationOf("river-login.example")).toMatchObject({ site: "river.example" });
  expect(own.imitationOf("paypa1.com")).toMatchObject({ site: "paypal.com" });
  // Services are known without the list.
  expect(own.imitationOf("telstra.weebly.com")).toMatchObject({ site: "telstra.com" });
  expect(own.imitationOf("a.mybank.weebly.com")).toMatchObject({ site: "mybank.example" });
  const band = imitations({ sites: "#~ with fans\nourband.example" });
  expect(band.imitationOf("ourband.weebly.com")).toBe(null);
  expect(band.imitationOf("ourbannd.weebly.com")).toMatchObject({ site: "ourband.example" });
  expect(isImitation("mybnak.example", own.quickTest())).toBe(true);
  expect(isImitation("mybnak.example")).toBe(false);
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
const spellings = (text: string) => [
  text,
  text.replaceAll("m", "rn"),
  text.replaceAll("w", "vv"),
  text.replaceAll("d", "cl"),
  text.replaceAll("o", "0"),
];
const spelt = changed.chain((text) => fc.constantFrom(...spellings(text)));
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
  "bpnd",
  "562940",
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
    fc.constantFrom("com", "top", "co.uk", "example", "de", "weebly.com", "web.app", "cc"),
  )
  .map(([labels, end]) => `${labels.join(".")}.${end}`)
  .filter((text) => /^(?!.*\.-|.*-\.|-)[a-z\d.-]{4,200}$/.test(text) && !text.includes(".."));

test("the quick test of many hosts says the same as the plain one", () => {
  const seen = { imitations: 0, others: 0 };
  const codes = new Map<string, number>();
  const test = quickTest();
  fc.assert(
    fc.property(host, (text) => {
      const found = imitationOf(text);
      const isOne = found !== null;
      if (isOne) codes.set(found.code, (codes.get(found.code) ?? 0) + 1);
      seen[isOne ? "imitations" : "others"]++;
      const bytes = encoder.encode(`..${text}--`);
      expect(test(bytes, 2, bytes.length - 2), text).toBe(isOne);
      // In Punycode, a host is never plain.
      if (!text.includes("--")) expect(isImitation(text, test), text).toBe(isOne);
    }),
    { numRuns: sampleSize(20_000, 2000), seed: 640 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  expect(seen.imitations).toBeGreaterThan(200);
  for (const code of ["characters", "typo", "words", "leading-name", "cheap-host"]) {
    expect(codes.get(code), code).toBeGreaterThan(10);
  }
});

test("the quick test finds each name with one character more, less, replaced or swapped", () => {
  const test = quickTest();
  let typos = 0;
  for (const [index, each] of firstOf(100, names).entries()) {
    for (let i = 0; i <= each.length; i++) {
      const [before, after] = [each.slice(0, i), each.slice(i)];
      // A quarter of the letters, others for the next place and the next name.
      const letters = [..."abcdeilmnorstuvwyz01"].filter((_, k) => (index + i + k) % 4 === 0);
      const others = letters.flatMap((letter) => [
        before + letter + after,
        before + letter + after.slice(1),
      ]);
      const swapped = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
      for (const typo of [...others, before + after.slice(1), swapped].flatMap(spellings)) {
        const host = `${typo}.example`;
        if (imitationOf(host)?.code !== "typo") continue;
        typos++;
        if (!isImitation(host, test)) expect(host).toBe("found");
      }
    }
  }
  expect(typos).toBeGreaterThan(1000);
});

test("hosts of any characters do no harm", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      imitationOf(text);
      const bytes = encoder.encode(text);
      quickTest()(bytes, 0, bytes.length);
      lookAtUrl(bytes, 0, bytes.length, quickTest());
    }),
    { numRuns: sampleSize(500), seed: 65 },
  );
  expect(imitationOf(`${"paypal-".repeat(9000)}x.example`)).toBe(null);
});

test.each([
  ["paypal.com", true],
  ["www.paypal.com", true],
  ["paypal.me", true],
  ["paypal.com.evil.example", false],
  ["evilpaypal.com", false],
  ["paypa1.com", false],
  ["com", false],
  ["", false],
])("%j is well known: %j", (host, expected) => {
  expect(imitations().isWellKnown(host)).toBe(expected);
});

test.each([
  ["youtu.be", "youtube.com"],
  ["m.youtube.com", "youtube.com"],
  ["fb.me", "facebook.com"],
  ["m.me", "facebook.com"],
  ["wa.me", "whatsapp.com"],
  ["t.me", "telegram.org"],
  ["x.com", "twitter.com"],
  ["maps.app.goo.gl", "google.com"],
  ["www.amazon.de", "amazon.com"],
  ["login.microsoftonline.com", "microsoft.com"],
  ["live.com", "microsoft.com"],
  ["hotmail.com", "microsoft.com"],
  ["hsbc.co.uk", "hsbc.com"],
  // Others publish there, or choose where a link leads.
  ["storage.googleapis.com", null],
  ["lh3.googleusercontent.com", null],
  ["a.my-salesforce.com", null],
  ["evil.app.goo.gl", null],
  ["goo.gl", null],
  ["t.co", null],
  ["amzn.to", null],
  ["lnkd.in", null],
  ["evil.example", null],
  ["youtu.be.evil.example", null],
  ["", null],
  [`${"youtube.com.".repeat(30)}youtube.com`, null],
])("the owner of %j is %j", (host, expected) => {
  expect(imitations().ownerOf(host)).toBe(expected);
});

test("the owner of other sites is in the first line that names them", () => {
  const sites = "mybank.example .test =ourbank.example mybank.invalid\nmybank.test =mybank.example";
  const { ownerOf, isWellKnown } = imitations({ sites });
  expect(ownerOf("www.mybank.test")).toBe("mybank.example");
  expect(ownerOf("mybank.example")).toBe("mybank.example");
  expect(ownerOf("ourbank.example")).toBe("mybank.example");
  expect(ownerOf("mybank.invalid")).toBe(null);
  expect(isWellKnown("mybank.invalid")).toBe(true);
});

test.each([
  ["hsbc.co.uk.evil.example", "hsbc.co.uk", "hsbc.co.uk"],
  ["www.royalmail.co.uk.parcel.example", "royalmail.co.uk", "royalmail.co.uk"],
  ["amazon.de.evil.example", "amazon.de", "amazon.de"],
  ["paypal.co.uk.evil.example", "paypal.co", "paypal.com"],
  ["paypal.com.evil.example", "paypal.com", "paypal.com"],
])("%s begins like a domain of the owner", (host, piece, site) => {
  const found = imitationOf(host)!;
  expect([host.slice(found.start, found.end), found.site]).toEqual([piece, site]);
});
