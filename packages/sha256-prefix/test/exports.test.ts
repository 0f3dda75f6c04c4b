import * as exported from "@x/sha256-prefix";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(exported).sort()).toEqual([
    "FULL_HASH_BYTES",
    "MAX_PREFIX_BYTES",
    "MIN_PREFIX_BYTES",
    "Sha256PrefixError",
    "createHashBatch",
    "fromHex",
    "fullHash",
    "hasPrefix",
    "hashPrefix",
    "hashSlices",
    "isOctets",
    "toHex",
    "truncatedSha256Prefix",
  ]);
});
