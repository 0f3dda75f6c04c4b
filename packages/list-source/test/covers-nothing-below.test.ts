import { coverage, exactExpression } from "@x/expressions";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readText } from "./read.ts";

test("the warning about entries that cover nothing below agrees with coverage", () => {
  let warned = 0;
  const labels = fc.integer({ min: 2, max: 9 });
  const folders = fc.integer({ min: 0, max: 7 });
  const end = fc.constantFrom("", "", "x", "?q", "?q/", "x?q/");
  fc.assert(
    fc.property(labels, folders, end, (depth, folder, rest) => {
      const url = `http://${"a.".repeat(depth - 1)}b/${"x/".repeat(folder)}${rest}`;
      const { pathsBelow, hostsBelow } = coverage(url);
      const isFolder = exactExpression(url).endsWith("/") && !url.includes("?");
      const expected = isFolder && !(folder === 0 ? hostsBelow : pathsBelow);
      if (expected) warned++;
      const { events } = readText(url, { format: "urls" });
      expect(events.includes("1 warning covers-nothing-below"), url).toBe(expected);
    }),
    { seed: 13, numRuns: sampleSize(1000) },
  );
  expect(warned).toBeGreaterThan(fewest(100));
});
