import * as functions from "@x/duckdb";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(functions)).toEqual(["registerFunctions"]);
});
