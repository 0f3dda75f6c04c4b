import { explainUrl, type UrlExplanation } from "@x/explain";
import { expect, test } from "vitest";
import { cellsOf, latticesOf } from "../../../src/web/model/lattice.ts";

test.each([
  ["http://a.example/b", [["specification", 2]]],
  // Browsers open another host than the specification reads.
  [
    "http://a.example\\@b.example/",
    [
      ["specification", 1],
      ["browser", 2],
    ],
  ],
  // Only browsers read this text as a URL.
  ["http:///a.example/", [["browser", 1]]],
  // Browsers do not open this URL.
  ["http://a.example:99999/", [["specification", 1]]],
])("%s has one lattice for each reading", (url, expected) => {
  const explained = explainUrl(url, []) as UrlExplanation;
  const lattices = latticesOf(explained, cellsOf(explained));
  const counted = lattices.map(({ reading, rows }) => [reading, rows.flat().length]);
  expect(counted).toEqual(expected);
});
