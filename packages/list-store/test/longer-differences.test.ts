import { type Change, longerChangeBetween, makeDifference } from "@x/list-store/serving";
import { applyDifference, diffPrefixLists, type PrefixList, prefixList } from "@x/prefix-list";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";

/**
 * A prefix for a number. Prefixes for numbers below 16 differ only in the last byte, and those for larger numbers also
 * in the first.
 */
function prefixOf(number: number, prefixBytes: number): Buffer {
  const bytes = Buffer.alloc(prefixBytes);
  bytes.writeUInt8(number >> 4);
  bytes.writeUInt8(number & 15, prefixBytes - 1);
  return bytes;
}

const bytesOf = (numbers: readonly number[], prefixBytes: number): Uint8Array =>
  Buffer.concat([...numbers].sort((a, b) => a - b).map((each) => prefixOf(each, prefixBytes)));

function listOf(rawHashes: Uint8Array, prefixBytes: number): PrefixList {
  const groups = rawHashes.length === 0 ? [] : [{ prefixBytes, rawHashes }];
  return prefixList(groups, { name: "malware", created: 1 });
}

test("differences of longer prefixes are those between the two lists, over any number of versions", () => {
  let cancelled = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(8, 16, 32),
      fc.array(fc.uniqueArray(fc.nat(63), { maxLength: 60 }), { minLength: 1, maxLength: 6 }),
      (prefixBytes, versions) => {
        const all = versions.map((numbers) => bytesOf(numbers, prefixBytes));
        const lists = all.map((rawHashes) => listOf(rawHashes, prefixBytes));
        const changes: Change<Uint8Array>[] = [];
        for (let i = 1; i < all.length; i++) {
          changes.unshift(longerChangeBetween(all[i - 1]!, all[i]!, prefixBytes));
        }
        const [first, last] = [lists[0]!, lists.at(-1)!];
        const difference = makeDifference({
          longer: { prefixBytes, rawHashes: all.at(-1)! },
          ...{ checksum: last.checksum, list: "malware", created: 1, changes },
          before: { prefixes: first.size, checksum: first.checksum },
        });
        expect(difference).toEqual(diffPrefixLists(first, last));
        expect(applyDifference(first, difference).checksum).toBe(last.checksum);
        const changed = changes.reduce(
          (sum, { removed, added }) => sum + (removed.length + added.length) / prefixBytes,
          0,
        );
        const { removals, additions } = difference;
        const joined = removals.length + (additions[0]?.rawHashes.length ?? 0) / prefixBytes;
        if (changed > joined) cancelled++;
      },
    ),
    { seed: 48, numRuns: sampleSize(1000) },
  );
  expect(cancelled).toBeGreaterThan(20);
});
