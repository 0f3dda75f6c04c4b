import { didYouMean } from "@x/command-line";
import { expect, test } from "vitest";

const KNOWN = ["--lifetime", "--port", "--host", "--keys", "--key", "serve", "max-size"];

test.each([
  ["--lifetim", ": did you mean --lifetime?"],
  ["--prot", ": did you mean --port?"],
  ["--hots", ": did you mean --host?"],
  ["--keyz", ": did you mean one of --key, --keys?"],
  ["sevre", ": did you mean serve?"],
  ["--max-sise", ": did you mean max-size?"],
  ["serve", ""],
  ["--nothing-like-it", ""],
  ["-", ""],
  ["", ""],
])("%j", (word, expected) => {
  expect(didYouMean(word, KNOWN)).toBe(expected);
});

test("a word of a million letters takes no time to compare", () => {
  expect(didYouMean("a".repeat(1_000_000), KNOWN)).toBe("");
});
