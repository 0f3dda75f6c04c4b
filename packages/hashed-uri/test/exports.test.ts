import * as hashedUri from "@x/hashed-uri";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(hashedUri).sort()).toEqual([
    "HashedUriError",
    "equalHashedUris",
    "formatHashedUri",
    "fromNi",
    "hashUri",
    "hashedUriMatcher",
    "matchesHashedUri",
    "parseHashedUri",
    "toNi",
    "tryParseHashedUri",
  ]);
});
