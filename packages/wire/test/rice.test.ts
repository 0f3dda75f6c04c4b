import { fewest, sampleSize } from "@x/test-support/sample-size";
import { fromHashList } from "@x/wire/v5";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { combineRemovals } from "../src/list-update.ts";
import { fromBigEndian, fromLittleEndian } from "../src/rice-codes.ts";
import { CODED_BYTES, codesOf, hashListOf, valuesOf } from "./hash-lists.ts";
import { plainDecode, plainEncode } from "./plain-rice.ts";

const RUNS = { seed: 32, numRuns: sampleSize(400) };

/** Ascending values that are spread over the width, close together, or at both ends. */
function valuesOfWidth(width: number): fc.Arbitrary<bigint[]> {
  const max = 2n ** BigInt(width) - 1n;
  const spread = fc.bigInt({ min: 0n, max });
  const crowded = fc.tuple(spread, fc.nat({ max: 9 })).map(([a, b]) => (a & ~0xffn) + BigInt(b));
  const ends = fc.constantFrom(0n, 1n, max - 1n, max);
  return fc
    .array(fc.oneof(spread, crowded, ends), { minLength: 1, maxLength: 60 })
    .map((values) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1)));
}

/** Limits the length of unary codes for the plain coder. */
function isShort(values: readonly bigint[], parameter: number): boolean {
  return values.at(-1)! - values[0]! < 2n ** BigInt(parameter + 14);
}

describe.each(CODED_BYTES)("prefixes of %i bytes", (prefixBytes) => {
  const width = prefixBytes * 8;
  const [least, most] = [width - 29, width - 2];

  test("encodes and decodes like a plain coder", () => {
    fc.assert(
      fc.property(valuesOfWidth(width), (values) => {
        const coded = codesOf(prefixBytes, values);
        expect(coded.parameter).toBeGreaterThanOrEqual(least);
        expect(coded.parameter).toBeLessThanOrEqual(most);
        expect(plainEncode(values, coded.parameter)).toEqual(coded);
        expect(plainDecode(coded, width)).toEqual(values);
        expect(valuesOf(prefixBytes, coded)).toEqual(values);
      }),
      RUNS,
    );
  });

  test("decodes with any parameter in the range", () => {
    let reached = 0;
    fc.assert(
      fc.property(
        valuesOfWidth(width),
        fc.integer({ min: least, max: most }),
        (values, parameter) => {
          if (!isShort(values, parameter)) return;
          reached++;
          expect(valuesOf(prefixBytes, plainEncode(values, parameter))).toEqual(values);
        },
      ),
      RUNS,
    );
    expect(reached).toBeGreaterThan(fewest(50));
  });

  test("damaged codes are refused exactly when a plain decoder refuses them", () => {
    const seen = { refused: 0, read: 0 };
    fc.assert(
      fc.property(
        valuesOfWidth(width),
        fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: -1, max: 1 }),
        (values, flips, longer) => {
          const coded = codesOf(prefixBytes, values);
          const data = new Uint8Array(Math.max(0, coded.data.length + longer));
          data.set(coded.data.subarray(0, data.length));
          for (const flip of flips) {
            const at = flip % (data.length * 8 || 1);
            if (data.length > 0) data[at >> 3]! ^= 1 << (at & 7);
          }
          const damaged = { ...coded, data };
          const expected = plainDecode(damaged, width);
          if (expected === null) {
            seen.refused++;
            expect(() => fromHashList(hashListOf(prefixBytes, damaged))).toThrow(
              expect.objectContaining({ name: "WireError" }),
            );
          } else {
            seen.read++;
            expect(valuesOf(prefixBytes, damaged)).toEqual(expected);
          }
        },
      ),
      RUNS,
    );
    expect(seen.refused).toBeGreaterThan(fewest(30));
    expect(seen.read).toBeGreaterThan(fewest(30));
  });
});

test("decoded values are not copied: they would take twice the memory", () => {
  for (const convert of [fromBigEndian, fromLittleEndian]) {
    const values = Uint32Array.of(9, 0x01020304, 0x0a0b0c0d).subarray(1);
    const prefixes = convert(values);
    expect(prefixes.buffer).toBe(values.buffer);
    const expected = [1, 2, 3, 4, 10, 11, 12, 13];
    expect([...prefixes]).toEqual(
      convert === fromBigEndian ? expected : [4, 3, 2, 1, 13, 12, 11, 10],
    );
  }
  const removals = Uint32Array.of(1, 5);
  expect(combineRemovals([removals])).toBe(removals);
});
