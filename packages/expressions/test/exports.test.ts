import * as expressions from "@x/expressions";
import * as slices from "@x/expressions/slices";
import { expect, test } from "vitest";

test.each([
  ["@x/expressions", expressions, ["coverage", "exactExpression", "expressions"]],
  ["@x/expressions/slices", slices, ["MAX_EXPRESSIONS", "keepHost", "sliceExpressions"]],
])("the exported names of %s", (_name, exported, names) => {
  expect(Object.keys(exported).sort()).toEqual(names);
});
