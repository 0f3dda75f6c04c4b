import {
  formatUrn,
  normalizeUrn,
  parseUrn,
  type Urn,
  UrnError,
  usesReservedCharacters,
} from "@x/urn";
import { describe, expect, test } from "vitest";
import { errorOf, loadVectors, titled } from "./load-vectors.ts";

const plain: Urn = { nid: "a1", nss: "b", rComponent: null, qComponent: null, fComponent: null };

describe("formatUrn", () => {
  test.each<[Partial<Urn>, string]>([
    [{}, "urn:a1:b"],
    [{ nid: "a", nss: "b?c#d" }, "urn:a:b?c#d"],
    [{ nss: "b~c" }, "urn:a1:b~c"],
    [{ nss: "%00" }, "urn:a1:%00"],
    [{ nid: "urn" }, "urn:urn:b"],
    [{ rComponent: "r", qComponent: "q", fComponent: "f" }, "urn:a1:b?+r?=q#f"],
    [{ fComponent: "" }, "urn:a1:b#"],
  ])("writes %j", (parts, text) => {
    expect(formatUrn({ ...plain, ...parts })).toBe(text);
  });

  test.each<[Partial<Urn>, string]>([
    [{ nid: "" }, "nid-empty"],
    [{ nid: "-a" }, "nid-first-character"],
    [{ nid: "a b" }, "nid-character"],
    [{ nid: "a:b" }, "record-ambiguous"],
    [{ nss: "" }, "nss-empty"],
    [{ nss: "a b" }, "nss-character"],
    [{ nss: "%zz" }, "escape-malformed"],
    [{ nss: "a~b?c" }, "nss-character"],
    [{ nss: "a#b", fComponent: "c" }, "f-component-character"],
    [{ nss: "a?=b", fComponent: "c" }, "record-ambiguous"],
    [{ rComponent: "" }, "r-component-empty"],
    [{ qComponent: "" }, "q-component-empty"],
    [{ rComponent: "r?=q" }, "record-ambiguous"],
    [{ rComponent: "r?", qComponent: "q" }, "none"],
    [{ fComponent: "#" }, "f-component-character"],
    [{ nid: "a", fComponent: "f" }, "nid-too-short"],
    [{ nss: "b~c?=d" }, "record-ambiguous"],
  ])("refuses to write %j", (parts, code) => {
    const write = () => formatUrn({ ...plain, ...parts });
    if (code === "none") {
      expect(parseUrn(write(), { syntax: "rfc8141" })).toEqual({ ...plain, ...parts });
      return;
    }
    const thrown = errorOf(write);
    expect(thrown).toBeInstanceOf(UrnError);
    expect(thrown).toMatchObject({ code });
  });

  test("an error under both syntaxes does not say that one of them allows the text", () => {
    for (const nss of ["b~c?=d", "a~b?c", "a b"]) {
      const thrown = errorOf(() => formatUrn({ ...plain, nss }));
      expect(thrown).toMatchObject({ name: "UrnError", allowedBy: null });
    }
    const thrown = errorOf(() => formatUrn({ ...plain, nss: "~" }, { syntax: "rfc2141" }));
    expect(thrown).toMatchObject({ allowedBy: "rfc8141" });
  });

  test("checks a record against the syntax asked for", () => {
    expect(errorOf(() => formatUrn({ ...plain, nss: "~" }, { syntax: "rfc2141" }))).toMatchObject({
      code: "nss-character",
      section: "RFC 2141 §2.4",
    });
    const components = { ...plain, qComponent: "q" };
    expect(errorOf(() => formatUrn(components, { syntax: "rfc2141" }))).toMatchObject({
      code: "record-ambiguous",
    });
    expect(formatUrn(plain, { syntax: "rfc8141" })).toBe("urn:a1:b");
  });

  test.each([
    null,
    undefined,
    "urn:a:b",
    {},
    { ...plain, nid: 1 },
    { ...plain, nss: null },
    { ...plain, fComponent: undefined },
  ])("%j is not a record", (value) => {
    for (const run of [formatUrn, normalizeUrn, usesReservedCharacters]) {
      expect(() => run(value as unknown as Urn)).toThrow(TypeError);
    }
  });
});

test.each(titled(loadVectors<string, string>("normalize")))(
  "normalizeUrn %s",
  (_, { input, options, expected }) => {
    const normal = normalizeUrn(parseUrn(input, options));
    expect(formatUrn(normal)).toBe(expected);
    expect(normalizeUrn(normal)).toEqual(normal);
  },
);

test("normalizeUrn changes nothing else in records that are not URNs", () => {
  const odd = { ...plain, nid: "\u212aB", nss: "%zz%c3%" };
  expect(normalizeUrn(odd)).toEqual({ ...odd, nss: "%zz%C3%" });
  const other = { ...plain, nid: "A\u0080", nss: "%aG%Ga%a" };
  expect(normalizeUrn(other)).toEqual(other);
});

test.each([
  ["urn:a1:b", "rfc2141", false],
  ["urn:a1:b%2F%3F%23", "rfc2141", false],
  ["urn:a1:b/", "rfc2141", true],
  ["urn:a1:?", "rfc2141", true],
  ["urn:a1:#", "rfc2141", true],
  ["urn:a1:a/b", "rfc8141", true],
  ["urn:a1:b?+r", "rfc8141", true],
  ["urn:a1:b?=q", "rfc8141", true],
  ["urn:a1:b#", "rfc8141", true],
] as const)("usesReservedCharacters %s (%s)", (text, syntax, expected) => {
  expect(usesReservedCharacters(parseUrn(text, { syntax }))).toBe(expected);
});
