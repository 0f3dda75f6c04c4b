import * as client from "@x/client";
import { expect, test } from "vitest";

test("the package exports these names", () => {
  expect(Object.keys(client).sort()).toEqual([
    "ClientError",
    "applyListJob",
    "createClient",
    "memoryStorage",
  ]);
});
