import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeySet } from "../../src/serve/updates/key-set.ts";

const CAPACITY = 20;

test("a set of keys does what a Set does", () => {
  // Many keys have the same low bits, and so belong in the same slot.
  const key = fc
    .tuple(fc.nat(9), fc.nat(2 ** 20))
    .map(([low, high]) => (high % 7) * 2 ** 32 * 2 ** 17 + low);
  const name = fc.oneof(
    { weight: 60, arbitrary: fc.constant("add") },
    { weight: 20, arbitrary: fc.constant("delete") },
    { weight: 1, arbitrary: fc.constant("clear") },
  );
  const steps = fc.array(fc.tuple(name, key), { maxLength: 200, size: "max" });
  const reached = { full: 0, deleted: 0, addedAgain: 0 };
  fc.assert(
    fc.property(steps, (taken) => {
      const fast = new KeySet(CAPACITY);
      const plain = new Set<number>();
      const deleted = new Set<number>();
      let used = 0;
      for (const [what, each] of taken) {
        expect(fast.isFull).toBe(used === CAPACITY);
        if (what === "clear") {
          fast.clear();
          for (const set of [plain, deleted]) set.clear();
          used = 0;
        } else if (what === "delete") {
          const isDeleted = plain.delete(each);
          expect(fast.delete(each)).toBe(isDeleted);
          if (isDeleted) deleted.add(each);
          if (isDeleted) reached.deleted++;
        } else {
          fast.add(each);
          if (plain.has(each)) continue;
          if (used === CAPACITY) reached.full++;
          else {
            if (deleted.has(each)) reached.addedAgain++;
            plain.add(each);
            used++;
          }
        }
      }
      for (const each of plain) expect(fast.delete(each)).toBe(true);
      for (const each of deleted) expect(fast.delete(each)).toBe(false);
    }),
    { seed: 15, numRuns: sampleSize(1000) },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(fewest(100));
});
