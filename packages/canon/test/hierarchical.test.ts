import {
  canonicalizeHierarchical,
  formatUri,
  type HierarchicalOptions,
  isHierarchical,
  parseUri,
  readUri,
} from "@x/canon/hierarchical";
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
  const parts = parseUri("http://h");

  test.each(vectors.cases as readonly Case[])("$section: $input", ({ input, expected, error }) => {
    const { uri, ...options } = typeof input === "string" ? { uri: input } : input;
    for (const variant of ["N", "P"] as const) {
      const run = () => canonicalizeHierarchical(uri, { ...options, variant });
      const runParsed = () =>
        canonicalizeHierarchical(parseUri(uri, options.base), { ...options, variant });
      if (expected === undefined) {
        expect(runParsed).toThrow(expect.objectContaining({ name: "CanonError", code: error }));
        expect(run).toThrow(expect.objectContaining({ name: "CanonError", code: error }));
      } else {
        expect(run()).toBe(expected[variant]);
        expect(runParsed()).toBe(expected[variant]);
      }
    }
  });

  test("a lone surrogate is an error", () => {
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
    [
      "uri must be a string or a record that parseUri returned, not undefined",
      undefined,
      { variant: "N" },
    ],
    ["uri must be a string or a record that parseUri returned, not null", null, { variant: "N" }],
    ["uri.scheme must be a string, not null", { ...parts, scheme: null }, { variant: "N" }],
    ["uri.path must be a string, not an array", { ...parts, path: [] }, { variant: "N" }],
    [
      "uri.query must be a string or null, not undefined",
      { ...parts, query: undefined },
      { variant: "N" },
    ],
    ['variant must be "N" or "P", not "n"', "http://h", { variant: "n" }],
    ['variant must be "N" or "P", not undefined', "http://h", {}],
    ["base must be a string, not a number", "g", { variant: "N", base: 1 }],
    ['keepQuery must be a boolean, not "no"', "http://h", { variant: "N", keepQuery: "no" }],
    ["keepFragment must be a boolean, not null", "http://h", { variant: "N", keepFragment: null }],
    ['options must be an object, not "N"', "http://h", "N"],
  ])("an argument of the wrong type throws a TypeError: %s", (message, uri, options) => {
    const run = () => canonicalizeHierarchical(uri as string, options as HierarchicalOptions);
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });
});

test.each([
  ["uri must be a string, not a number", () => parseUri(1 as never)],
  ["uri must be a string, not undefined", () => parseUri(undefined as never, "http://a/")],
  ["base must be a string, not null", () => parseUri("g", null as never)],
  ["base must be a string, not an array", () => parseUri("g", [] as never)],
])("an argument of the wrong type throws a TypeError: %s", (message, run) => {
  expect(run).toThrow(new TypeError(message));
});

test.each(resolveVectors.cases)("parseUri, $section: $input", ({ input, expected }) => {
  expect(formatUri(parseUri(input.uri, input.base))).toBe(expected);
});

test("readUri returns what parseUri returns, or the problem that it throws", () => {
  const texts = [
    "",
    "g",
    "?y",
    "http://h/a?b#c",
    "a:b",
    "1:2",
    "http://h/ ",
    "\ud800",
    "a".repeat(9),
  ];
  const problems = new Set<string>();
  for (const uri of texts) {
    for (const base of [undefined, ...texts]) {
      const { uri: read, problem } = readUri(uri, base);
      if (problem === null) {
        expect(read).toEqual(parseUri(uri, base));
      } else {
        expect(read).toBeNull();
        expect(() => parseUri(uri, base)).toThrow(expect.objectContaining({ ...problem }));
        problems.add(problem.code);
      }
    }
  }
  expect([...problems].sort()).toEqual([
    "base-missing",
    "base-opaque",
    "base-relative",
    "character-excluded",
    "lone-surrogate",
    "scheme-invalid",
  ]);
  expect(() => readUri(1 as never)).toThrow(TypeError);
});

test("a property `code` that others added to every object has no effect on URIs", () => {
  Object.defineProperty(Object.prototype, "code", { value: "too-long", configurable: true });
  let results: unknown[];
  try {
    results = [readUri("http://h/").problem, parseUri("g", "http://h/a").path];
  } finally {
    Reflect.deleteProperty(Object.prototype, "code");
  }
  expect(results).toEqual([null, "/g"]);
});

describe("parseUri", () => {
  test.each([
    ["HTTP://u@h:1/a?b#c", ["http", "u@h:1", "/a", "b", "c"], true],
    ["x://?#", ["x", "", "", "", ""], true],
    ["file:/a", ["file", null, "/a", null, null], true],
    ["http:?Q", ["http", null, "", "Q", null], true],
    ["Mailto:a@b?c", ["mailto", null, "a@b", "c", null], false],
    ["urn:a:b/c", ["urn", null, "a:b/c", null, null], false],
  ])("%s", (text, [scheme, authority, path, query, fragment], expected) => {
    const uri = parseUri(text as string);
    expect(uri).toEqual({ scheme, authority, path, query, fragment });
    expect(isHierarchical(uri)).toBe(expected);
    expect(formatUri(uri)).toBe(text.replace(/^\w+/, (scheme) => scheme.toLowerCase()));
  });

  test("writes an empty authority before a path that would be read as one", () => {
    const uri = parseUri(".//b", "x:/a");
    expect(uri).toMatchObject({ authority: null, path: "//b" });
    expect(formatUri(uri)).toBe("x:////b");
  });
});
