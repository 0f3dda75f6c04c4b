import { sortFullHashes, sortPrefixes } from "@x/prefix-list/raw-hashes";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

const BYTES = 32;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Full hashes of which many share their first word, or all words but the last, or are the same. */
const someHashes = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 60,
  })
  .map((pairs) =>
    Uint8Array.from(
      pairs.flatMap(([first, last]) => [
        ...[first * 50, 0, 0, first],
        ...Array(BYTES - 5).fill(7),
        last * 80,
      ]),
    ),
  );

test("full hashes are sorted as prefixes are", () => {
  let duplicates = 0;
  fc.assert(
    fc.property(someHashes, (hashes) => {
      const { rawHashes } = sortPrefixes({ prefixBytes: BYTES, rawHashes: hashes.slice() });
      const sorted = sortFullHashes(hashes.slice());
      expect(hex(sorted)).toBe(hex(rawHashes));
      if (sorted.length > 0 && sorted.length < hashes.length) duplicates++;
      expect(hex(sortFullHashes(sorted.slice()))).toBe(hex(rawHashes));
    }),
    { numRuns: sampleSize(1000) },
  );
  expect(duplicates).toBeGreaterThan(fewest(100));
});
