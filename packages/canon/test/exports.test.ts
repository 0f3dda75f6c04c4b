import * as canon from "@x/canon";
import * as browser from "@x/canon/browser";
import * as hierarchical from "@x/canon/hierarchical";
import * as options from "@x/canon/own-options";
import * as escapes from "@x/canon/percent-escapes";
import * as punycode from "@x/canon/punycode";
import * as readings from "@x/canon/readings";
import * as typeErrors from "@x/canon/type-error";
import * as utf8 from "@x/canon/utf8";
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
  [
    "@x/canon/percent-escapes",
    escapes,
    ["escapeBytes", "mustEscape", "unescapeRepeatedly", "unescapeText"],
  ],
  ["@x/canon/punycode", punycode, ["decodePunycode", "encodePunycode"]],
  ["@x/canon/readings", readings, ["parseDecidedUrl", "readUrl"]],
  ["@x/canon/type-error", typeErrors, ["typeError"]],
  ["@x/canon/utf8", utf8, ["decodeCharacters", "decodeUtf8", "fromCodes", "writeUtf8"]],
  ["@x/canon/verify", verify, ["byteClasses", "parseUrlOr", "verifyCanonical"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
