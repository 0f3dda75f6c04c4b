import fc from "fast-check";
import { expect, test } from "vitest";
import { fill, fold } from "../../src/output/layout.ts";

test("fold cuts into lines of the given columns, and loses nothing", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "ż", "日", "😀"), maxLength: 60 }),
      fc.integer({ min: 10, max: 30 }),
      (text, columns) => {
        const lines = fold(text, columns);
        expect(lines.join("")).toBe(text);
        for (const line of lines) {
          const wide = line.match(/[日😀]/gu)?.length ?? 0;
          expect([...line].length + wide).toBeLessThanOrEqual(columns);
        }
      },
    ),
    { seed: 9 },
  );
  expect(fold("日本語日本語", 10)).toEqual(["日本語日本", "語"]);
  expect(fold("a".repeat(100), null)).toEqual(["a".repeat(100)]);
});

test("fill keeps words whole", () => {
  expect(fill(["one", "two", "three"], 8)).toEqual(["one two", "three"]);
  expect(fill(["muchtoolong", "x"], 5)).toEqual(["muchtoolong", "x"]);
  expect(fill([], 5)).toEqual([]);
});
