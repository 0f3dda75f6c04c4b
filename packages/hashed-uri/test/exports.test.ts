import * as hashedUri from "@x/hashed-uri";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(hashedUri).sort()).toEqual([
    "HashedUriError",
    "describeProblem",
    "equalHashedUris",
    "formatHashedUri",
    "formatHashedUriListHeader",
    "fromNi",
    "hashUri",
    "hashedUriMatcher",
    "matchesHashedUri",
    "otherSpelling",
    "parseHashedUri",
    "parseHashedUriList",
    "parseHashedUriListLine",
    "toNi",
    "tryParseHashedUri",
  ]);
});
