import { type FindUrnsOptions, findUrns, formatUrn } from "@x/urn";
import { expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

const vectors = [
  ...loadVectors<string, string[]>("find"),
  ...loadVectors<string, string[]>("find-delimiters"),
];

test.each(titled(vectors))("%s", (_, { input, options, expected }) => {
  const found = findUrns(input, options);
  expect(found.map(({ start, end }) => input.slice(start, end))).toEqual(expected);
  const { syntax } = (options ?? {}) as FindUrnsOptions;
  const written = expected!.map((text) => `urn${text.slice(3)}`);
  expect(found.map(({ urn }) => formatUrn(urn, { syntax }))).toEqual(written);
});

test.each(titled(loadVectors<string, boolean[]>("find-cut")))(
  "%s: whether it is cut",
  (_, { input, options, expected }) => {
    expect(findUrns(input, options).map(({ isCut }) => isCut)).toEqual(expected);
  },
);

test.each([null, undefined, 1, ["urn:a:b"]])("%j is not a string", (value) => {
  expect(() => findUrns(value as unknown as string)).toThrow(TypeError);
});
