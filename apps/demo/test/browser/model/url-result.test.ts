import { urlSummary } from "@x/explain";
import { unwrapLink } from "@x/links/unwrap";
import { foreignLine, refang } from "@x/list-source";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { describe, expect, test } from "vitest";
import { urlResult } from "../../../src/web/model/url-result.ts";

const RECOGNITION = { foreignLine, refang, unwrapLink };
const LISTED = ["evil.example/", "xn--bcher-kva.example/"];
const other = prefixList([fullHash("other.example/")], { name: "other", prefixBytes: 8 });
const phishing = prefixList(LISTED.map(fullHash), { name: "phishing", prefixBytes: 8 });

/** The verdict on a typed text with some lists; `null` while they are loading. */
function said(text: string, lists: readonly PrefixList[] | null) {
  const inUse = lists && { lists, safeLists: [] };
  const { input, explained, isComplete: _, ...options } = urlResult(text, inUse, RECOGNITION);
  const { badge, sentence } = urlSummary(input, explained!, options);
  return `${badge}: ${sentence}`;
}

const NO_LIST = "There is no list to check it against.";
const UNOPENED = "Browsers do not open this link.";
const restored = (rest: string) => `Cannot tell: Defanged. Restored, it opens evil.example${rest}`;
const DEFANGED = [restored(`. ${NO_LIST}`), restored("."), restored(".")] as const;
const URN = "Not a URL: This is a URN: a name, not an address.";
const NEITHER = "Not a URL: This is not a URL.";

/** A text with its answers: without a list, with a list that lacks the text, and with a list that has its host. */
const TEXTS: readonly (readonly [text: string, none: string, other: string, listed: string])[] = [
  [
    "evil.example",
    `Cannot tell: Opens evil.example. ${NO_LIST}`,
    "Not on this list: Opens evil.example.",
    "Listed: Opens evil.example.",
  ],
  ["hxxps://evil[.]example/a", ...DEFANGED],
  ["evil[.]example", ...DEFANGED],
  // This text stands for no URL.
  ["hxxp://", NEITHER, NEITHER, NEITHER],
  [
    // Browsers do not read this text as a URL, but the rules of Safe Browsing ignore the scheme, so a list may have it.
    "hxxp://evil.example/",
    DEFANGED[0],
    DEFANGED[1],
    `Listed: Contains evil.example. ${UNOPENED}`,
  ],
  // No site can have these hosts.
  ['http://evil.example"', NEITHER, NEITHER, NEITHER],
  ["http://evil.example&sp", NEITHER, NEITHER, NEITHER],
  ["http://evil[.example/path", ...DEFANGED],
  ["http__evil.example/path", ...DEFANGED],
  [String.raw`evil\u002eexample`, ...DEFANGED],
  ["evilDOTexample", ...DEFANGED],
  ["httpx://evil.example/", DEFANGED[0], DEFANGED[1], `Listed: Contains evil.example. ${UNOPENED}`],
  ["urn:isbn:0451450523", URN, URN, URN],
  ["evil.example asdf", NEITHER, NEITHER, NEITHER],
  [
    "http://evil.example/a b",
    `Cannot tell: Opens evil.example. ${NO_LIST}`,
    "Not on this list: Opens evil.example.",
    "Listed: Opens evil.example.",
  ],
  [
    "http://www.B\u00fccher.example/",
    `Cannot tell: Opens www.xn--bcher-kva.example (www.bücher.example). ${NO_LIST}`,
    "Not on this list: Opens www.xn--bcher-kva.example (www.bücher.example).",
    "Listed: Opens www.xn--bcher-kva.example.",
  ],
];

describe("a typed text", () => {
  test.each(TEXTS)("%j, with and without lists", (text, none, elsewhere, listed) => {
    expect(said(text, [])).toBe(none);
    expect(said(text, [other])).toBe(elsewhere);
    expect(said(text, [other, phishing])).toBe(listed);
  });

  test.each(TEXTS)("%j is not said to be unlisted while lists load", (text) => {
    expect(said(text, null)).not.toMatch(/not on this list/i);
  });

  test.each(TEXTS)(
    "%j gets no answer before it is known what it looks like, unless it is listed",
    (text) => {
      for (const list of [other, phishing]) {
        const inUse = { lists: [list], safeLists: [] };
        const { explained, isComplete } = urlResult(text, inUse, null);
        const isListed = explained !== null && "listed" in explained && explained.listed === true;
        expect(isComplete).toBe(isListed);
        if (!isListed) expect(explained).not.toMatchObject({ listed: false });
      }
    },
  );

  test("no text is no URL", () => {
    expect(urlResult("", null, null).explained).toBe(null);
  });
});
