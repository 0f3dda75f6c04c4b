import { printable, printableInShort, printableJson } from "@x/explain/printable";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  ["plain ~ text \\", "plain ~ text \\"],
  ["\0\t\n\r\x1b\x7f", "\\u{0}\\u{9}\\u{a}\\u{d}\\u{1b}\\u{7f}"],
  ["\x80\x9b", "\\u{80}\\u{9b}"],
  ["a\u202eb\u2066c\u200d\ufeff\u00ad", "a\\u{202e}b\\u{2066}c\\u{200d}\\u{feff}\\u{ad}"],
  ["\u00a0\u3000\u2028\u2029", "\\u{a0}\\u{3000}\\u{2028}\\u{2029}"],
  ["\u3164\u115f\ufe0f\u{e0041}", "\\u{3164}\\u{115f}\\u{fe0f}\\u{e0041}"],
  ["\ud800x", "\\u{d800}x"],
  ["\ue000", "\\u{e000}"],
  ["a\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\\u{301}"],
  ["żółć 日本語 हिन्दी 😀", "żółć 日本語 हिन्दी 😀"],
])("%j is shown as %j", (text, expected) => {
  expect(printable(text)).toBe(expected);
});

test.each([
  [[0x61, 0xc5, 0xbc], "aż"],
  [[0x61, 0xc5], "a\\xc5"],
  [[0x80, 0x9f, 0xff, 0x1b], "\\x80\\x9f\\xff\\u{1b}"],
  [[0xed, 0xa0, 0x80], "\\xed\\xa0\\x80"],
])("the bytes %j are shown as %j", (bytes, expected) => {
  expect(printable(Uint8Array.from(bytes))).toBe(expected);
});

const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u;

test("whatever the text or bytes, nothing unsafe is left", () => {
  let escaped = 0;
  const text = fc.string({ unit: anyCharacter, maxLength: 30 });
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 30 })), (given) => {
      const shown = printable(given);
      expect(shown).not.toMatch(UNSAFE);
      expect(printable(shown)).toBe(shown);
      if (shown.includes("\\")) escaped++;
    }),
    { seed: 6, numRuns: sampleSize(3000) },
  );
  expect(escaped).toBeGreaterThan(fewest(500));
});

test("JSON keeps the value, and holds nothing unsafe", () => {
  const value = fc.string({ unit: anyCharacter, maxLength: 30 });
  fc.assert(
    fc.property(value, (text) => {
      const json = printableJson({ text });
      expect(json).not.toMatch(UNSAFE);
      expect(JSON.parse(json)).toEqual({ text });
    }),
    { seed: 7, numRuns: sampleSize(3000) },
  );
});

test("JSON spells out what a line of a terminal spells out", () => {
  expect(printableJson("a\u0301\u0301\u0301\u0301\u202e")).toBe(
    '"a\u0301\u0301\u0301\\u0301\\u202e"',
  );
});

test("of a long text the ends are shown, and how much is left out", () => {
  expect(printableInShort("x".repeat(1000))).toBe("x".repeat(1000));
  const short = printableInShort(`a${"x".repeat(1_000_000)}b`);
  expect(short).toBe(`a${"x".repeat(499)} … 999002 more … ${"x".repeat(499)}b`);
});
