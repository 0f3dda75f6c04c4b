import { readFileSync } from "node:fs";
import {
  hasDefangedHost,
  hasWordForDot,
  isDefanged,
  refang,
  refangPartly,
} from "@x/canon/defanged";
import { topLevelDomains } from "@x/canon/top-level-domains";
import { expectLinearGrowth } from "@x/test-support/linear-time";
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

test.each([
  "http:\u2215\u2215evil.example/",
  "http\u02d0//evil.example",
  "https\u00b7//evil.example",
  "http:!!evil.example",
])("%s is defanged, but not turned back", (text) => {
  expect([isDefanged(text), refang(text)]).toEqual([true, text]);
});

test.each([
  "http:evil.example",
  "http:[::1]/",
  "http:/evil.example",
  "http:\\\\evil.example",
  "http\u00e9.example//a",
])("%s is not defanged", (text) => {
  expect([isDefanged(text), refang(text)]).toEqual([false, text]);
});

test("a word or a sign for a dot", () => {
  expect(hasWordForDot("http://www.evil\u00b7example/")).toBe(true);
  expect(hasWordForDot("http://paral\u00b7lel.example/")).toBe(false);
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
  "a\u00b7a",
  "\u00b7",
  ":!",
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
