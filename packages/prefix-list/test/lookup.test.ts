import { runInNewContext } from "node:vm";
import { lookupPrefix, type PrefixList, prefixList } from "@x/prefix-list";
import { longestMatch, mayMatch } from "@x/prefix-list/search";
import { fewest, IS_DEEP, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixHex, prefixSet } from "./arbitraries.ts";
import { hex, pack, plain, plainLongestMatch, randomWords, unhex } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: sampleSize(500) };

test("the longest match equals that of a plain search", () => {
  const lengths = new Map<number, number>();
  fc.assert(
    fc.property(prefixSet, fc.array(prefixHex), fc.nat(9), (texts, others, offset) => {
      const list = prefixList(texts.map(unhex));
      const members = plain(texts);
      for (const text of [...texts, ...others]) {
        const hash = text.padEnd(64, "01");
        const expected = plainLongestMatch(members, hash);
        lengths.set(expected, (lengths.get(expected) ?? 0) + 1);
        expect(longestMatch(list, unhex(hash))).toBe(expected);
        expect(longestMatch(list, unhex(`${"ee".repeat(offset)}${hash}ee`), offset)).toBe(expected);
        const found = lookupPrefix(list, unhex(hash));
        expect(found === null ? "" : hex(found)).toBe(hash.slice(0, 2 * expected));
        const word = Number.parseInt(hash.slice(0, 8), 16);
        const may = members.some((member) => member.startsWith(hash.slice(0, 8)));
        expect(mayMatch(list, word)).toBe(may);
        expect(mayMatch(list, word | 0)).toBe(may);
      }
    }),
    runs,
  );
  for (const length of [0, 4, 5, 8, 32]) expect(lengths.get(length)).toBeGreaterThan(fewest(50));
});

test("bytes that end early match only prefixes that fit into them", () => {
  const list = prefixList([unhex("00000000"), unhex("0000000000"), unhex("000000000000")]);
  expect([0, 3, 4, 5, 6, 32].map((length) => longestMatch(list, new Uint8Array(length)))).toEqual([
    0, 0, 4, 5, 6, 6,
  ]);
  expect(longestMatch(list, new Uint8Array(9), 4)).toBe(5);
  expect(longestMatch(list, new Uint8Array(9), 9)).toBe(0);
});

test.each([-1, 0.5, 33, Number.NaN, 2 ** 32])("the offset %d is refused", (offset) => {
  expect(() => longestMatch(prefixList([]), new Uint8Array(32), offset)).toThrow(RangeError);
});

const evil = unhex("f001957c");
test.each([
  ["text in hexadecimal", "f001957c", '"f001957c"'],
  ["a view of words", Uint32Array.of(0xf001957c, 0), "an object"],
  ["a Uint8ClampedArray", Uint8ClampedArray.from(evil), "an object"],
  ["an ArrayBuffer", evil.buffer, "an object"],
  ["an array", Array.from(evil), "an array"],
  ["a number", 0xf001957c, "a number"],
  ["null", null, "null"],
  ["nothing", undefined, "undefined"],
])(
  "%s in place of bytes is a TypeError, and never counts as a hash that is not listed",
  (...row) => {
    const [, wrong, kind] = row;
    const list = prefixList([evil]);
    const message = (argument: string) => `${argument} must be a Uint8Array, not ${kind}`;
    expect(() => lookupPrefix(list, wrong as never)).toThrow(new TypeError(message("hash")));
    expect(() => longestMatch(list, wrong as never)).toThrow(new TypeError(message("bytes")));
  },
);

test("an offset or a word that is not a number is a TypeError", () => {
  const list = prefixList([evil]);
  expect(() => longestMatch(list, evil, "0" as never)).toThrow(TypeError);
  expect(() => longestMatch(list, evil, null as never)).toThrow(TypeError);
  expect(() => mayMatch(list, "f001957c" as never)).toThrow(TypeError);
  expect(() => mayMatch(list, undefined as never)).toThrow(TypeError);
});

test("bytes of another realm are looked up as well", () => {
  const foreign: Uint8Array = runInNewContext("Uint8Array.of(0xf0, 0x01, 0x95, 0x7c)");
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(longestMatch(prefixList([evil]), foreign)).toBe(4);
  expect(hex(lookupPrefix(prefixList([evil]), foreign)!)).toBe("f001957c");
});

test("the prefix found is in memory of its own", () => {
  const hash = Buffer.from("0000000100", "hex");
  const found = lookupPrefix(prefixList([unhex("00000001")]), hash);
  hash.fill(9);
  expect(hex(found!)).toBe("00000001");
});

describe("large tables, whose buckets are searched from the index that interpolation gives", () => {
  /** Checks that every member is found, and that a neighbour of a member is found only if it is a member. */
  function check(words: Uint32Array, members: ReadonlySet<number>, list: PrefixList): void {
    let wrong = 0;
    // The deep run checks every word.
    const step = IS_DEEP ? 1 : 5;
    for (let i = 0; i < words.length; i += step) {
      const word = words[i]!;
      if (!mayMatch(list, word)) wrong++;
      for (const near of [(word - 1) >>> 0, (word + 1) >>> 0, word ^ 0x8000, word ^ 0x10000]) {
        if (mayMatch(list, near) !== members.has(near >>> 0)) wrong++;
      }
    }
    expect(wrong).toBe(0);
  }
  /** Counts the members that are, and are not, within 8 of the index that interpolation gives in their bucket. */
  function guesses(words: Uint32Array): { near: number; far: number } {
    const sorted = Uint32Array.from(new Set(words)).sort();
    const counted = { near: 0, far: 0 };
    let from = 0;
    for (let end = 1; end <= sorted.length; end++) {
      if (end < sorted.length && sorted[end]! >>> 16 === sorted[from]! >>> 16) continue;
      for (let i = from; end - from > 32 && i < end; i++) {
        const guess = from + Math.floor(((sorted[i]! & 0xffff) * (end - from)) / 65_536);
        counted[Math.abs(guess - i) <= 8 ? "near" : "far"]++;
      }
      from = end;
    }
    return counted;
  }

  test("evenly spread", { tags: "deep" }, () => {
    // All words are in a sixteenth of the buckets, so that each of these buckets has about a hundred.
    const words = randomWords(400_000, 11).map((word) => word >>> 4);
    const { near, far } = guesses(words);
    expect(near).toBeGreaterThan(200_000);
    expect(far).toBeGreaterThan(10_000);
    check(words, new Set(words), prefixList([{ prefixBytes: 4, rawHashes: pack(words) }]));
  });

  test("crowded at one end of each bucket, and in few buckets", { tags: "deep" }, () => {
    const words = randomWords(200_000, 12).map((word, i) =>
      i % 4 === 0 ? word : (word & 0x000301ff) | (i % 2 === 0 ? 0xfffcfe00 : 0),
    );
    // Many of the words above are equal. The words below, in a 256th of the buckets, make the table large.
    const more = randomWords(200_000, 13).map((word) => word & 0x00ffffff);
    const ends = [0, 0xffffffff, 0xffff0000, 0xffff, 0x10000];
    const members = Uint32Array.from([words, more, ends].flatMap((part) => [...part]));
    const list = prefixList([{ prefixBytes: 4, rawHashes: pack(members) }]);
    expect(list.tables[0]!.halves.length).toBe(list.size);
    expect(guesses(members).far).toBeGreaterThan(1_000);
    check(members, new Set(members), list);
  });

  test("a full bucket", () => {
    const words = Uint32Array.from({ length: 140_000 }, (_, i) => 0x7ffe8000 + i);
    const list = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }]);
    check(words, new Set(words), list);
  });

  test("longer prefixes, many with the same first word", { tags: "deep" }, () => {
    const words = randomWords(150_000, 14).map((word, i) => (i % 3 === 0 ? 0xabcdef01 : word));
    const packed = pack(words, 4);
    const view = new DataView(packed.buffer);
    words.forEach((_, i) => {
      view.setUint32(i * 8 + 4, i * 2);
    });
    const list = prefixList([{ prefixBytes: 8, rawHashes: packed }]);
    expect(list.tables[0]!.halves.length).toBe(150_000);
    let wrong = 0;
    for (let i = 0; i < words.length; i++) {
      if (longestMatch(list, packed.subarray(i * 8, i * 8 + 8)) !== 8) wrong++;
      view.setUint32(i * 8 + 4, i * 2 + 1);
      if (longestMatch(list, packed.subarray(i * 8, i * 8 + 8)) !== 0) wrong++;
    }
    expect(wrong).toBe(0);
  });
});
