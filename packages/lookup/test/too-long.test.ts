import { MAX_URL_LENGTH } from "@x/canon";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { expect, test } from "vitest";

test("a line that is longer than any URL is no URL, and the lines around it are checked", () => {
  const start = "http://a.example/";
  const line = start + "b".repeat(MAX_URL_LENGTH + 1 - start.length);
  const lines = new TextEncoder().encode(`http://a.example/\n${line}\nhttp://b.example/\n`);
  const { check, scan } = checker(prefixList([], { name: "none" }));
  const error = expect.objectContaining({ name: "CanonError", code: "too-long" });
  const result = scan(lines);
  expect(result).toMatchObject({ lines: 3, checked: 3 });
  expect(result.findings).toEqual([
    { line: 1, start: 18, end: 18 + line.length, matches: [], error },
  ]);
  expect(() => check(line)).toThrow(error);
});
