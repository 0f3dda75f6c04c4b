import { printable } from "@x/explain/printable";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf, pointAt } from "../../src/output/layout.ts";

test("short texts are shown whole", () => {
  expect(pointAt("abc", 1, 80)).toEqual(["    abc", "     ^"]);
  expect(pointAt("日本é", 1, 80)).toEqual(["    日本é", "      ^ U+672C"]);
  expect(pointAt("a\u202eb", 2, 80)).toEqual(["    a\\u{202e}b", "             ^"]);
  expect(pointAt("", 0, null)).toEqual(["    ", "    ^ the end"]);
});

test("of long ones what is around the place", () => {
  const [line, caret] = pointAt(`${"a".repeat(500)}!${"b".repeat(500)}`, 500, 40);
  expect(line).toMatch(/^ {4}…a+!b+…$/);
  expect(line![caret!.length - 1]).toBe("!");
  expect(pointAt(`!${"b".repeat(500)}`, 0, 40)[0]).toMatch(/^ {4}!b+…$/);
  expect(pointAt(`${"b".repeat(500)}!`, 500, 40)[0]).toMatch(/^ {4}…b+!$/);
});

test("the caret is under the character, within the columns", () => {
  let cut = 0;
  const character = fc.constantFrom("a", "日", "😀", "\u202e", "\x1b", "é", "\ud800", "\u0301");
  fc.assert(
    fc.property(
      fc.array(character, { minLength: 1, maxLength: 120, size: "max" }),
      fc.nat(),
      fc.integer({ min: 40, max: 90 }),
      (characters, nth, columns) => {
        // Two adjacent surrogates form one character.
        const all = [...characters.join("")];
        const at = nth % all.length;
        const index = all.slice(0, at).join("").length;
        const [line, caret] = pointAt(all.join(""), index, columns);
        if (line!.includes("…")) cut++;
        expect(columnsOf(line!)).toBeLessThanOrEqual(columns);
        const before = [...line!];
        let used = 0;
        while (used < caret!.indexOf("^")) used += columnsOf(before.shift()!);
        const rest = before.join("");
        const marks = /^\u0301*/.exec(rest)![0].length;
        // Combining marks take no column, so the caret is also under the marks before the position.
        const shown = printable(all[at]!);
        expect(rest.slice(0, marks + shown.length)).toContain(shown);
      },
    ),
    { seed: 4, numRuns: sampleSize(500) },
  );
  expect(cut).toBeGreaterThan(fewest(100));
});
