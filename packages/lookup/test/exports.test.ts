import * as lookup from "@x/lookup";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(lookup).sort()).toEqual(["checker", "urlHashes"]);
});
