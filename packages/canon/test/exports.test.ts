import * as canon from "@x/canon";
import * as browser from "@x/canon/browser";
import * as bytes from "@x/canon/bytes";
import * as defanged from "@x/canon/defanged";
import * as hierarchical from "@x/canon/hierarchical";
import * as localHosts from "@x/canon/local-hosts";
import * as otherText from "@x/canon/other-text";
import * as options from "@x/canon/own-options";
import * as punycode from "@x/canon/punycode";
import * as readings from "@x/canon/readings";
import * as topLevelDomains from "@x/canon/top-level-domains";
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
      "describeProblem",
      "explainCanonicalization",
      "parseUrl",
      "tryParseUrl",
    ],
  ],
  ["@x/canon/bytes", bytes, ["escapeBytes", "fromCodes", "unescapeRepeatedly"]],
  ["@x/canon/browser", browser, ["browserHref", "hasInvalidIdn", "tryParseUrlAsBrowser"]],
  [
    "@x/canon/defanged",
    defanged,
    ["hasDefangedHost", "hasWordForDot", "isDefanged", "refang", "refangPartly"],
  ],
  [
    "@x/canon/hierarchical",
    hierarchical,
    ["canonicalizeHierarchical", "formatUri", "isHierarchical", "parseUri", "readUri"],
  ],
  ["@x/canon/local-hosts", localHosts, ["localHost"]],
  [
    "@x/canon/other-text",
    otherText,
    ["hasTabInside", "holdsSeveralUrls", "isBase64Hash", "isHexHash"],
  ],
  ["@x/canon/own-options", options, ["booleanOption", "ownOptions", "typeError"]],
  ["@x/canon/punycode", punycode, ["PUNYCODE", "decodeLabel", "encodeLabel"]],
  ["@x/canon/readings", readings, ["parseDecidedUrl", "readUrl"]],
  ["@x/canon/top-level-domains", topLevelDomains, ["topLevelDomains"]],
  ["@x/canon/verify", verify, ["byteClasses", "verifyCanonical"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
