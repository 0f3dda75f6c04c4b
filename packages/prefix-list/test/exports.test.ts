import * as api from "@x/prefix-list";
import * as rawHashes from "@x/prefix-list/raw-hashes";
import * as rice from "@x/prefix-list/rice";
import * as search from "@x/prefix-list/search";
import * as tables from "@x/prefix-list/tables";
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
    "lookupPrefix",
    "prefixList",
    "prefixListBuilder",
    "prefixListFileKind",
    "prefixes",
    "rawHashesIn",
    "sharePrefixList",
    "updatePrefixList",
  ]);
  expect(Object.keys(rawHashes).sort()).toEqual([
    "compareBytes",
    "concatBytes",
    "countEntries",
    "firstWords",
    "rawHashesInPart",
    "sortFullHashes",
    "sortPrefixes",
    "unsortedAt",
    "viewOf",
    "wordAt",
  ]);
  expect(Object.keys(search).sort()).toEqual([
    "checkLayout",
    "longestMatch",
    "mayMatch",
    "maybeListed",
    "prefixBloomFilterInSteps",
  ]);
  expect(Object.keys(tables).sort()).toEqual(["decodeTables", "encodeTables"]);
  expect(Object.keys(rice).sort()).toEqual([
    "littleEndianWords",
    "maxEntriesOf",
    "riceDecode",
    "riceEncode",
    "riceParameterFor",
  ]);
});
