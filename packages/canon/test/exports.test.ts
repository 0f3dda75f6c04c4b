import * as canon from "@x/canon";
import * as browser from "@x/canon/browser";
import * as hierarchical from "@x/canon/hierarchical";
import * as options from "@x/canon/own-options";
import * as readings from "@x/canon/readings";
import * as verify from "@x/canon/verify";
import { expect, test } from "vitest";

test.each([
  [
    "@x/canon",
    canon,
    [
      "CanonError",
      "MAX_URL_LENGTH",
      "canonicalize",
      "explainCanonicalization",
      "parseUrl",
      "parseUrlWithSteps",
      "tryParseUrl",
    ],
  ],
  ["@x/canon/browser", browser, ["browserHref", "hasInvalidIdn", "tryParseUrlAsBrowser"]],
  [
    "@x/canon/hierarchical",
    hierarchical,
    ["canonicalizeHierarchical", "formatUri", "isHierarchical", "parseUri", "resolveUri"],
  ],
  ["@x/canon/own-options", options, ["ownOptions"]],
  ["@x/canon/readings", readings, ["parseDecidedUrl", "readUrl"]],
  ["@x/canon/verify", verify, ["byteClasses", "parseUrlOr", "verifyCanonical"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
