import * as expressions from "@x/expressions";
import { expect, test } from "vitest";

test("the exported names", () => {
  expect(Object.keys(expressions).sort()).toEqual([
    "MAX_EXPRESSIONS",
    "exactExpression",
    "expressionSlices",
    "expressions",
    "sliceExpressions",
  ]);
});
