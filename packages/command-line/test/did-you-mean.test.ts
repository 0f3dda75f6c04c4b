import { didYouMean } from "@x/command-line";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const KNOWN = ["--lifetime", "--port", "--host", "--keys", "--key", "serve", "-o"];

test.each([
  ["--lifetim", " (did you mean --lifetime?)"],
  ["--prot", " (did you mean --port?)"],
  ["--hots", " (did you mean --host?)"],
  ["--keyz", " (did you mean one of --key, --keys?)"],
  ["sevre", " (did you mean serve?)"],
  ["--nothing-like-it", ""],
  ["-", ""],
  ["", ""],
])("%j", (word, expected) => {
  expect(didYouMean(word, KNOWN)).toBe(expected);
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 6 });

/** The edit distance, computed by the plain recursive rule. */
function plainDifferences(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const counts = [
    plainDifferences(restA, b) + 1,
    plainDifferences(a, restB) + 1,
    plainDifferences(restA, restB) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    counts.push(plainDifferences(a.slice(2), b.slice(2)) + 1);
  }
  return Math.min(...counts);
}

test("names a word if at most three letters, and not too many of them, differ", () => {
  let named = 0;
  fc.assert(
    fc.property(letters, letters, (word, known) => {
      const count = plainDifferences(word, known);
      const longest = Math.max(word.length, known.length);
      const isSimilar = count <= 3 && (longest - count) / longest > 0.4;
      if (isSimilar) named++;
      expect(didYouMean(word, [known])).toBe(isSimilar ? ` (did you mean ${known}?)` : "");
    }),
    { numRuns: sampleSize(1000) },
  );
  expect(named).toBeGreaterThan(5);
});

test("a word of a million letters takes no time to compare", () => {
  expect(didYouMean("a".repeat(1_000_000), KNOWN)).toBe("");
});
