import { readFileSync } from "node:fs";
import {
  hasDefangedHost,
  hasWordForDot,
  isDefanged,
  refang,
  refangPartly,
} from "@x/canon/defanged";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { expectLinearGrowth } from "@x/test-support/growth";
import { expect, test } from "vitest";

interface Vector {
  readonly input: string;
  readonly expected: string;
}

const { cases } = JSON.parse(
  readFileSync(new URL("vectors/refang.json", import.meta.url), "utf8"),
) as { readonly cases: readonly Vector[] };

test.each(cases)("refang: $input", ({ input, expected }) => {
  expect(refang(input)).toBe(expected);
  expect(refang(expected)).toBe(expected);
  if (input !== expected) {
    expect([isDefanged(input), hasDefangedHost(input)]).toEqual([true, true]);
    expect(refangPartly(input)).toBe(expected);
  }
});

test("a word for a dot", () => {
  expect(hasWordForDot("evil-dot-example")).toBe(true);
  expect(hasWordForDot("evil.example")).toBe(false);
});

test.each([
  "[",
  " [",
  "[.",
  "dot ",
  " dot",
  "a dot ",
  "hxxp",
  "[:]",
  "[/",
  " .",
  "\\.",
  "\\",
  "\\u002e",
  "\\\\/",
  "[.a]",
  "__",
  "\uff3b",
])("refang takes linear time: %j repeated", (piece) => {
  expectLinearGrowth(refang, (length) => `hxxp://${piece.repeat(length)}`, 2000);
});

test("top-level domains", () => {
  const isKnown = topLevelDomains((host) => ["com", "co.uk"].includes(host));
  expect(["evil.com", "a.co.uk", "printer.local", "notes.txt", "a.com"].map(isKnown)).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(["evil.anything", "10.0.0.1"].map(topLevelDomains(undefined))).toEqual([true, false]);
});
