import { equivalentUrns, parseUrn, type Urn } from "@x/urn";
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

test.each([null, undefined, 1, {}, { nid: "a" }])("%j is not a URN", (value) => {
  expect(() => equivalentUrns(value as unknown as Urn, "urn:a:b")).toThrow(TypeError);
  expect(() => equivalentUrns("urn:a:b", value as unknown as Urn)).toThrow(TypeError);
});
