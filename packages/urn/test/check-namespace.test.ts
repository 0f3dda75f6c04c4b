import { parseUrn, tryParseUrn, type Urn, UrnError } from "@x/urn";
import { checkNamespace, namespaceChecks } from "@x/urn/namespaces";
import { describe, expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

const vectors = loadVectors<string, string[]>("check-namespace");

test.each(titled(vectors))("%s", (_, { input, syntax, expected, section }) => {
  const problems = checkNamespace(input, { syntax });
  expect(problems.map((problem) => problem.code)).toEqual(expected);
  for (const problem of problems) {
    expect(problem.section).toBe(section);
  }
  expect(checkNamespace(parseUrn(input, { syntax }))).toEqual(problems);
});

test("every check has vectors that pass and vectors that fail", () => {
  for (const nid of Object.keys(namespaceChecks)) {
    const own = vectors.filter(({ input }) => input.startsWith(`urn:${nid}:`));
    const passed = new Set(own.map(({ expected }) => expected!.length === 0));
    expect(passed, nid).toEqual(new Set([true, false]));
  }
});

test("every problem says what was expected", () => {
  const problems = vectors.flatMap(({ input, syntax }) => checkNamespace(input, { syntax }));
  const messages = Object.fromEntries(problems.map(({ code, message }) => [code, message]));
  expect(messages).toEqual({
    "3gpp-form": "Expected a name in the characters of RFC 2141.",
    "adid-form":
      "Expected an Ad-ID: 11 letters and digits, the first not 0, and then optionally H or D.",
    "eidr-form":
      "Expected an EIDR: a prefix, a colon and a suffix of letters, digits, hyphens, dots and underscores.",
    "eidr-suffix-form":
      "Expected five groups of 4 hexadecimal digits and a final letter or digit, with hyphens between them, after 10.5240.",
    "eidr-check-character": "Expected the last character of the EIDR to match the others.",
    "gsma-imei-form":
      "Expected groups of 8, 6 and 1 digits with hyphens between them after imei:, then optionally ;svn= with 2 digits and ;vers= with 1 digit.",
    "ietf-form":
      "Expected a number after rfc:, fyi:, std: and bcp:, letters, digits and hyphens after id: and mtg:, and names with colons between them after params:.",
    "isbn-form":
      "Expected an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts.",
    "isbn-check-digit": "Expected the last digit of the ISBN to match the others.",
    "issn-form":
      "Expected an ISSN: 8 digits, where the last may be X, with or without a hyphen after the fourth.",
    "issn-check-digit": "Expected the last digit of the ISSN to match the others.",
    "lex-form":
      "Expected a jurisdiction, an authority, a measure and details with colons between them, then optionally annexes, @ and an expression, and $ and a manifestation.",
    "mpeg-form":
      "Expected the name of an MPEG standard, a colon and a name, in the characters of RFC 2141.",
    "nbn-de-check-digit":
      "Expected a check digit that matches the other characters at the end of a name of urn:nbn:de.",
    "nbn-form":
      "Expected a two-letter country code, optional subdivisions of letters and digits after colons, then a hyphen and a name.",
    "nbn-hr-delimiter":
      "Expected a hyphen, not a colon, before the name; published names of urn:nbn:hr have a colon, against RFC 8458.",
    "oasis-form":
      "Expected names: with specification, tc or technical and three or more fields, or member: with the member's identifier and a name.",
    "oid-form": "Expected an OID: numbers without leading zeros, with dots between them.",
    "oid-arc":
      "Expected the first number of the OID to be 0, 1 or 2, and the second to be below 40 when the first is 0 or 1.",
    "service-form":
      "Expected labels of letters, digits and inner hyphens, with dots between them, and a first label of at most 27 characters.",
    "smpte-form": "Expected only letters, digits, hyphens and colons, except after ul: and umid:.",
    "smpte-ul-form": "Expected groups of 8 hexadecimal digits with dots between them after ul:.",
    "smpte-umid-form":
      "Expected 8 or 16 groups of 8 hexadecimal digits with dots between them after umid:.",
    "ucode-form": 'Expected "_" and then a multiple of 32 upper-case hexadecimal digits.',
    "uuid-form":
      "Expected a UUID: hexadecimal digits in groups of 8, 4, 4, 4 and 12, with hyphens between them.",
  });
});

describe("components that RFC 2141 counts as a part of the name", () => {
  const UUID = "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
  const HINT = ' RFC 8141 allows it: use { syntax: "rfc8141" }.';

  test.each(["#x", "#", "?=x", "?+x", "?+r?=q#f", "?=a?b/c"])(
    "a UUID with %s can be read with RFC 8141",
    (components) => {
      const [problem] = checkNamespace(UUID + components);
      expect(problem).toMatchObject({ code: "uuid-form", allowedBy: "rfc8141" });
      const [plain] = checkNamespace("urn:uuid:x");
      expect(problem!.message).toBe(plain!.message + HINT);
      expect(checkNamespace(UUID + components, { syntax: "rfc8141" })).toEqual([]);
    },
  );

  test.each([
    [`${UUID}?x`, "RFC 8141 refuses it, too"],
    [`${UUID}#a#b`, "RFC 8141 refuses it, too"],
    [`${UUID}/x`, "a part of the name for RFC 8141, too"],
    ["urn:uuid:x#y", "the rest is not a UUID"],
    ["urn:isbn:0-395-36341-2#p1", "the rest has a wrong check digit"],
    ["urn:nbn:fi:a_b-x?=q", "the rest does not have the form"],
  ])("no hint for %s: %s", (text) => {
    const problems = checkNamespace(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toHaveProperty("allowedBy");
    expect(problems[0]!.message).not.toContain("8141 allows");
  });

  const valid = vectors.filter(
    ({ syntax, expected }) => syntax !== "rfc8141" && expected!.length === 0,
  );
  test.each(valid.map(({ input }) => input))(
    "%s#f: refused with the hint, or not at all",
    (name) => {
      const isPlain = parseUrn(name).nss === tryParseUrn(name, { syntax: "rfc8141" })?.nss;
      for (const { allowedBy } of checkNamespace(`${name}#f`)) {
        expect(allowedBy).toBe(isPlain ? "rfc8141" : undefined);
      }
    },
  );
});

test("the NID's case does not matter", () => {
  expect(checkNamespace("URN:ISBN:1")).toHaveLength(1);
});

test("long names are checked", { tags: "deep" }, () => {
  const long = "1".repeat(1_000_000);
  const fields = ":a".repeat(500_000);
  const own: Record<string, string> = {
    eidr: `10.5240:${long}`,
    gsma: `imei:${long}`,
    ietf: `params${fields}`,
    nbn: `de-${long}`,
    oasis: `names:tc${fields}`,
    smpte: `ul:${long}`,
  };
  for (const nid of Object.keys(namespaceChecks)) {
    for (const nss of [long, "-".repeat(1_000_000), own[nid] ?? fields]) {
      expect(Array.isArray(checkNamespace(`urn:${nid}:${nss}`))).toBe(true);
    }
  }
});

test("input that is not a URN is an error", () => {
  expect(() => checkNamespace("isbn:1")).toThrow(UrnError);
  for (const value of [null, undefined, 1, {}]) {
    expect(() => checkNamespace(value as unknown as Urn)).toThrow(TypeError);
  }
});
