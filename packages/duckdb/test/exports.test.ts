import * as functions from "@x/duckdb";
import * as columns from "@x/duckdb/read-column";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(functions)).toEqual(["registerFunctions"]);
  expect(Object.keys(columns)).toEqual(["readColumn"]);
});
