import { firstWords } from "@x/prefix-list/raw-hashes";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findInShard, hashesIn } from "../src/full-hashes.ts";
import { countBelow, firstNotBelow } from "../src/words.ts";

const RUNS = { seed: 15, numRuns: sampleSize(500) };

test("any guess finds the first item that is not below", () => {
  const numbers = fc.array(fc.nat(50), { maxLength: 200 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(numbers, fc.nat(51), fc.double({ noNaN: true }), (all, wanted, guess) => {
      let calls = 0;
      const isBelow = (index: number) => {
        calls++;
        return all[index]! < wanted;
      };
      const expected = all.filter((each) => each < wanted).length;
      for (const each of [guess, 0, all.length, expected, -1, all.length + 1]) {
        calls = 0;
        expect(firstNotBelow(all.length, each, isBelow)).toBe(expected);
        expect(calls).toBeLessThan(8 + 3 * Math.log2(all.length + 1));
      }
    }),
    RUNS,
  );
});

test("words and full hashes are found among crowded and among even ones", () => {
  // Crowded hashes share their first three bytes, unlike real hashes.
  const hash = fc
    .tuple(fc.boolean(), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([isCrowded, bytes]) => (isCrowded ? bytes.fill(7, 0, 3) : bytes));
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(hash, { minLength: 1, maxLength: 60 }),
      hash,
      fc.integer({ min: 4, max: 32 }),
      fc.nat(60),
      (hashes, other, length, guess) => {
        const sorted = [...hashes].sort(Buffer.compare);
        const shard = new Uint8Array(Buffer.concat(sorted));
        const words = firstWords({ prefixBytes: 32, rawHashes: shard });
        for (const each of [...sorted, other]) {
          const prefix = each.subarray(0, length);
          const expected = sorted.filter(
            (one) => Buffer.compare(one.subarray(0, length), prefix) === 0,
          );
          expect(findInShard(hashesIn(shard), prefix, guess)).toEqual(expected);
          found += expected.length;
          const word = Buffer.from(each).readUInt32BE();
          expect(countBelow(words, word)).toBe(words.filter((one) => one < word).length);
        }
      },
    ),
    RUNS,
  );
  expect(found).toBeGreaterThan(RUNS.numRuns);
});
