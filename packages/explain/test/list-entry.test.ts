import { entryOnLine } from "@x/explain";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const encode = (text: string) => new TextEncoder().encode(text);

test("the entry on a line of text is the one on a line of bytes", () => {
  const seen = { entry: 0, none: 0 };
  const characters = fc.constantFrom(" ", "\t", "#", "a", "é", "\u2003");
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 8 }), (line) => {
      const entry = entryOnLine(line);
      const bytes = entryOnLine(encode(line));
      expect(bytes).toEqual(entry === null ? null : encode(entry));
      expect(entry).toBe(/^[ \t]*([^ \t#](?:.*[^ \t])?)[ \t]*$/u.exec(line)?.[1] ?? null);
      seen[entry === null ? "none" : "entry"]++;
    }),
    { seed: 12, numRuns: sampleSize(1000) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(fewest(100));
});
