import { createRequire } from "node:module";
import {
  displayUrn,
  encodeNss,
  formatUrn,
  normalizeUrn,
  parseUrn,
  type Urn,
  UrnError,
} from "@x/urn";
import { expect, test } from "vitest";
import { loadVectors, titled } from "./load-vectors.ts";

test.each(titled(loadVectors<string, string>("display")))("%s", (_, { input, expected, why }) => {
  const { canonical, readable } = displayUrn(input);
  expect(readable, why).toBe(expected);
  expect(canonical).toBe(formatUrn(normalizeUrn(parseUrn(input))));
});

test("a word with more than 30 marks in a row stays escaped", () => {
  const ka = "%E0%BD%80";
  const marks = (count: number) => "%E0%BD%B1".repeat(count);
  const isDecoded = (nss: string) => displayUrn(`urn:a1:${nss}`).readable !== `urn:a1:${nss}`;
  expect(isDecoded(ka + marks(30))).toBe(true);
  expect(isDecoded(ka + marks(31))).toBe(false);
  expect(isDecoded(ka + marks(30) + ka + marks(30))).toBe(true);
  expect(isDecoded(ka + marks(31) + ka)).toBe(false);
  expect(isDecoded(`${ka + marks(31)},${ka}`)).toBe(true);
});

test("a character beyond Latin that UTS #39 calls confusable with ASCII stays escaped when it is alone or among digits", () => {
  const require = createRequire(import.meta.url);
  const confusables: Readonly<Record<string, string>> = require("unhomoglyph/data.json");
  let count = 0;
  for (const [character, like] of Object.entries(confusables)) {
    // Among Latin letters, only those with a base letter of their own are shown, such as `æ` and `ð`.
    if (!/^[\x21-\x7e]+$/.test(like) || /[\0-\x7f]|\p{Script=Latin}/u.test(character)) continue;
    count++;
    for (const nss of [encodeNss(character), `1${encodeNss(character)}2`]) {
      expect(displayUrn(`urn:example:${nss}`).readable, like).toBe(`urn:example:${nss}`);
    }
  }
  expect(count).toBeGreaterThan(1500);
});

test("components are decoded as well", () => {
  const urn = "urn:example:%C3%A9?+%C3%A9?=%C3%A9%20#%E6%97%A5";
  const { canonical, readable } = displayUrn(urn, { syntax: "rfc8141" });
  expect(canonical).toBe(urn);
  expect(readable).toBe("urn:example:é?+é?=é%20#日");
  expect(displayUrn(parseUrn(urn, { syntax: "rfc8141" })).readable).toBe(readable);
});

test("input that is not a URN is an error", () => {
  expect(() => displayUrn("urn:a:é")).toThrow(UrnError);
  expect(() => displayUrn({ ...parseUrn("urn:a:b"), nss: "é" })).toThrow(UrnError);
  for (const value of [null, undefined, 1, {}]) {
    expect(() => displayUrn(value as unknown as Urn)).toThrow(TypeError);
  }
});
