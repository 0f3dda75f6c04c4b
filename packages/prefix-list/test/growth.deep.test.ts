import {
  decodePrefixList,
  diffPrefixLists,
  encodePrefixList,
  type PrefixList,
  prefixList,
} from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { expect, test } from "vitest";
import { pack, randomWords } from "./oracle.ts";

/** The number of reads that a lookup makes in the tables, counted through a stand-in for their memory. */
function reads(list: PrefixList, hash: Uint8Array): number {
  let count = 0;
  const counted = <T extends object>(memory: T): T =>
    new Proxy(memory, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) count++;
        return Reflect.get(target, key, target);
      },
    });
  const tables = list.tables.map((table) => ({
    ...table,
    buckets: counted(table.buckets),
    halves: counted(table.halves),
    words: counted(table.words),
    rests: counted(table.rests),
  }));
  longestMatch({ ...list, tables }, hash);
  return count;
}

/** Prefixes of 8 bytes that all begin with the same four. */
function sameFirstWord(count: number): { prefixBytes: number; rawHashes: Uint8Array } {
  const rawHashes = pack(Array.from(randomWords(count, 5)).flatMap((word) => [0xabcdef01, word]));
  return { prefixBytes: 8, rawHashes };
}

test("a lookup among crowded prefixes reads a logarithmic number of them", () => {
  for (const count of [1_000, 200_000]) {
    const group = sameFirstWord(count);
    const list = prefixList([group]);
    for (const at of [0, 8, 8 * (count - 1)]) {
      const hash = group.rawHashes.slice(at, at + 8);
      expect(longestMatch(list, hash)).toBe(8);
      expect(reads(list, hash)).toBeLessThan(8 * Math.log2(count));
      hash[7]! ^= 1;
      expect(reads(list, hash)).toBeLessThan(8 * Math.log2(count));
    }
  }
});

test("a lookup among the 4-byte prefixes of a full bucket reads a logarithmic number of them", () => {
  const words = Uint32Array.from({ length: 140_000 }, (_, i) =>
    i < 65_536 ? 0x12340000 + i : i * 30_000,
  ).sort();
  const list = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }]);
  expect(list.tables[0]!.halves.length).toBe(list.size);
  for (const word of [0x12340000, 0x12345678, 0x1234ffff]) {
    expect(reads(list, pack([word]))).toBeLessThan(30);
  }
});

test.each(["evenly spread", "of one first word"])(
  "a list of prefixes, %s, is built, encoded, decoded and compared in linear time",
  (kind) => {
    const group = (count: number) =>
      kind === "evenly spread"
        ? { prefixBytes: 8, rawHashes: pack(randomWords(count, 6), 4) }
        : sameFirstWord(count);
    expectLinearGrowth(
      (input) => {
        const list = prefixList([input], { created: 0 });
        return diffPrefixLists(decodePrefixList(encodePrefixList(list)), list);
      },
      group,
      5_000,
    );
  },
);

test("many single prefixes are gathered in linear time", () => {
  const single = (count: number) => {
    const packed = pack(randomWords(count, 8));
    return Array.from({ length: count }, (_, i) => packed.subarray(4 * i, 4 * i + 4));
  };
  expectLinearGrowth((input: Uint8Array[]) => prefixList(input), single, 12_500);
});
