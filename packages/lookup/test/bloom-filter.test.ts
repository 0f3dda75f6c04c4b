import { checker, type Match } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

const urls = Array.from({ length: 3000 }, (_, i) => `http://www.host${i % 1000}.example/${i}/a?b`);
const hashes = urls.filter((_, i) => i % 10 === 0).map((url) => fullHash(`${new URL(url).host}/`));
// Enough entries for a large table, and for many URLs to be checked before the Bloom filter is made.
const others = Array.from({ length: 140_000 }, (_, i) => fullHash(`made up ${i}`).subarray(0, 4));
const lists = [
  prefixList([...hashes, ...others], { name: "four", prefixBytes: 4 }),
  prefixList(hashes.slice(0, 50), { name: "full" }),
];
const told = (matches: readonly Match[]) =>
  matches.map(({ expression, list, prefix }) => `${list.name} ${expression} ${prefix}`);

test("verdicts are the same with the Bloom filter, before it is made, and without it", () => {
  const { check, checkMany } = checker(lists);
  const plain = checker(lists, { bloomFilter: false });
  const expected = urls.map((url) => told(plain.check(url)));
  expect(expected.filter((matches) => matches.length > 0).length).toBeGreaterThan(300);
  // The first URLs are looked up before the Bloom filter is made, and all of them again with the filter.
  for (let round = 0; round < 2; round++) {
    expect(urls.map((url) => told(check(url)))).toEqual(expected);
    expect([...checkMany(urls)].map(({ matches }) => told(matches))).toEqual(expected);
  }
});

test("the option is true or false", () => {
  expect(() => checker(lists, { bloomFilter: "no" as never })).toThrow(
    new TypeError('bloomFilter must be true or false, not "no"'),
  );
});
