import { type FindUrnsOptions, findUrns, formatUrn } from "@x/urn";
import { expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

test.each(titled(loadVectors<string, string[]>("find")))(
  "%s",
  (_, { input, options, expected }) => {
    const found = findUrns(input, options);
    expect(found.map(({ start, end }) => input.slice(start, end))).toEqual(expected);
    const { syntax } = (options ?? {}) as FindUrnsOptions;
    const written = expected!.map((text) => `urn${text.slice(3)}`);
    expect(found.map(({ urn }) => formatUrn(urn, { syntax }))).toEqual(written);
  },
);

test.each([null, undefined, 1, ["urn:a:b"]])("%j is not a string", (value) => {
  expect(() => findUrns(value as unknown as string)).toThrow(TypeError);
});
