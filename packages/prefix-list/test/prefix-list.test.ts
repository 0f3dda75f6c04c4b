import { runInNewContext } from "node:vm";
import {
  decodePrefixList,
  encodePrefixList,
  prefixes,
  prefixList,
  rawHashesIn,
} from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixSet } from "./arbitraries.ts";
import { hex, pack, plain, plainChecksum, plainOf, randomWords, unhex } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: sampleSize(300) };

test("a list has the given members, sorted and once each, and their checksum", () => {
  let mixed = 0;
  let folded = 0;
  fc.assert(
    fc.property(prefixSet, (texts) => {
      const list = prefixList(texts.map(unhex), { name: "n", created: 1 });
      const expected = plain(texts);
      if (list.tables.length > 1) mixed++;
      if (expected.length < texts.length) folded++;
      expect(plainOf(list)).toEqual(expected);
      expect(list.size).toBe(expected.length);
      expect(list.checksum).toBe(plainChecksum(expected));
    }),
    runs,
  );
  expect(mixed).toBeGreaterThan(fewest(100));
  expect(folded).toBeGreaterThan(fewest(20));
});

test("single prefixes, raw hashes and a mixture of both make the same list", () => {
  fc.assert(
    fc.property(prefixSet, fc.nat(60), (texts, cut) => {
      const single = prefixList(texts.map(unhex), { created: 1 });
      const groups = [4, 5, 6, 8, 16, 31, 32].map((prefixBytes) => ({
        prefixBytes,
        rawHashes: unhex(
          texts
            .slice(cut)
            .filter((text) => text.length === 2 * prefixBytes)
            .join(""),
        ),
      }));
      const mixture = [...texts.slice(0, cut).map(unhex), ...groups];
      expect(prefixList(mixture, { created: 1 })).toEqual(single);
      expect(prefixList(rawHashesIn(single), { created: 1 })).toEqual(single);
    }),
    runs,
  );
});

test("full hashes are cut", () => {
  const hashes = ["a", "b", "c"].map((text) => fullHash(text));
  for (const prefixBytes of [4, 5, 31, 32]) {
    const expected = plain(hashes.map((hash) => hex(hash).slice(0, 2 * prefixBytes)));
    expect(plainOf(prefixList(hashes, { prefixBytes }))).toEqual(expected);
    for (const texts of [hashes.map(hex), hashes.map(hex).sort()]) {
      const group = { prefixBytes: 32, rawHashes: unhex(texts.join("")) };
      expect(plainOf(prefixList([group], { prefixBytes }))).toEqual(expected);
    }
  }
});

test("a merged list has the members of all lists", () => {
  fc.assert(
    fc.property(fc.array(prefixSet, { maxLength: 4 }), (sets) => {
      const lists = sets.map((texts) => prefixList(texts.map(unhex)));
      const merged = prefixList(lists.flatMap(rawHashesIn), { name: "all", created: 3 });
      expect(plainOf(merged)).toEqual(plain(sets.flat()));
      expect(merged).toMatchObject({ name: "all", created: 3 });
    }),
    runs,
  );
});

test("a million prefixes in any order make one list, which takes the promised number of bytes", {
  tags: "deep",
}, () => {
  const words = randomWords(1_000_000, 7);
  const sorted = Uint32Array.from(new Set(words)).sort();
  const list = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }]);
  expect(hex(rawHashesIn(list)[0]!.rawHashes) === hex(pack(sorted))).toBe(true);
  const bytes = list.tables
    .flatMap(({ buckets, halves, words, rests }) => [buckets, halves, words, rests])
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(bytes / list.size).toBeLessThanOrEqual(2.3);
  // For 10 million prefixes, the buckets are the same, and each further prefix takes two bytes.
  expect((bytes + 2 * 9_000_000) / 10_000_000).toBeLessThanOrEqual(2.1);
});

test("a small list does not take the memory of a large one", () => {
  const list = prefixList([{ prefixBytes: 4, rawHashes: pack(randomWords(10, 1)) }]);
  const bytes = list.tables.flatMap((table) => [table.buckets, table.halves, table.words]);
  expect(bytes.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(100);
});

test("a list shares no memory with its callers", () => {
  const given = unhex("0000000100000002");
  const list = prefixList([{ prefixBytes: 4, rawHashes: given }]);
  given.fill(9);
  rawHashesIn(list)[0]!.rawHashes.fill(9);
  for (const prefix of prefixes(list)) prefix.fill(9);
  expect(plainOf(list)).toEqual(["00000001", "00000002"]);
});

test("the name and the time have defaults", () => {
  const before = Date.now();
  const list = prefixList([]);
  expect(list.name).toBe("");
  expect(list.size).toBe(0);
  expect(list.created).toBeGreaterThanOrEqual(before);
  expect(list.created).toBeLessThanOrEqual(Date.now());
});

describe("refused arguments", () => {
  test.each([0, 1, 3, 33, 64])("a prefix of %i bytes", (length) => {
    expect(() => prefixList([new Uint8Array(length)])).toThrow(RangeError);
  });
  test.each([0, 3, 33, 4.5, Number.NaN])("raw hashes and cuts of %d bytes", (prefixBytes) => {
    expect(() => prefixList([{ prefixBytes, rawHashes: new Uint8Array(0) }])).toThrow(RangeError);
    expect(() => prefixList([], { prefixBytes: prefixBytes })).toThrow(RangeError);
  });
  test("a part of a prefix", () => {
    expect(() => prefixList([{ prefixBytes: 5, rawHashes: new Uint8Array(9) }])).toThrow(
      RangeError,
    );
  });
  test("a prefix shorter than the cut", () => {
    expect(() => prefixList([new Uint8Array(4)], { prefixBytes: 5 })).toThrow(RangeError);
  });
  test("more bytes than a list may take, before any is copied", () => {
    const group = { prefixBytes: 32, rawHashes: new Uint8Array(2 ** 31) };
    expect(() => prefixList([group], { maxEntries: 2 ** 30 })).toThrow(RangeError);
    const full = expect.objectContaining({ code: "too-many-entries" });
    expect(() => prefixList([group])).toThrow(full);
  });
  test.each([-1, 0.5, 8.64e15 + 1, Number.NaN, Number.POSITIVE_INFINITY])(
    "the time %d",
    (created) => {
      expect(() => prefixList([], { created })).toThrow(RangeError);
    },
  );
  test.each(["\ud800", "a\udc00b", "x".repeat(65_536), "\u0800".repeat(21_846)])(
    "a name",
    (name) => {
      expect(() => prefixList([], { name })).toThrow(RangeError);
    },
  );
  test.each([[1], ["00000000"], [null], [{}], [{ prefixBytes: 4 }], [[1, 2, 3, 4]]])(
    "%j for a prefix",
    (value) => {
      expect(() => prefixList([value as unknown as Uint8Array])).toThrow(TypeError);
    },
  );
  test("a prefix where prefixes are iterated", () => {
    expect(() => prefixList(new Uint8Array(4) as unknown as Uint8Array[])).toThrow(TypeError);
  });
  test.each([[undefined], [null], [7], [{}]])("%j where prefixes are iterated", (value) => {
    const message = new RegExp(`must be iterable, not (${String(value)}|an? .*)$`);
    expect(() => prefixList(value as never)).toThrow(message);
  });
  test("a name that is not text", () => {
    expect(() => prefixList([], { name: 1 as unknown as string })).toThrow(TypeError);
  });
});

test("bytes of another realm, such as a frame or a test runner, are bytes", () => {
  const foreign: Uint8Array = runInNewContext("Uint8Array.of(1, 2, 3, 4)");
  expect(foreign instanceof Uint8Array).toBe(false);
  const list = prefixList([Uint8Array.of(1, 2, 3, 4)], { created: 0 });
  expect(prefixList([foreign], { created: 0 })).toEqual(list);
  expect(prefixList([{ prefixBytes: 4, rawHashes: foreign }], { created: 0 })).toEqual(list);
  const file: Uint8Array = runInNewContext(`Uint8Array.of(${encodePrefixList(list)})`);
  expect(decodePrefixList(file)).toEqual(list);
});

test.each(["4", null, {}, 4n, new Date(0), true])(
  "anything but a number is a TypeError: %o",
  (value) => {
    const wrong = value as never;
    expect(() => prefixList([], { prefixBytes: wrong })).toThrow(TypeError);
    expect(() => prefixList([], { created: wrong })).toThrow(TypeError);
    expect(() => longestMatch(prefixList([]), new Uint8Array(32), wrong)).toThrow(TypeError);
  },
);
