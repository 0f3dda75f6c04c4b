import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

test("checkMany does not join long texts to one that is too long for a string", () => {
  const { checkMany } = checker(prefixList([fullHash("evil.example/")]));
  const long = `mailto:${"x".repeat(2 ** 22)}`;
  let count = 0;
  for (const { error } of checkMany(Array.from({ length: 130 }, () => long))) {
    if (error?.code === "authority-missing") count++;
  }
  expect(count).toBe(130);
});
