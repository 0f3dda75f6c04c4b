import { printable } from "@x/explain/printable";
import { anyCharacter } from "@x/test-support/generated-text";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hiddenCharacters, shorten, visiblePieces } from "../../../src/web/model/visible.ts";

const SEED = 20_260_104;

const shown = (text: string): string =>
  visiblePieces(text)
    .map((piece) => piece.text)
    .join("");

test.each([
  ["plain <b>text</b> & more", "plain <b>text</b> & more"],
  ["tab\tand\nline", "tab\\u{9}and\\u{a}line"],
  ["\u202eover\u2066ride", "\\u{202e}over\\u{2066}ride"],
  ["zero\u200bwidth\ufeff\u00ad", "zero\\u{200b}width\\u{feff}\\u{ad}"],
  ["no\u00a0break\u3000wide", "no\\u{a0}break\\u{3000}wide"],
  ["\u{e0041}tag \ud800 half", "\\u{e0041}tag \\u{d800} half"],
  ["a\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\\u{301}\\u{301}"],
  ["Zürich שלום 😀", "Zürich שלום 😀"],
])("%j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("line endings are kept where they are visible", () => {
  expect(visiblePieces("a\n\u202e\nb\r", true)).toEqual([
    { text: "a\n", isEscape: false },
    { text: "\\u{202e}", isEscape: true },
    { text: "\nb", isEscape: false },
    { text: "\\u{d}", isEscape: true },
  ]);
});

test("hidden characters are counted, and each is named once", () => {
  expect(hiddenCharacters("plain")).toEqual({ count: 0, named: "" });
  expect(hiddenCharacters("a\u202eb\u202ec\u0000")).toEqual({ count: 3, named: "U+202E, U+0000" });
  const many = "\u0000\u0001\u0002\u0003\u0004\u0005\u0006";
  expect(hiddenCharacters(many).named).toBe("U+0000, U+0001, U+0002, U+0003, U+0004, U+0005, …");
});

test("nothing is lost, and the same characters are spelled out as in a terminal", () => {
  let escapes = 0;
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const pieces = visiblePieces(text);
      const back = pieces.map((piece) => {
        if (!piece.isEscape) return piece.text;
        escapes++;
        return String.fromCodePoint(Number.parseInt(piece.text.slice(3, -1), 16));
      });
      expect(back.join("")).toBe(text);
      expect(shown(text)).toBe(printable(text));
    }),
    { seed: SEED, numRuns: sampleSize(2000) },
  );
  expect(escapes).toBeGreaterThan(fewest(1000));
});

test("a shortened text says how much is missing, and splits no surrogate pair", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.integer({ min: 0, max: 50 }),
      (text, limit) => {
        const { start, omitted, end } = shorten(text, limit);
        expect(start.length + omitted + end.length).toBe(text.length);
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        expect([start, end].join("\n")).not.toMatch(/\p{Cs}/u);
      },
    ),
    { seed: SEED, numRuns: sampleSize(2000) },
  );
});
