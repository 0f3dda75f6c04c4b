import * as listSource from "@x/list-source";
import * as publicSuffixes from "@x/list-source/public-suffixes";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(listSource).sort()).toEqual([
    "DEFANGED_URLS",
    "ListSourceError",
    "PARQUET_FILE",
    "RECOGNITION_BYTES",
    "SOURCE_FORMATS",
    "columnReader",
    "entriesOfHost",
    "foreignLine",
    "foreignSource",
    "isWhere",
    "listSourceReader",
    "readListSource",
    "recognizeSource",
    "refang",
    "sourceProblem",
  ]);
  expect(Object.keys(publicSuffixes)).toEqual(["isPublicSuffix", "isRegistrySuffix"]);
});
