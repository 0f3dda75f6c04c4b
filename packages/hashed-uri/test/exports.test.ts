import * as hashedUri from "@x/hashed-uri";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(hashedUri).sort()).toEqual([
    "HashedUriError",
    "describeProblem",
    "equalHashedUris",
    "formatHashedUri",
    "formatHashedUriListHeader",
    "hashUri",
    "hashedUriMatcher",
    "matchesHashedUri",
    "otherSpelling",
    "parseHashedUri",
    "parseHashedUriListLine",
    "tryParseHashedUri",
  ]);
});
