import { canonicalizeHierarchical, type HierarchicalOptions, resolveUri } from "@x/canon";
import { describe, expect, test } from "vitest";
import vectors from "./vectors/hierarchical.json" with { type: "json" };
import resolveVectors from "./vectors/hierarchical-resolve.json" with { type: "json" };

interface Input extends Omit<HierarchicalOptions, "variant"> {
  readonly uri: string;
}

interface Case {
  readonly input: string | Input;
  readonly expected?: { readonly N: string; readonly P: string };
  readonly error?: string;
}

describe("canonicalizeHierarchical", () => {
  test.each(vectors.cases as readonly Case[])("$section: $input", ({ input, expected, error }) => {
    const { uri, ...options } = typeof input === "string" ? { uri: input } : input;
    for (const variant of ["N", "P"] as const) {
      const run = () => canonicalizeHierarchical(uri, { ...options, variant });
      if (expected === undefined) {
        expect(run).toThrow(expect.objectContaining({ name: "CanonError", code: error }));
      } else {
        expect(run()).toBe(expected[variant]);
      }
    }
  });

  test("a lone surrogate has no octets", () => {
    const run = () => canonicalizeHierarchical("http://h/\ud800", { variant: "N" });
    expect(run).toThrow(
      expect.objectContaining({ code: "lone-surrogate", input: "http://h/\ud800", index: 9 }),
    );
    expect(canonicalizeHierarchical("http://h/\u{1f600}", { variant: "P" })).toBe(
      "http://h/\u{1f600}",
    );
  });

  test("an error in the base quotes the base", () => {
    const run = () => canonicalizeHierarchical("g", { variant: "N", base: "http://a/ b" });
    expect(run).toThrow(expect.objectContaining({ input: "http://a/ b", index: 9 }));
  });

  test.each([
    ["uri must be a string, got undefined", undefined, { variant: "N" }],
    ['variant must be "N" or "P", got n', "http://h", { variant: "n" }],
    ['variant must be "N" or "P", got undefined', "http://h", {}],
    ["base must be a string, got number", "g", { variant: "N", base: 1 }],
  ])("wrong types are a TypeError: %s", (message, uri, options) => {
    const run = () => canonicalizeHierarchical(uri as string, options as HierarchicalOptions);
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });
});

test.each(resolveVectors.cases)("resolveUri, $section: $input", ({ input, expected }) => {
  expect(resolveUri(input.uri, input.base)).toBe(expected);
});
