import * as canon from "@x/canon";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(canon).sort()).toEqual([
    "CanonError",
    "MAX_URL_LENGTH",
    "canonicalize",
    "canonicalizeHierarchical",
    "explainCanonicalization",
    "formatUri",
    "isHierarchical",
    "parseUri",
    "parseUrl",
    "resolveUri",
    "tryParseUrl",
    "verifyCanonical",
  ]);
});
