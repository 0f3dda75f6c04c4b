import {
  applyDifference,
  diffPrefixLists,
  encodePrefixList,
  lookupPrefix,
  type PrefixList,
  prefixes,
  prefixList,
  rawHashesIn,
  sharePrefixList,
} from "@x/prefix-list";
import { checkLayout } from "@x/prefix-list/search";
import { describe, expect, test } from "vitest";
import { unhex } from "./oracle.ts";

const list = prefixList(["00000001", "00000002", "0000000103"].map(unhex));
const uses: [string, (list: PrefixList) => unknown][] = [
  ["checkLayout", (value) => checkLayout(value)],
  ["rawHashesIn", rawHashesIn],
  ["prefixes", (value) => [...prefixes(value)]],
  ["lookupPrefix", (value) => lookupPrefix(value, unhex("00000001"))],
  ["encodePrefixList", encodePrefixList],
  ["sharePrefixList", sharePrefixList],
  ["diffPrefixLists, from", (value) => diffPrefixLists(value, list)],
  ["diffPrefixLists, to", (value) => diffPrefixLists(list, value)],
  ["applyDifference", (value) => applyDifference(value, diffPrefixLists(list, list))],
];

test("a list says how many prefixes of each length it has", () => {
  expect(list.lengths).toEqual([
    { prefixBytes: 4, count: 2 },
    { prefixBytes: 5, count: 1 },
  ]);
  expect(prefixList([]).lengths).toEqual([]);
});

describe.each(uses)("%s", (_, use) => {
  test("reads a list, its copy, and the list in shared memory", () => {
    for (const value of [list, structuredClone(list), sharePrefixList(list)]) {
      expect(() => use(value)).not.toThrow();
    }
  });
  test("refuses a list of another layout", () => {
    const other = { ...list, layout: "tables-2" } as unknown as PrefixList;
    expect(() => use(other)).toThrow(expect.objectContaining({ code: "layout-unsupported" }));
  });
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["text", "list"],
    ["a file", encodePrefixList(list)],
    ["an object", {}],
    ["a list without a layout", { ...list, layout: undefined }],
    ["a list without tables", { ...list, tables: undefined }],
    ["a list whose tables are not", { ...list, tables: [{}] }],
  ])("refuses %s", (_, value) => {
    expect(() => use(value as never)).toThrow(TypeError);
  });
});

test("the error names the argument and the layout", () => {
  expect(() => checkLayout({ ...list, layout: "tables-9" }, "lists[2]")).toThrow(
    'lists[2] has the layout "tables-9": expected a list that this version of the package made or read from a file (@x/prefix-list, PrefixList).',
  );
  expect(() => checkLayout(7, "lists[2]")).toThrow(
    new TypeError("lists[2] must be a PrefixList, not a number"),
  );
});
