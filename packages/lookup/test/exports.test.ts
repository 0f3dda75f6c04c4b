import * as main from "@x/lookup";
import * as inside from "@x/lookup/inside";
import * as lines from "@x/lookup/lines";
import { expect, test } from "vitest";

test("the names that the main entry exports", () => {
  expect(Object.keys(main).sort()).toEqual([
    "DOUBTFUL_CHANCE",
    "chanceOfFalseMatch",
    "checker",
    "readingHashes",
    "urlHashes",
  ]);
});

test("the names that the inside subpath exports", () => {
  expect(Object.keys(inside).sort()).toEqual([
    "innerMatches",
    "mayHaveMore",
    "mustBeUrl",
    "openedUrls",
  ]);
});

test("the names that the lines subpath exports", () => {
  expect(Object.keys(lines).sort()).toEqual(["MAX_LINE_BYTES", "lineReader", "linesIn"]);
});
