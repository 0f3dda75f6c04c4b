import {
  collect,
  durationValue,
  formatDuration,
  parseDuration,
  shellWord,
  wholeNumber,
} from "@x/command-line";
import { expect, test } from "vitest";

test.each([
  ["500ms", 500],
  ["90s", 90_000],
  ["5m", 300_000],
  ["12h", 43_200_000],
  ["30d", 2_592_000_000],
  ["0s", 0],
  ["999999d", 86_399_913_600_000],
  ["1000000s", null],
  ["30", null],
  ["d", null],
  ["1w", null],
  ["-1s", null],
  ["1 h", null],
  ["1.5h", null],
  ["1h\n", null],
  ["", null],
])("the duration %j", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
  if (expected !== null) expect(durationValue(text)).toBe(expected);
  else
    expect(() => durationValue(text)).toThrow("Expected a duration such as 90s, 5m, 12h or 30d.");
});

test.each([
  [0, "0 seconds"],
  [0.4, "0 seconds"],
  [1, "1 millisecond"],
  [500, "500 milliseconds"],
  [999, "999 milliseconds"],
  [1000, "1 second"],
  [89_000, "1 minute"],
  [3_600_000, "1 hour"],
  [129_600_000, "2 days"],
])("%i ms are %s", (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected);
});

test("whole numbers have a range", () => {
  const port = wholeNumber(0, 65_535);
  expect([port("0"), port("080"), port("65535")]).toEqual([0, 80, 65_535]);
  for (const text of ["65536", "-1", "1.5", "80a", "", " 80", "0x10", "1e3"]) {
    expect(() => port(text), text).toThrow("Expected a whole number from 0 to 65535.");
  }
});

test("values of an option that is given twice are collected", () => {
  expect(collect("b", collect("a"))).toEqual(["a", "b"]);
  expect(() => collect("")).toThrow("Expected a value that is not empty.");
});

test.each([
  ["lists/urls.txt", "lists/urls.txt"],
  ["my lists", "'my lists'"],
  ["it's", "'it'\\''s'"],
  ["~/$HOME", "'~/$HOME'"],
  ["", "''"],
])("%j in a command is %s", (word, expected) => {
  expect(shellWord(word)).toBe(expected);
});
