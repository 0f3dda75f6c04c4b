import {
  canonicalize,
  explainCanonicalization,
  MAX_URL_LENGTH,
  parseUrl,
  tryParseUrl,
} from "@x/canon";
import { canonicalizeHierarchical, formatUri, parseUri } from "@x/canon/hierarchical";
import { readUrl } from "@x/canon/readings";
import { verifyCanonical } from "@x/canon/verify";
import { firstOf } from "@x/test-support/sample-size";
import { expect, test } from "vitest";

/** A text of `length` characters. */
const ofLength = (length: number, start: string, unit: string) =>
  start + unit.repeat(length - start.length);

const longest = ofLength(MAX_URL_LENGTH, "http://a/", "b");
const tooLong = `${longest}b`;
const octets = new TextEncoder().encode(tooLong);
const refusal = (input: string | Uint8Array) =>
  expect.objectContaining({ name: "CanonError", code: "too-long", input, index: null });

test("accepts a URL of the maximum length, and refuses one more character", () => {
  expect(canonicalize(longest)).toBe(longest);
  expect(canonicalize(octets.subarray(0, -1))).toBe(longest);
  for (const input of [tooLong, octets]) {
    for (const run of [canonicalize, parseUrl, explainCanonicalization]) {
      expect(() => run(input)).toThrow(refusal(input));
    }
    expect(tryParseUrl(input)).toBeNull();
  }
});

test("reads the longest host without a scheme", { tags: "deep" }, () => {
  const host = `${"a.".repeat(MAX_URL_LENGTH / 2 - 2)}com`;
  const { specification, browser, problem } = readUrl(host);
  expect(specification?.host === host && browser === specification).toBe(true);
  expect(problem?.code).toBe("host-invalid");
});

test("the message about an input that is too long shows its start", () => {
  expect(() => canonicalize(octets)).toThrow(
    `"http://a/${"b".repeat(51)}…": expected at most 16777216 UTF-16 code units or bytes (@x/canon, MAX_URL_LENGTH).`,
  );
});

test("the limit applies to the input, before anything is removed", () => {
  const spaces = ofLength(MAX_URL_LENGTH + 1, "http://a/", " ");
  expect(() => canonicalize(spaces)).toThrow(refusal(spaces));
});

test("verifyCanonical proves nothing about input that parseUrl refuses", () => {
  const spans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 } as const;
  expect(verifyCanonical(octets, 0, octets.length - 1, { ...spans })).toBe(true);
  expect(verifyCanonical(octets, 0, octets.length, { ...spans })).toBe(false);
});

test("the limit applies to a URI and to a base", () => {
  const options = { variant: "N" } as const;
  expect(canonicalizeHierarchical(longest, options)).toBe(longest);
  expect(() => canonicalizeHierarchical(tooLong, options)).toThrow(refusal(tooLong));
  expect(() => canonicalizeHierarchical("c", { ...options, base: tooLong })).toThrow(
    refusal(tooLong),
  );
  expect(() => parseUri(tooLong)).toThrow(refusal(tooLong));
  expect(formatUri(parseUri("c", longest))).toBe("http://a/c");
  expect(() => parseUri("c", tooLong)).toThrow(refusal(tooLong));
});

test("the limit also applies to both together, and to a URI in parts", { tags: "deep" }, () => {
  const folder = ofLength(MAX_URL_LENGTH, "http://a/", "/");
  expect(() => parseUri("c", folder)).toThrow(refusal(`${folder}c`));
  const uri = { ...parseUri(folder), query: "" };
  expect(() => canonicalizeHierarchical(uri, { variant: "N" })).toThrow(refusal(`${folder}?`));
});

const LONGEST_URLS = [
  ["bytes that are escaped", "http://a/", "\0"],
  ["slashes after a dot segment", "http://a/./", "/"],
] as const;

test.each(firstOf(1, LONGEST_URLS))(
  "accepts input of the maximum length: %s",
  { tags: "deep" },
  (_name, start, unit) => {
    expect(tryParseUrl(ofLength(MAX_URL_LENGTH, start, unit))?.host).toBe("a");
  },
);

const LONGEST_URIS = [
  ["segments", "http://a", "/", ""],
  ["groups in brackets", "http://[", "a:", "]/"],
] as const;

test.each(firstOf(1, LONGEST_URIS))(
  "Appendix A takes input of the maximum length: %s",
  { tags: "deep" },
  (_name, start, unit, end) => {
    const room = MAX_URL_LENGTH - start.length - end.length;
    const uri = start + unit.repeat(room / unit.length) + end;
    expect(canonicalizeHierarchical(uri, { variant: "N" })).toBe(uri);
  },
);
