import { chanceOfFalseMatch, checker, DOUBTFUL_CHANCE } from "@x/lookup";
import { type PrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

/** A list of `count` evenly spread prefixes. */
function spread(count: number, prefixBytes: number): PrefixList {
  const rawHashes = new Uint8Array(count * prefixBytes);
  const view = new DataView(rawHashes.buffer);
  const step = Math.floor(2 ** 32 / count);
  for (let i = 0; i < count; i++) view.setUint32(i * prefixBytes, i * step);
  return prefixList([{ prefixBytes, rawHashes }], { name: "l", created: 0 });
}

test("three lists of a million 4-byte prefixes match 0.44% of harmless URLs", () => {
  const million = spread(1_000_000, 4);
  expect(chanceOfFalseMatch([million, million, million])).toBeCloseTo(0.00439, 5);
  expect(chanceOfFalseMatch(million, 1)).toBeCloseTo(1_000_000 / 2 ** 32, 12);
});

test("longer prefixes hardly ever match by chance, and their share is not lost to rounding", () => {
  const list = spread(1000, 8);
  expect(chanceOfFalseMatch(list, 1) / (1000 / 2 ** 64)).toBeCloseTo(1, 9);
  expect(chanceOfFalseMatch(spread(10, 32), 30)).toBeGreaterThan(0);
  expect(chanceOfFalseMatch(spread(10, 32), 30)).toBeLessThan(1e-70);
});

test.each([
  [1_000_000, [5, 6, 8, 32], [false, true, true, true]],
  [100_000, [5, 6], [true, true]],
  [10, [4, 5], [false, true]],
])(
  "with %i prefixes, matches are confirmed by length where chance is below one in a million",
  { tags: "deep" },
  (count, lengths, expected) => {
    const lists = lengths.map((length) => spread(count, length));
    // The first prefix of each list is all zeros. No URL is known whose hash begins with it, so another list provides
    // the match.
    const told = lengths.map((length, i) => {
      const own = prefixList([fullHash("evil.example/").subarray(0, length)]);
      const [match] = checker([own, lists[i]!]).check("http://evil.example/");
      return match!.confirmed;
    });
    expect(told).toEqual(expected);
    for (const [i, list] of lists.entries()) {
      if (lengths[i] === 4) continue;
      expect(chanceOfFalseMatch(list) < DOUBTFUL_CHANCE).toBe(expected[i]);
    }
  },
);

test("a short list of long prefixes is certain beside a long list of short ones", () => {
  const own = prefixList([fullHash("evil.example/").subarray(0, 8)]);
  const [match] = checker([own, spread(1_000_000, 4)]).check("http://evil.example/");
  expect(match).toMatchObject({ confirmed: true, by: "length" });
});

test("no list and no expression match nothing", () => {
  expect(chanceOfFalseMatch([])).toBe(0);
  expect(chanceOfFalseMatch(prefixList([]))).toBe(0);
  expect(chanceOfFalseMatch(spread(10, 4), 0)).toBe(0);
});

test("the share is that of URLs which a checker lists", { tags: "deep" }, () => {
  const list = spread(2 ** 20, 4);
  const { checkMany } = checker([list, spread(2 ** 16, 4)]);
  let listed = 0;
  const count = 200_000;
  function* urls() {
    for (let i = 0; i < count; i++) yield `http://host${i}.example/folder/page?q`;
  }
  for (const { matches } of checkMany(urls())) if (matches.length > 0) listed++;
  // Each of these URLs has four expressions.
  const expected = chanceOfFalseMatch([list, spread(2 ** 16, 4)], 4);
  expect(listed / count / expected).toBeGreaterThan(0.8);
  expect(listed / count / expected).toBeLessThan(1.2);
});

test.each(["6", null, {}])("expressionsPerUrl: %o is a TypeError", (value) => {
  expect(() => chanceOfFalseMatch([], value as never)).toThrow(TypeError);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
  "expressionsPerUrl: %d is a RangeError",
  (value) => {
    expect(() => chanceOfFalseMatch([], value)).toThrow(RangeError);
  },
);

test("anything but lists is a TypeError", () => {
  expect(() => chanceOfFalseMatch(fullHash("a") as never)).toThrow(TypeError);
});
