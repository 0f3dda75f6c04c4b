import * as main from "@x/sha256-prefix";
import * as batch from "@x/sha256-prefix/batch";
import * as naming from "@x/sha256-prefix/has-name";
import * as quoting from "@x/sha256-prefix/quote";
import * as typeErrors from "@x/sha256-prefix/type-error";
import { expect, test } from "vitest";

test("the names that the batch subpath exports", () => {
  expect(Object.keys(batch)).toEqual(["createHashBatch"]);
});

test("the names that the main entry exports", () => {
  expect(Object.keys(main).sort()).toEqual([
    "FULL_HASH_BYTES",
    "MAX_PREFIX_BYTES",
    "MIN_PREFIX_BYTES",
    "Sha256PrefixError",
    "fromHex",
    "fullHash",
    "hashPrefix",
    "isUint8Array",
    "toHex",
    "truncatedSha256Prefix",
  ]);
});

test("the names that the subpaths for other packages export", () => {
  expect(Object.keys(naming)).toEqual(["hasName"]);
  expect(Object.keys(quoting)).toEqual(["quote"]);
  expect(Object.keys(typeErrors)).toEqual(["typeError"]);
});
