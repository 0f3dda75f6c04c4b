import { type PrefixList, prefixList, sharePrefixList } from "@x/prefix-list";
import {
  maybeListed,
  mayMatch,
  type PrefixBloomFilter,
  prefixBloomFilterInSteps,
} from "@x/prefix-list/search";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { randomWords } from "./oracle.ts";

const mayMatchAny = (lists: readonly PrefixList[], word: number) =>
  lists.some((list) => mayMatch(list, word));

function prefixBloomFilter(lists: readonly PrefixList[]): PrefixBloomFilter {
  const steps = prefixBloomFilterInSteps(lists, Number.POSITIVE_INFINITY);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The indices of the words that `maybeListed` selects. */
function indicesOf(lists: readonly PrefixList[], words: Uint32Array): number[] {
  const found = new Uint32Array(words.length);
  const count = maybeListed(prefixBloomFilter(lists), words, words.length, found);
  return [...found.subarray(0, count)];
}

/** A list of prefixes that begin with these words, with arbitrary bytes after them. */
function listOf(words: Iterable<number>, prefixBytes = 4): PrefixList {
  const prefixes = Array.from(words, (word) => {
    const bytes = new Uint8Array(prefixBytes).fill(word);
    new DataView(bytes.buffer).setUint32(0, word);
    return bytes;
  });
  return prefixList(prefixes, { created: 0 });
}

const word = fc.nat({ max: 0xffffffff });

test("the Bloom filter leaves no word out that a list may have", () => {
  const seen = { listed: 0, left: 0 };
  const lists = fc.array(fc.tuple(fc.array(word), fc.integer({ min: 4, max: 32 })), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(lists, fc.array(word), (contents, others) => {
      const all = contents.map(([words, prefixBytes]) => listOf(words, prefixBytes));
      const words = Uint32Array.from([...others, ...contents.flatMap(([some]) => some)]);
      const indices = indicesOf(all, words);
      words.forEach((each, i) => {
        if (mayMatchAny(all, each)) expect(indices).toContain(i);
        seen[mayMatchAny(all, each) ? "listed" : "left"]++;
      });
      expect(indices).toEqual([...indices].sort((a, b) => a - b));
    }),
    { seed: 20261122, numRuns: sampleSize(500) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(1000));
});

test("in a large table, the Bloom filter keeps every prefix and leaves out nearly all else", {
  tags: "deep",
}, () => {
  const own = randomWords(200_000, 1);
  const list = listOf(own);
  const others = randomWords(200_000, 2).filter((each) => !mayMatch(list, each));
  for (const some of [list, sharePrefixList(list)]) {
    expect(indicesOf([some], own)).toHaveLength(own.length);
    expect(indicesOf([some], others).length).toBeLessThan(0.04 * others.length);
  }
  const { lines } = prefixBloomFilter([list]);
  expect(lines.byteLength / own.length).toBeLessThan(1.5);
});

test("a Bloom filter that is made in steps is the same, and each step is short", {
  tags: "deep",
}, () => {
  const lists = [listOf(randomWords(50_000, 1)), listOf([7]), listOf(randomWords(20_000, 3))];
  for (const perStep of [1, 1000, 1e9]) {
    const steps = prefixBloomFilterInSteps(lists, perStep);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(step.value).toEqual(prefixBloomFilter(lists));
    // A list of a thousand prefixes or more has no empty step, and a step goes on to the end of a bucket.
    expect(count).toBeGreaterThan(perStep === 1000 ? 30 : 0);
  }
});

test("a list whose memory is gone before the last step is an error", { tags: "deep" }, () => {
  for (const count of [5000, 200_000]) {
    const list = listOf(randomWords(count, 1));
    const { words, halves } = list.tables[0]!;
    const steps = prefixBloomFilterInSteps([list], 1000);
    steps.next();
    const { buffer } = halves.length > 0 ? halves : words;
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => steps.next()).toThrow(TypeError);
  }
});

test("only the first words are looked at, up to the count", () => {
  const filter = prefixBloomFilter([listOf([7])]);
  const found = new Uint32Array(4);
  expect(maybeListed(filter, Uint32Array.of(7, 1, 7, 7), 3, found)).toBe(2);
  expect([...found.subarray(0, 2)]).toEqual([0, 2]);
});

test("a Bloom filter is made only of whole lists of this layout", () => {
  const list = listOf([7]);
  const code = expect.objectContaining({ code: "layout-unsupported" });
  expect(() => prefixBloomFilter([{ ...list, layout: "tables-0" } as never])).toThrow(code);
  structuredClone(list.tables[0]!.buckets, { transfer: [list.tables[0]!.buckets.buffer] });
  expect(() => prefixBloomFilter([list])).toThrow(TypeError);
});

test("nothing is left out because an array is too short or was transferred", () => {
  const filter = prefixBloomFilter([listOf([7])]);
  const words = Uint32Array.of(7, 7);
  for (const [count, room] of [
    [3, 3],
    [2, 1],
    [-1, 2],
    [Number.NaN, 2],
  ] as const) {
    expect(() => maybeListed(filter, words, count, new Uint32Array(room))).toThrow(RangeError);
  }
  structuredClone(filter.lines, { transfer: [filter.lines.buffer] });
  expect(() => maybeListed(filter, words, 2, new Uint32Array(2))).toThrow(
    new TypeError("the buffer of the Bloom filter was transferred"),
  );
});
