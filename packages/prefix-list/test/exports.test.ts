import * as api from "@x/prefix-list";
import { expect, test } from "vitest";

test("the package exports these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "PrefixListError",
    "applyDifference",
    "decodeDifference",
    "decodePrefixList",
    "diffPrefixLists",
    "encodeDifference",
    "encodePrefixList",
    "longestMatch",
    "lookupPrefix",
    "mayMatch",
    "mergePrefixLists",
    "prefixList",
    "prefixes",
    "rawHashesIn",
    "sharePrefixList",
  ]);
});
