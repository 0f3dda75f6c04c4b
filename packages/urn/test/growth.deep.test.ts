import { expectLinearGrowth, stopwatch } from "@x/test-support/linear-time";
import { firstOf, IS_DEEP } from "@x/test-support/sample-size";
import * as urn from "@x/urn";
import { checkNamespace, namespaceRules } from "@x/urn/namespaces";
import { describe, expect, test } from "vitest";

/** Runs a function and ignores its errors. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch {}
}

const UNITS = [
  "urn:",
  "'urn:a1:b",
  "%20urn:a1:b",
  "urn:urn:",
  "urn:a",
  "urn:a:",
  "urn:a1:b ",
  "urn:a1:b.",
  "urn:a1:b?+",
  "urn:a1:b?=",
  "urn:a1:b?+r?=q#",
  "URN:",
  "%",
  "%%%%",
  "%25",
  "%C3%A9",
  "%C3",
  "%D0%B0",
  // Tibetan vowel signs, not in their canonical order.
  "%E0%BD%B4%E0%BD%B1",
  "%E0%BD%B1%E0%BD%B4%E0%BD%80",
  ":",
  "(",
  ")",
  "?+x?=",
  "?",
  ".",
  "\u00e9",
  "'urn:a1:",
  "_",
  "__urn:a1:b",
  "_urn:a1:b___c ",
  "=urn:a1:b&",
  "=3Curn:a1:b",
  "&amp;urn:a1:b",
  "&",
  "&a",
  "\\nurn:a1:b",
  "%25",
  "\u001b[1murn:a1:b",
  "\u001b[",
  "xurn:",
  "x-urn:a1:b",
  "a.",
  "urn:a1:b,",
  "urn:a1:b\\_",
  "urn:a1:b&amp;",
  "urn:a1:b{\\",
  "\\",
  "&amp;",
];

const TASKS: Record<string, (text: string) => unknown> = {
  parse: (text) => urn.tryParseUrn(`urn:a1:${text}`),
  "the error of parse": (text) => urn.parseUrn(`urn:a1:${text}~`),
  "parse under rfc8141": (text) => urn.tryParseUrn(`urn:a1:b${text}`, { syntax: "rfc8141" }),
  normalize: (text) =>
    urn.normalizeUrn({ ...urn.parseUrn("urn:a:b"), nss: text, fComponent: text }),
  equivalence: (text) =>
    urn.equivalentUrns(`urn:isbn:${text}a`, `urn:isbn:${text}b`, { namespaces: namespaceRules }),
  "the checks of namespaces": (text) => {
    for (const nid of ["ietf", "lex", "nbn", "oasis", "oid"]) {
      checkNamespace(`urn:${nid}:de-a:${text}`);
    }
    urn.canonicalKey(`urn:ietf:${text}`, { namespaces: namespaceRules });
  },
  encode: (text) => urn.encodeNss(text),
  "encode with many special characters": (text) => urn.encodeNss(text, { special: text }),
  "encode with special characters that the name does not have": (text) =>
    urn.encodeNss("a".repeat(text.length), { special: text.replaceAll("a", "b") }),
  decode: (text) => urn.decodeNss(text),
  display: (text) => urn.displayUrn(`urn:a1:${text}`),
  "display after a letter": (text) => urn.displayUrn(`urn:a1:%E0%BD%80${text}`),
  find: (text) => urn.findUrns(text),
  "find in pieces": (text) => {
    const finder = urn.urnFinder({ maxRunLength: 2 ** 10 });
    for (let i = 0; i < text.length; i += 7) finder.push(text.slice(i, i + 7));
    return finder.end();
  },
  "find between delimiters": (text) =>
    urn.findUrns(text, { syntax: "rfc8141", trimDelimiters: true }),
  "find after a delimiter": (text) => urn.findUrns(`'urn:a1:b${text}`, { trimDelimiters: true }),
  "find under rfc8141": (text) => urn.findUrns(text, { syntax: "rfc8141", trimPunctuation: true }),
};

describe.each(Object.entries(TASKS))("%s", (_, task) => {
  test.each(firstOf(8, UNITS))("takes linear time for %j", (unit) => {
    expectLinearGrowth(
      (text: string) => attempt(() => task(text)),
      (length) => unit.repeat(length / unit.length),
    );
  });
});

test("displayUrn takes linear time for a letter with many marks in the wrong order", () => {
  expectLinearGrowth(
    (text: string) => urn.displayUrn(text),
    (length) => {
      const [later, earlier] = ["%E0%BD%B4", "%E0%BD%B1"].map((mark) => mark.repeat(length / 18));
      return `urn:a1:%E0%BD%80${later}${earlier}`;
    },
    50_000,
  );
});

test("megabytes of URNs, or of text that looks like them", () => {
  const length = IS_DEEP ? 10_000_000 : 1_000_000;
  for (const unit of ["urn:", "urn:urn:urn:", "%%%%", "urn:a1:b ", ":"]) {
    const text = unit.repeat(length / unit.length);
    const found = urn.findUrns(text, { syntax: "rfc8141" });
    expect(found.length).toBe(unit.includes("b") ? Math.floor(length / unit.length) : found.length);
  }
});

test("a long URN is not read again with each piece", () => {
  const time = (pieces: number) => {
    const elapsed = stopwatch();
    const finder = urn.urnFinder();
    finder.push("urn:a:");
    for (let i = 0; i < pieces; i++) expect(finder.push("x".repeat(1000))).toEqual([]);
    expect(finder.end()[0]!.end).toBe(6 + pieces * 1000);
    return elapsed();
  };
  time(500);
  const small = Math.min(time(500), time(500), time(500));
  const big = Math.min(time(4000), time(4000), time(4000));
  expect(big / (small + 0.5)).toBeLessThan(32);
});
