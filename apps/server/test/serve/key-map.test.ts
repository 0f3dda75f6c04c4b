import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyMap } from "../../src/serve/updates/failed-updates.ts";

const CAPACITY = 20;

test("a map of keys does what a Map does", () => {
  // Many of these keys have the same low bits, and so belong in the same slot.
  const key = fc
    .tuple(fc.nat(9), fc.nat(2 ** 20))
    .map(([low, high]) => (high % 7) * 2 ** 32 * 2 ** 17 + low);
  const name = fc.oneof(
    { weight: 80, arbitrary: fc.constant("set") },
    { weight: 1, arbitrary: fc.constant("clear") },
  );
  const steps = fc.array(fc.tuple(name, key, fc.nat()), { maxLength: 200, size: "max" });
  const reached = { full: 0, replaced: 0, absent: 0 };
  fc.assert(
    fc.property(steps, (taken) => {
      const fast = new KeyMap(CAPACITY);
      const plain = new Map<number, number>();
      for (const [what, each, value] of taken) {
        expect(fast.isFull).toBe(plain.size === CAPACITY);
        if (what === "clear") {
          fast.clear();
          plain.clear();
          continue;
        }
        if (plain.has(each)) reached.replaced++;
        else reached.absent++;
        expect(fast.get(each)).toBe(plain.get(each));
        fast.set(each, value);
        if (plain.size < CAPACITY || plain.has(each)) plain.set(each, value);
        else reached.full++;
      }
      for (const [each, value] of plain) expect(fast.get(each)).toBe(value);
    }),
    { seed: 15, numRuns: sampleSize(1000) },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(fewest(100));
});
