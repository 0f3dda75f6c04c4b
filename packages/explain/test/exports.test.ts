import * as explain from "@x/explain";
import * as about from "@x/explain/about";
import * as counting from "@x/explain/counted";
import * as lookAlikes from "@x/explain/look-alikes";
import * as printable from "@x/explain/printable";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(explain).sort()).toEqual([
    "URN_PART_LABELS",
    "VERDICT_LABELS",
    "annotateUrl",
    "changeText",
    "checkedUrl",
    "compareUrns",
    "disguisesOf",
    "entryOnLine",
    "explainMatch",
    "explainUrl",
    "explainUrn",
    "expressionRecord",
    "foreignRefusal",
    "hashedForm",
    "hostRemark",
    "innerRecord",
    "innerText",
    "inputRecord",
    "inputText",
    "isDoubtful",
    "matchRecord",
    "matchText",
    "oddsText",
    "publishedUri",
    "refusalOf",
    "shortHost",
    "toCsv",
    "tooLongLine",
    "unicodeHost",
    "unusableReason",
    "urlReport",
    "urlSummary",
    "verdictOf",
    "verdictOfReading",
    "verdictText",
  ]);
});

test("the exported names of @x/explain/printable", () => {
  expect(Object.keys(printable).sort()).toEqual([
    "UNSAFE_CHARACTERS",
    "isPlain",
    "printable",
    "printableInShort",
    "printableJson",
    "spellOut",
  ]);
});

test("the exported names of @x/explain/about", () => {
  expect(Object.keys(about)).toEqual(["aboutText"]);
});

test("the exported names of @x/explain/counted", () => {
  expect(Object.keys(counting).sort()).toEqual(["counted", "formatCount"]);
});

test("the exported names of @x/explain/look-alikes", () => {
  expect(Object.keys(lookAlikes).sort()).toEqual(["WELL_KNOWN_SITES", "imitations"]);
});
