import { explainCanonicalization, tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { expectLinearGrowth, stopwatch } from "@x/test-support/linear-time";
import { IS_DEEP } from "@x/test-support/sample-size";
import { describe, expect, test } from "vitest";

const LONGEST = IS_DEEP ? 2 ** 20 : 2 ** 18;

/** Text of about this many bytes that starts with `start` and repeats `unit`. */
function grow(start: string, unit: string, end = ""): (size: number) => string {
  return (size) => start + unit.repeat(Math.ceil(size / unit.length)) + end;
}

/** `%00` to `%FF`, over and over. */
const ALL_ESCAPES = Array.from(
  { length: 256 },
  (_, octet) => `%${octet.toString(16).padStart(2, "0")}`,
).join("");

/**
 * 500 different letters. In Punycode, each is far from the letter before it, both in the code and in the label, so that
 * all numbers are long.
 */
const SCATTERED = Array.from({ length: 500 }, (_, i) =>
  String.fromCodePoint(0x4e00 + ((i * 181) % 500) * 41),
).join("");

const FAMILIES: Record<string, (size: number) => string | Uint8Array> = {
  "nested escapes": grow("http://a/%", "25"),
  "nested escapes, closed at the end": grow("http://a/", "%", "32%35"),
  "escapes of escapes": grow("http://a/", "%25%32%35"),
  "distinct escapes": grow("http://a/", ALL_ESCAPES),
  "distinct escapes in the host": grow("http://", ALL_ESCAPES),
  "broken escapes": grow("http://a/", "%2%"),
  "escapes of letters in the host": grow("http://", "%41%62"),
  "percent signs": grow("http://a/", "%"),
  "/..": grow("http://a/", "/.."),
  "folders and /..": (size) => `http://a${"/b".repeat(size / 5)}${"/..".repeat(size / 5)}`,
  "/b/..": grow("http://a/", "b/../"),
  "/.": grow("http://a/", "./"),
  slashes: grow("http://a/", "/"),
  "slashes alone": grow("", "/"),
  "dots in the path": grow("http://a/", "."),
  "dots in the host": grow("http://", ".", "a"),
  "dots at the end of the host": grow("http://a", "."),
  "dots alone": grow("http://", "."),
  "labels in the host": grow("http://", "a."),
  "dots between labels": grow("http://a", "..b"),
  "@": grow("http://", "@", "a/"),
  "@ in the path": grow("http://a/", "@"),
  "[": grow("http://", "["),
  "[ and ]": grow("http://", "[]"),
  "]": grow("http://[", "]"),
  "colons in brackets": grow("http://[", ":", "]/"),
  "groups in brackets": grow("http://[", "1:", "]/"),
  "?": grow("http://a/", "?"),
  "#": grow("http://a/", "#"),
  "escaped #": grow("http://a/", "%23"),
  tabs: grow("http://a/", "\t"),
  "tabs between": grow("http://a/", "\tb"),
  spaces: grow("http://a/", " ", "b"),
  "spaces at the ends": (size) => `${" ".repeat(size / 2)}a${" ".repeat(size / 2)}`,
  "spaces between": grow("http://", " a"),
  colons: grow("http://a", ":"),
  ports: grow("http://a", ":1"),
  "ports and dots": grow("http://a", ":1."),
  "ports and dots, then a name": grow("http://a", ".:1", ".b"),
  "ports and dots in IDN": grow("http://\u00e9", ":1."),
  "digits as the host": grow("http://", "1"),
  "zeros as the host": grow("http://", "0", "1"),
  "hexadecimal digits as the host": grow("http://0x", "f"),
  "digits and dots as the host": grow("http://", "1."),
  "digits as the port": grow("http://a:", "1"),
  "digits, then no port": grow("http://a:", "1", "b"),
  "letters as the scheme": grow("", "a", "://b"),
  "letters, then no scheme": grow("", "a", "_://b"),
  "digits, then no port, without a scheme": grow("a:", "1", "b"),
  backslashes: grow("http://", "\\"),
  "dot segments before the host of a link": grow("http:\\\\\\a", "/..", "/b"),
  "dot segments in the query of a link": grow("//a?", "/%2e%2E/b"),
  "escaped dot segments": grow("http://a", "/%2e/.%2e"),
  "upper case": grow("http://", "A", "/"),
  "changing case": grow("http://", "Aa", "/"),
  "one long non-ASCII label": grow("http://", "\u00e9"),
  "distinct non-ASCII characters": (size) =>
    `http://${Array.from({ length: size / 3 }, (_, i) => String.fromCodePoint(0x4e00 + (i % 20000))).join("")}`,
  "non-ASCII labels": grow("http://", "\u00e9."),
  "ideographic dots": grow("http://a", "\u3002"),
  "ignorable characters": grow("http://a", "\u00ad"),
  "IDN labels of almost the longest length": grow("http://", `${"\u00e9\u4e00".repeat(255)}.`),
  "distinct characters in labels of almost the longest length": grow(
    "http://",
    `${Array.from({ length: 510 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("")}.`,
  ),
  "distinct characters far from each other in labels of 500": grow("http://", `${SCATTERED}.`),
  "characters that are mapped to eighteen in labels": grow("http://", "\ufdfa."),
  "marks to be ordered in labels of almost the longest length": grow(
    "http://",
    `e${"\u0301\u0323".repeat(255)}.`,
  ),
  "marks to be ordered": grow("http://e", "\u0301\u0323"),
  "marks to be ordered among ignorable characters": grow("http://e", "\u0301\u00ad\u0323\u00ad"),
  joiners: grow("http://a", "\u200d"),
  "emoji in the path": grow("http://a/", "\u{1f600}"),
  "C1 controls in the host": grow("http://", "\u0085"),
  "C1 controls in the path": grow("http://a/", "\u0085"),
  "C1 controls and UTF-8": grow("http://\u0080/", "\u00e9%ff"),
  "slashes before the host": grow("http:", "/\\", "a"),
  "escapes in the user": grow("http://", "%2F\u00e9", "@a/"),
  "escaped non-ASCII characters": grow("http://", "%C3%A9"),
  "escaped ignorable characters": grow("http://a", "%C2%AD"),
  "escaped IDN labels": grow("http://", "%C3%A9."),
  "zeros as the port": grow("http://a:", "0", "80/"),
  "xn-- labels": grow("http://", "xn--9ca."),
  "one long xn-- label": grow("http://xn--", "a9"),
  "brackets and colons": grow("http://", "[:"),
  "a bracket, then one long non-ASCII label": grow("http://a[:", "\u00e9"),
  "controls at the ends": (size) => `${"\x01".repeat(size / 2)}a${"\x01".repeat(size / 2)}`,
  NULs: grow("http://a/", "\0"),
  "a late lone surrogate": grow("http://a/", "\u00e9", "\ud800"),
  "no UTF-8": (size) => new Uint8Array(size).fill(0xe9),
  "zero bytes": (size) => new Uint8Array(size),
};

function explain(url: string | Uint8Array): void {
  try {
    explainCanonicalization(url);
  } catch {
    // The call may also throw an error.
  }
}

describe.each([
  ["tryParseUrl", tryParseUrl, LONGEST],
  ["tryParseUrlAsBrowser", tryParseUrlAsBrowser, LONGEST / 4],
  ["explainCanonicalization", explain, LONGEST / 4],
] as const)("%s takes linear time", (_name, run, longest) => {
  test.each(Object.entries(FAMILIES))("%s", (_family, make) => {
    expectLinearGrowth(run, make, longest / 16);
  });
});

test("explainCanonicalization takes no longer for bytes that only look like UTF-8", () => {
  const fill = (octets: readonly number[]) =>
    Uint8Array.from({ length: LONGEST / 8 }, (_, i) => octets[i % octets.length]!);
  const timeOf = (input: Uint8Array) => {
    const times = Array.from({ length: 4 }, () => {
      const elapsed = stopwatch();
      explain(input);
      return elapsed();
    });
    return Math.min(...times);
  };
  // Overlong forms of three bytes, and first bytes without the rest of their characters for comparison.
  const ratio = timeOf(fill([0xe0, 0x80, 0x80])) / Math.max(timeOf(fill([0xe0, 0x41, 0x41])), 0.02);
  expect(ratio).toBeLessThan(10);
});
