import {
  canonicalKey,
  type EquivalenceBasis,
  equivalentUrns,
  formatUrn,
  parseUrn,
  type Urn,
  UrnError,
} from "@x/urn";
import { ignoreCase, namespaceRules } from "@x/urn/namespaces";
import { describe, expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

type Pair = readonly [string, string];

test.each(titled(loadVectors<Pair, boolean>("equivalence")))(
  "%s",
  (_, { input: [a, b], syntax, expected }) => {
    const options = { syntax };
    expect(equivalentUrns(a, b, options)).toBe(expected);
    expect(equivalentUrns(b, a, options)).toBe(expected);
    const [urnA, urnB] = [parseUrn(a, options), parseUrn(b, options)];
    expect(equivalentUrns(urnA, urnB)).toBe(expected);
    expect(equivalentUrns(urnA, b, options)).toBe(expected);
    expect(equivalentUrns(a, urnB, options)).toBe(expected);
  },
);

describe("namespaces", () => {
  test.each(titled(loadVectors<Pair, boolean>("namespaces")))(
    "%s",
    (_, { input: [a, b], expected }) => {
      expect(equivalentUrns(a, b, { namespaces: namespaceRules })).toBe(expected);
      expect(equivalentUrns(b, a, { namespaces: namespaceRules })).toBe(expected);
    },
  );

  test("every rule of the table has vectors with both results", () => {
    const cases = loadVectors<Pair, boolean>("namespaces");
    for (const nid of Object.keys(namespaceRules)) {
      const own = cases.filter(({ input: [a] }) => a.toLowerCase().startsWith(`urn:${nid}:`));
      expect(new Set(own.map(({ expected }) => expected)), nid).toEqual(new Set([true, false]));
    }
  });

  test("a rule is called only when the URNs are not equivalent without it", () => {
    const asked: string[] = [];
    const namespaces = {
      a: (nss: string) => {
        asked.push(nss);
        return nss;
      },
    };
    expect(equivalentUrns("urn:a:x", "urn:A:x", { namespaces })).toBe(true);
    expect(equivalentUrns("urn:a:x", "urn:b:x", { namespaces })).toBe(false);
    expect(asked).toEqual([]);
    expect(equivalentUrns("urn:a:%c3", "URN:A:y", { namespaces })).toBe(false);
    expect(asked).toEqual(["%C3", "y"]);
  });

  test("a caller can add a namespace", () => {
    const namespaces = { ...namespaceRules, acme: ignoreCase };
    expect(equivalentUrns("urn:ACME:A", "urn:acme:a", { namespaces })).toBe(true);
    expect(equivalentUrns("urn:acme:A", "urn:acme:a", { namespaces: namespaceRules })).toBe(false);
  });

  test("a rule must return a string", () => {
    const namespaces = { a: () => undefined as unknown as string };
    expect(() => equivalentUrns("urn:a:x", "urn:a:y", { namespaces })).toThrow(TypeError);
  });
});

describe("by", () => {
  type Expected = Readonly<Record<EquivalenceBasis, boolean>>;

  test.each(titled(loadVectors<Pair, Expected>("equivalence-by")))(
    "%s",
    (_, { input: [a, b], expected }) => {
      for (const [by, isEqual] of Object.entries(expected!) as [EquivalenceBasis, boolean][]) {
        const options = { by, syntax: "rfc8141", namespaces: namespaceRules } as const;
        expect(equivalentUrns(a, b, options), by).toBe(isEqual);
        expect(equivalentUrns(b, a, options), by).toBe(isEqual);
        expect(canonicalKey(a, options) === canonicalKey(b, options), by).toBe(isEqual);
      }
    },
  );

  test("the specification that is compared by is also the syntax", () => {
    const [a, b] = ["urn:example:a#f", "urn:example:a#g"];
    expect(equivalentUrns(a, b, { by: "rfc8141" })).toBe(true);
    expect(equivalentUrns(a, b, { by: "rfc8141", syntax: "rfc2141" })).toBe(false);
    expect(equivalentUrns(a, b, { by: "rfc2141" })).toBe(false);
    expect(() => equivalentUrns("urn:example:~", a, { by: "rfc2141" })).toThrow(UrnError);
    expect(equivalentUrns("urn:example:~", a, { by: "rfc2141", syntax: "rfc8141" })).toBe(false);
  });

  test("without it, namespaces are used if there are any", () => {
    const [a, b] = ["urn:isbn:0-395-36341-1", "urn:isbn:0395363411"];
    const isbn = namespaceRules["isbn"]!;
    expect(equivalentUrns(a, b)).toBe(false);
    expect(equivalentUrns(a, b, { namespaces: { isbn } })).toBe(true);
    expect(equivalentUrns(a, b, { namespaces: { isbn }, by: "rfc2141" })).toBe(false);
  });

  test("records are compared by the text that formatUrn gives them", () => {
    const urn = parseUrn("URN:example:a?=q#f", { syntax: "rfc8141" });
    const text = formatUrn(urn);
    expect(equivalentUrns(urn, text, { by: "exact", syntax: "rfc8141" })).toBe(true);
    expect(equivalentUrns(urn, text, { by: "rfc2141" })).toBe(true);
    expect(canonicalKey(urn, { by: "exact" })).toBe(text);
    expect(canonicalKey(urn, { by: "rfc2141" })).toBe(text);
    expect(canonicalKey(urn)).toBe("urn:example:a");
  });

  test("values that do not exist are refused", () => {
    for (const compare of [
      (options: object) => equivalentUrns("urn:a:b", "urn:a:b", options),
      (options: object) => canonicalKey("urn:a:b", options),
    ]) {
      expect(() => compare({ by: "fhir" })).toThrow(
        new TypeError('by must be "namespace", "rfc8141", "rfc2141" or "exact", not "fhir"'),
      );
      expect(() => compare({ by: "namespace" })).toThrow(
        new TypeError(
          'namespaces must be the rules to compare by, such as those of "@x/urn/namespaces", not null',
        ),
      );
      expect(() => compare({ by: "exact", syntax: "rfc3986" })).toThrow(TypeError);
    }
  });
});

describe("canonicalKey", () => {
  test("refuses records that are not URNs, since they could get the key of another name", () => {
    const record = { ...parseUrn("urn:a:b"), nid: "a:b", nss: "c" };
    expect(() => canonicalKey(record)).toThrow(UrnError);
    expect(() => canonicalKey(record, { by: "exact" })).toThrow(UrnError);
    expect(() => canonicalKey("urn:a")).toThrow(UrnError);
    expect(() => canonicalKey(null as unknown as Urn)).toThrow(TypeError);
  });

  test("a namespace without a rule keeps its NSS, also when the table inherits something of that name", () => {
    const options = { namespaces: namespaceRules };
    expect(canonicalKey("urn:constructor:A%c3", options)).toBe("urn:constructor:A%C3");
  });

  test("a rule must return a string", () => {
    const namespaces = { a: () => undefined as unknown as string };
    expect(() => canonicalKey("urn:a:x", { namespaces })).toThrow(TypeError);
  });
});

test.each([null, undefined, 1, {}, { nid: "a" }])("%j is not a URN", (value) => {
  expect(() => equivalentUrns(value as unknown as Urn, "urn:a:b")).toThrow(TypeError);
  expect(() => equivalentUrns("urn:a:b", value as unknown as Urn)).toThrow(TypeError);
});
