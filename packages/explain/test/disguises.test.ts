import { readUrl } from "@x/canon/readings";
import { annotateUrl, disguisesOf, explainUrl, urlSummary } from "@x/explain";
import { imitations } from "@x/links/look-alikes";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const { checkMany } = checker(prefixList([]));
/** The disguises of a URL, found as in a program that checks many lines. */
function disguises(url: string) {
  const [verdict] = checkMany([url]);
  return disguisesOf(url, verdict!.readings);
}
const codes = (url: string) => disguises(url).map(({ code }) => code);

test.each([
  ["http://www.good.example/", []],
  ["www.good.example", []],
  ["http://user@good.example/", []],
  ["http://127.0.0.1/", []],
  ["http://bücher.example/", []],
  ["http://правда.example/", []],
  ["http://good.example/a@b.example", []],
  ["mailto:a@good.example", []],
  ["not a url", []],
  ["http://evil.example\\@www.good.example/", ["other-host"]],
  ["http://www.good.example@evil.example/", ["user-name"]],
  ["http://WWW.good.example:pass@evil.example/", ["user-name"]],
  ["http://user@www.good.example@evil.example/", ["user-name"]],
  ["http://user:x@www.good.example@evil.example/", ["user-name"]],
  ["http://user%40www.good.example@evil.example/", ["user-name"]],
  ["http://user%2540www.good.example@evil.example/", ["user-name"]],
  ["http://user:www.good.example&a=1@evil.example/", ["user-name"]],
  ["http://user%3Awww.good.example@evil.example/", ["user-name"]],
  ["http://user:secret@good.example/", []],
  ["http://user:eyJhbGci.eyJzdWIi.aZ09@good.example/", []],
  ["http://user:long.password2@good.example/", []],
  ["http://www.good.example@2130706433/", ["user-name", "address"]],
  ["http://2130706433/", ["address"]],
  ["http://0x7f.1/", ["address"]],
  ["http://１２７.0.0.1/", ["address"]],
  ["http://gооd.example/", ["look-alike"]],
  ["http://xn--gd-emca.example/", ["look-alike"]],
  ["http://www.good.example\u2215login.evil.example/", ["other-host"]],
  ["https://www.good.example\u2044login.evil.example/", ["other-host"]],
  ["www.good.example\u0294a.evil.example", ["other-host"]],
  ["http://www.good.example\ua789a.evil.example/", ["other-host"]],
  ["http://カノン.example/", []],
  ["http://good.example.カノン.example/", []],
  ["http://good.example/\u202egnp.exe", ["bidi"]],
  ["http://good.example/#\u2066x", ["bidi"]],
])("%s", (url, expected) => {
  expect(codes(url)).toEqual(expected);
});

test.each([
  ["http://www.good.example@evil.example/", "a user name"],
  ["http://a@www.good.example@evil.example/", "part of a user name"],
  ["http://a:b@www.good.example@evil.example/", "part of a password"],
])("the reason says where the other host stands: %s", (url, is) => {
  const [first] = disguises(url);
  expect(first).toMatchObject({
    resembles: "www.good.example",
    message: `www.good.example is only ${is}. It opens evil.example.`,
  });
  const explained = explainUrl(url, []);
  if ("error" in explained) throw new Error(explained.error.message);
  const decoy = annotateUrl(url, explained).find(({ role }) => role === "decoy");
  expect(decoy?.label).toBe(`only ${is}`);
});

test("a disguise has a reason, and the host that it imitates", () => {
  expect(disguises("http://evil.example\\@www.good.example/")).toEqual([
    {
      code: "other-host",
      resembles: "www.good.example",
      message: "It seems to lead to www.good.example, but does not. It opens evil.example.",
    },
  ]);
  const [inner] = disguises("http://www.good.example\u2215a.evil.example/");
  expect(inner).toEqual({
    code: "other-host",
    resembles: "www.good.example",
    message: expect.stringMatching(
      /^It seems to lead to www\.good\.example, but “\u2215” is part of its host\. It opens www\.good\..*\.evil\.example\.$/,
    ),
  });
  expect(disguises("http://gооd.example/")).toMatchObject([{ resembles: "good.example" }]);
  expect(disguises("http://2130706433/")[0]!.message).toBe(
    "Its host is 127.0.0.1, an IP address written as one decimal number.",
  );
});

test("with imitations, the name of a well-known site in another one is a disguise", () => {
  const known = imitations();
  const url = "http://paypa1.com/";
  const found = { code: "look-alike", resembles: "paypal.com" };
  expect(disguisesOf(url, null, known)).toMatchObject([found]);
  expect(disguisesOf(new TextEncoder().encode(url), null, known)).toEqual([
    { ...found, message: "Did you mean paypal.com? It opens paypa1.com." },
  ]);
  expect(disguisesOf("http://paypal.com/", null, known)).toEqual([]);
  expect(disguisesOf(new TextEncoder().encode("http://paypal.com/"), null, known)).toEqual([]);
  expect(disguisesOf(url, null)).toEqual([]);
  const cyrillic = "http://xn--80ak6aa92e.com/";
  expect(disguisesOf(cyrillic, readUrl(cyrillic), known)).toEqual([
    {
      code: "look-alike",
      resembles: "apple.com",
      message:
        "Did you mean apple.com? In its host, “а” (U+0430) is Cyrillic, not “a”. It opens xn--80ak6aa92e.com.",
    },
  ]);
  const summary = urlSummary(url, explainUrl(url, []), { imitations: known });
  expect(summary).toMatchObject({
    isDisguised: true,
    sentence: "Looks like paypal.com, but is not. Opens paypa1.com.",
  });
  expect(summary.facts).toEqual([
    "Do not open it: such a disguise is typical of phishing.",
    "Did you mean paypal.com?",
    "No list is loaded.",
  ]);
});

const parts = fc.array(
  fc.constantFrom(
    ..."http:// https: // / \\ @ . : # ? www.good.example evil.example 2130706433 0x7f.1 127.0.0.1 xn--gd-emca о \u202e %40 user %2f".split(
      " ",
    ),
  ),
  { maxLength: 7 },
);

test("any text: the same from text and bytes, and the same as in a summary", {
  tags: "deep",
}, () => {
  let found = 0;
  fc.assert(
    fc.property(parts, (pieces) => {
      const url = pieces.join("");
      const all = disguises(url);
      if (all.length > 0) found++;
      const [verdict] = checkMany([url]);
      expect(disguisesOf(new TextEncoder().encode(url), verdict!.readings)).toEqual(all);
      // A canonical URL needs no readings.
      expect(disguisesOf(url, readUrl(url)).map(({ code }) => code)).toEqual(codes(url));
      const explained = explainUrl(url, []);
      if (!("error" in explained)) {
        expect(urlSummary(url, explained).isDisguised).toBe(all.length > 0);
      }
    }),
    { numRuns: sampleSize(5000, 500) },
  );
  expect(found).toBeGreaterThan(10);
});

test("bytes that are not UTF-8", () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode("http://evil.example/@"), 0xff]);
  const [verdict] = checkMany([bytes]);
  expect(disguisesOf(bytes, verdict!.readings)).toEqual([]);
  expect(disguisesOf(new TextEncoder().encode("http://a-b.example/"), null)).toEqual([]);
});
