import { parseUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import {
  annotateUrl,
  changeText,
  checkedUrl,
  compareUrns,
  disguisesOf,
  entryOnLine,
  explainMatch,
  explainUrl,
  explainUrn,
  expressionRecord,
  foreignRefusal,
  hostRemark,
  innerText,
  inputRecord,
  inputText,
  isDoubtful,
  matchRecord,
  matchText,
  oddsText,
  publishedUri,
  refusalOf,
  toCsv,
  tooLongLine,
  type UrlExplanation,
  unseenSite,
  unusableReason,
  urlReport,
  urlSummary,
  VERDICT_LABELS,
  verdictOf,
  verdictText,
} from "@x/explain";
import { aboutText, contactHref } from "@x/explain/about";
import { counted, formatCount } from "@x/explain/counted";
import {
  isPlain,
  printable,
  printableInShort,
  printableJson,
  spellOut,
} from "@x/explain/printable";
import { hashedUriMatcher } from "@x/hashed-uri";
import { checker, urlHashes } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { parseUrn } from "@x/urn";
import { expect, test } from "vitest";

/* An example of each function of this package. */

test("explainUrn", () => {
  const explained = explainUrn("URN:ISBN:0-395-36341-2");
  if (!("error" in explained)) {
    expect(explained.offsets.nss).toEqual([9, 22]);
    expect(explained.normalized).toEqual("urn:isbn:0-395-36341-2");
    expect(explained.namespaceProblems.map(({ code }) => code)).toEqual(["isbn-check-digit"]);
  }
});

test("compareUrns", () => {
  const { verdict, rule } = compareUrns("URN:FOO:a123%2c456", "urn:foo:a123%2C456");
  expect(verdict).toEqual("equal");
  expect(rule).toEqual(
    "The case of “urn”, of the NID, and of hexadecimal digits in escapes does not matter (RFC 2141 §5).",
  );
  expect(compareUrns("urn:isbn:0-395-36341-1", "urn:isbn:0395363411").verdict).toEqual(
    "equal-in-namespace",
  );
});

test("annotateUrl", () => {
  const url = "http://evil.example\\@good.example/";
  const explained = explainUrl(url, []);
  if (!("error" in explained)) {
    expect(annotateUrl(url, explained).map(({ text }) => text)).toEqual([
      "http://",
      "evil.example",
      "\\",
      "@",
      "good.example",
      "/",
    ]);
    expect(annotateUrl(url, explained).map(({ label }) => label)).toEqual([
      null,
      "browser goes here",
      "“\\” ends the host",
      null,
      "not where it goes",
      null,
    ]);
  }
});

test("disguisesOf", () => {
  const url = "http://www.good.example@2130706433/";
  expect(disguisesOf(url, readUrl(url)).map(({ code }) => code)).toEqual(["user-name", "address"]);
  expect(disguisesOf(url, readUrl(url))[0]?.message).toEqual(
    "www.good.example is only a user name. It opens 127.0.0.1.",
  );
  expect(disguisesOf("http://www.good.example/", null)).toEqual([]);
});

test("explainUrl", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 4 });
  const explained = explainUrl("http://EVIL.example/a", [list]);
  if (!("error" in explained)) {
    expect(explained.canonical).toEqual("http://evil.example/a");
    expect(explained.steps.filter(({ changed }) => changed).map(({ step }) => step)).toEqual([
      "lower-case-host",
    ]);
    expect(explained.expressions.map(({ prefix }) => prefix)).toEqual(["b72f2c94", "f001957c"]);
    expect(explained.matches.map(({ list, expression }) => [list, expression])).toEqual([
      ["phishing", "evil.example/"],
    ]);
  }
  const spoofed = explainUrl("http://evil.example\\@good.example/", [list]);
  expect("browser" in spoofed && spoofed.browser?.opens).toEqual(
    "http://evil.example/@good.example/",
  );
});

test("urlSummary", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 8 });
  const url = "http://login.evil.example\\@www.good.example/";
  const { badge, sentence } = urlSummary(url, explainUrl(url, [list]));
  expect(badge).toEqual("Listed");
  expect(sentence).toEqual("Looks like good.example. Opens login.evil.example.");
});

test("aboutText", () => {
  expect(aboutText({ reason: "phishing", contact: "lists@example.com" })).toEqual(
    "phishing; lists@example.com",
  );
});

test("contactHref", () => {
  expect(contactHref("lists@example.com")).toEqual(
    "mailto:lists@example.com?subject=Blocked%20by%20mistake",
  );
  expect(contactHref("https://example.com/mistakes")).toEqual("https://example.com/mistakes");
  expect(contactHref("javascript:alert(1)")).toEqual(null);
});

test("formatCount", () => {
  expect(formatCount(13_752)).toEqual("13,752");
});

test("counted", () => {
  expect(counted(1, "prefix", "prefixes")).toEqual("1 prefix");
  expect(counted(13_752, "prefix", "prefixes")).toEqual("13,752 prefixes");
});

test("explainMatch", () => {
  const match = hashedUriMatcher(["hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"]);
  const found = explainMatch("HTTP://www.thus.net", match);
  expect("entry" in found && found.entry?.algorithm).toEqual("sha1");
  const missed = explainMatch("http://www.thus.net/other", match);
  expect("matched" in missed && missed.matched).toEqual(false);
});

test("unusableReason", () => {
  const { unusable } = hashedUriMatcher(["hashed:sha512=00", "hashed:sha1=00ff"]);
  expect(unusable.map(unusableReason)).toEqual([
    'the algorithm "sha512" is not known',
    "no sha1 hash has 4 digits",
  ]);
});

test("publishedUri", () => {
  const published = publishedUri("http://www.thus.net");
  expect("hashed" in published && published.hashed).toEqual(
    "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
  );
  const refused = publishedUri("page.html");
  expect("error" in refused && refused.error.code).toEqual("base-missing");
});

test("tooLongLine", () => {
  expect(tooLongLine(new Uint8Array(1000))).toEqual(null);
  expect(tooLongLine(new Uint8Array(3_000_000))?.error.code).toEqual("line-too-long");
});

test("inputText", () => {
  expect(inputText(new TextEncoder().encode("urn:a:b"))).toEqual("urn:a:b");
  const refused = inputText(Uint8Array.of(0x61, 0xff));
  expect(typeof refused === "string" || refused.error.message).toEqual('"a\\xff" is not UTF-8');
});

test("inputRecord", () => {
  expect(inputRecord("urn:a:b", "urn")).toEqual({ urn: "urn:a:b" });
  expect(inputRecord(Uint8Array.of(0x61, 0xff), "url")).toEqual({ url: "a\ufffd", bytes: "61ff" });
});

test("entryOnLine", () => {
  expect(entryOnLine("  evil.example\t")).toEqual("evil.example");
  expect(entryOnLine(" # two sites")).toEqual(null);
});

test("printable", () => {
  expect(printable("http://example.com/\u202egnp.exe")).toEqual(
    "http://example.com/\\u{202e}gnp.exe",
  );
  expect(printable(Uint8Array.of(0x61, 0xff))).toEqual("a\\xff");
});

test("printableInShort", () => {
  expect(printableInShort("x".repeat(5000)).includes(" … 4000 more … ")).toEqual(true);
});

test("printableJson", () => {
  expect(printableJson({ url: "\u202e" })).toEqual('{"url":"\\u202e"}');
});

test("isPlain", () => {
  expect(isPlain("evil.example/")).toEqual(true);
  expect(isPlain("\u202egnp.exe")).toEqual(false);
});

test("spellOut", () => {
  expect(spellOut("\u202e")).toEqual("\\u{202e}");
});

test("foreignRefusal", () => {
  const { error } = foreignRefusal("a b", { code: "space", found: "words" }, "a URL");
  expect(error.message).toEqual('"a b" looks like words: expected a URL');
});

test("refusalOf", () => {
  let problem: ReturnType<typeof refusalOf>["error"] | undefined;
  try {
    parseUrn("urn:foo:a%4g");
  } catch (error) {
    problem = refusalOf(error).error;
  }
  expect([problem?.code, problem?.index]).toEqual(["escape-malformed", 9]);
});

test("checkedUrl", () => {
  const [verdict] = checker(prefixList([])).checkMany(["EXAMPLE.com"]);
  expect(verdict && checkedUrl("EXAMPLE.com", verdict)).toEqual({
    url: "EXAMPLE.com",
    canonical: "http://example.com/",
    listed: false,
    matches: [],
  });
});

test("toCsv", () => {
  const row = { line: 1, url: "=1+1", canonical: "http://=1+1/", listed: false, matches: [] };
  expect(toCsv([row]).split("\r\n")[1]).toEqual(`1,"'=1+1",not listed,http://=1+1/,,,,,,,,`);
});

test("unseenSite", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 8 });
  const textOf = (url: string) => {
    const explained = explainUrl(url, [list]);
    return "error" in explained ? explained.error.code : unseenSite(explained);
  };
  expect(textOf("https://bit.ly/a")).toContain("the site that it leads to was not checked");
  expect(textOf("http://wiki/")).toBe("No whole name: was the link cut off?");
  for (const url of [
    "http://evil.example/",
    "http://good.example/",
    "http://localhost/",
    "x://wiki/",
  ])
    expect(textOf(url)).toBeNull();
  const own = prefixList([fullHash("wiki/")], { name: "own", prefixBytes: 8 });
  expect(unseenSite(explainUrl("http://wiki/", [own]) as UrlExplanation)).toBeNull();
  expect(unseenSite(explainUrl("http://wiki/", []) as UrlExplanation)).toBeNull();
});

test("hostRemark", () => {
  const registrableDomain = () => "evil.example";
  const url = parseUrl("https://www.paypal.com.evil.example/a");
  expect(hostRemark(url, { registrableDomain })?.message).toEqual(
    "Begins like www.paypal.com, but opens a site of evil.example.",
  );
  expect(hostRemark(parseUrl("https://bit.ly/a"))?.code).toEqual("shortener");
});

test("oddsText", () => {
  expect(oddsText(0.0044)).toEqual("about 1 harmless URL in 227 is listed by chance");
  expect(oddsText(1e-12)).toEqual("fewer than 1 harmless URL in a billion is listed by chance");
});

test("isDoubtful", () => {
  expect(isDoubtful(0.0044)).toEqual(true);
  expect(isDoubtful(1e-12)).toEqual(false);
});

test("expressionRecord", () => {
  const [record] = urlHashes("b.c").map(expressionRecord);
  expect([record?.expression, record?.prefix]).toEqual(["b.c/", "b225cf5d"]);
});

test("matchRecord", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 4 });
  const [match] = checker(list).check("http://evil.example/login");
  const record = match && matchRecord(match);
  expect([record?.list, record?.prefix, record?.confirmed]).toEqual([
    "phishing",
    "f001957c",
    false,
  ]);
});

test("urlReport", () => {
  const url = "http://evil.example/a";
  expect(urlReport(url, explainUrl(url, [])).split("\n")[2]).toEqual(
    "URL: hxxp://evil[.]example/a",
  );
});

test("verdictOf", () => {
  const verdict = verdictOf(explainUrl("mailto:x", []));
  expect(VERDICT_LABELS[verdict]).toEqual("not a URL");
});

test("matchText", () => {
  const match = { list: "phishing", expression: "evil.example/", prefix: "f001957c" };
  expect(matchText({ ...match, confirmed: false, reading: "both" }, 0.001)).toEqual(
    "evil.example/ (f001957c) is probably on phishing",
  );
  expect(matchText({ ...match, confirmed: true, reading: "browser" }, 0.001)).toEqual(
    "evil.example/ (f001957c) is on phishing, as browsers read the URL",
  );
});

test("innerText", () => {
  const inner = {
    url: "http://evil.example/",
    wrapper: "Google",
    certainty: "certain",
    inside: null,
  } as const;
  expect(innerText(inner)).toEqual("http://evil.example/ (Google)");
});

test("verdictText", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 8 });
  const listed = verdictText(explainUrl("http://evil.example/a", [list]));
  expect(listed.title).toEqual("Listed");
  expect(listed.detail).toEqual("1 of 2 expressions is on phishing.");
  expect(listed.notes.at(-1)).toEqual("evil.example/ covers this host and everything below it.");
  expect(verdictText(explainUrl("http://good.example/", [list])).title).toEqual("Not listed");
});

test("changeText", () => {
  const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 32 });
  expect(changeText(explainUrl("http://evil.example/a?b", [list]))).toEqual(
    "To take it off, remove evil.example/ from phishing.",
  );
  expect(changeText(explainUrl("http://good.example/a?b", [list]))).toEqual(
    "To list it, add the entry good.example/a?b, or good.example/ for the whole host.",
  );
});
