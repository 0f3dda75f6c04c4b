import * as client from "@x/client";
import * as history from "@x/client/history";
import * as ohttp from "@x/client/ohttp";
import * as v5 from "@x/client/v5";
import { expect, test } from "vitest";

test("the package exports these names", () => {
  expect(Object.keys(client).sort()).toEqual([
    "ClientError",
    "applyListJob",
    "createClient",
    "createLookup",
    "memoryStorage",
  ]);
});

test("@x/client/v5 exports these names", () => {
  expect(Object.keys(v5).sort()).toEqual(["applyListJob", "createClient"]);
});

test("@x/client/ohttp exports these names", () => {
  expect(Object.keys(ohttp)).toEqual(["throughRelay"]);
});

test("@x/client/history exports these names", () => {
  expect(Object.keys(history).sort()).toEqual(["expressionHashes", "urlHistory"]);
});
