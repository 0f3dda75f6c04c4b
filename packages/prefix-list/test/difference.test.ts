import {
  applyDifference,
  decodeDifference,
  diffPrefixLists,
  encodeDifference,
  type PrefixListDifference,
  type PrefixListErrorCode,
  prefixList,
} from "@x/prefix-list";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facts, prefixSet } from "./arbitraries.ts";
import { octets, pack, plain, plainOf, randomWords } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: 300 };

test("a difference applied to the first list gives the second, exactly", () => {
  let bothWays = 0;
  let mixed = 0;
  fc.assert(
    fc.property(prefixSet, prefixSet, prefixSet, facts, (common, before, after, options) => {
      const from = prefixList([...common, ...before].map(octets), { name: "old" });
      const to = prefixList([...common, ...after].map(octets), options);
      const difference = diffPrefixLists(from, to);
      expect(applyDifference(from, difference)).toEqual(to);
      expect(decodeDifference(encodeDifference(difference))).toEqual(difference);

      const [old, fresh] = [plainOf(from), plainOf(to)];
      const removed = [...difference.removals].map((place) => old[place]!);
      expect(removed).toEqual(old.filter((prefix) => !fresh.includes(prefix)));
      const added = difference.additions.flatMap((batch) => plainOf(prefixList([batch])));
      expect(plain(added)).toEqual(fresh.filter((prefix) => !old.includes(prefix)));
      if (removed.length > 0 && added.length > 0) bothWays++;
      if (from.tables.length > 1 && removed.length > 0) mixed++;
    }),
    runs,
  );
  expect(bothWays).toBeGreaterThan(100);
  expect(mixed).toBeGreaterThan(100);
});

test("a hundredth of 200 000 prefixes changes", () => {
  const words = randomWords(200_000, 21);
  const from = prefixList([{ prefixSize: 4, rawHashes: pack(words) }], { name: "a", created: 1 });
  const later = words.map((word, i) => (i % 100 === 0 ? word ^ 0x5a5a5a5a : word));
  const to = prefixList([{ prefixSize: 4, rawHashes: pack(later) }], { name: "b", created: 2 });
  const file = encodeDifference(diffPrefixLists(from, to));
  expect(applyDifference(from, decodeDifference(file))).toEqual(to);
  // 2 000 removals of about 8 bits and 2 000 additions of about 23.
  expect(file.length).toBeLessThan(2000 * 4);
});

describe("a difference that is none", () => {
  const from = prefixList(["00000001", "00000002", "0000000203"].map(octets), { created: 1 });
  const to = prefixList(["00000001", "00000003", "0000000303"].map(octets), { created: 2 });
  const good = diffPrefixLists(from, to);
  const word = octets("00000003");

  test("this one is good", () => {
    expect(applyDifference(from, good)).toEqual(to);
  });
  test("an error of a record has no index", () => {
    const wrong = { ...good, removals: Uint32Array.of(2, 1) };
    expect(() => applyDifference(from, wrong)).toThrow(
      expect.objectContaining({
        index: null,
        message:
          "In the difference removal 1 is out of order: expected removals and additions in order and in range, and checksums of 64 digits (@x/prefix-list, applyDifference).",
      }),
    );
  });

  test.each<[string, PrefixListErrorCode, Partial<PrefixListDifference>]>([
    ["for another list", "base-wrong", { oldChecksum: to.checksum }],
    ["to another list", "checksum-wrong", { checksum: from.checksum }],
    ["without the removals", "checksum-wrong", { removals: Uint32Array.of() }],
    ["without the additions", "checksum-wrong", { additions: [] }],
    ["with another removal", "checksum-wrong", { removals: Uint32Array.of(0, 2) }],
    ["removing beyond the list", "difference-invalid", { removals: Uint32Array.of(1, 3) }],
    [
      "removing far beyond the list",
      "difference-invalid",
      { removals: Uint32Array.of(0xffffffff) },
    ],
    ["removing out of order", "difference-invalid", { removals: Uint32Array.of(2, 1) }],
    ["removing twice", "difference-invalid", { removals: Uint32Array.of(1, 1, 2) }],
    ["a checksum in capitals", "difference-invalid", { checksum: to.checksum.toUpperCase() }],
    ["a checksum too short", "difference-invalid", { oldChecksum: "00" }],
    [
      "additions of 3 octets",
      "difference-invalid",
      { additions: [{ prefixSize: 3, rawHashes: new Uint8Array(3) }] },
    ],
    [
      "additions of 33 octets",
      "difference-invalid",
      { additions: [{ prefixSize: 33, rawHashes: new Uint8Array(33) }] },
    ],
    [
      "half an addition",
      "difference-invalid",
      { additions: [{ prefixSize: 4, rawHashes: new Uint8Array(6) }] },
    ],
    [
      "no additions of a length",
      "difference-invalid",
      { additions: [{ prefixSize: 4, rawHashes: new Uint8Array(0) }] },
    ],
    [
      "a length twice",
      "difference-invalid",
      { additions: [good.additions[0]!, good.additions[0]!] },
    ],
    [
      "additions out of order",
      "difference-invalid",
      { additions: [{ prefixSize: 4, rawHashes: Uint8Array.of(...word, 0, 0, 0, 0) }] },
    ],
    [
      "an addition twice",
      "difference-invalid",
      { additions: [{ prefixSize: 4, rawHashes: Uint8Array.of(...word, ...word) }] },
    ],
  ])("%s", (what, code, change) => {
    const bad = { ...good, ...change };
    expect(() => applyDifference(from, bad)).toThrow(expect.objectContaining({ code }));
    // What no difference can be is not written either; how long the list is, only the list knows.
    if (code === "difference-invalid" && !what.includes("beyond")) {
      expect(() => encodeDifference(bad)).toThrow(expect.objectContaining({ code }));
    }
  });
  test("a time that no list can have", () => {
    expect(() => applyDifference(from, { ...good, created: -1 })).toThrow(RangeError);
    expect(() => encodeDifference({ ...good, created: -1 })).toThrow(RangeError);
  });
});
