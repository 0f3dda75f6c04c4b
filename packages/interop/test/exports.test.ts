import * as interop from "@x/interop";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(interop).sort()).toEqual([
    "CLIENTS",
    "interopVariants",
    "readAs",
    "reportEntry",
  ]);
});
