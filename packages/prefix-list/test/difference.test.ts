import { isDeepStrictEqual } from "node:util";
import {
  type ApplyDifferenceOptions,
  applyDifference,
  decodeDifference,
  diffPrefixLists,
  encodeDifference,
  type LengthChecksum,
  type PrefixListDifference,
  type PrefixListError,
  type PrefixListErrorCode,
  prefixList,
} from "@x/prefix-list";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facts, prefixSets } from "./arbitraries.ts";
import { pack, plain, plainOf, randomWords, unhex } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: sampleSize(300) };
const any = { allowOlder: true, allowRename: true };

test("a difference applied to the first list gives the second, exactly", () => {
  let bothWays = 0;
  let mixed = 0;
  let ofOneLength = 0;
  fc.assert(
    fc.property(prefixSets, facts, ([common, before, after], options) => {
      const from = prefixList([...common, ...before].map(unhex), { name: "old" });
      const to = prefixList([...common, ...after].map(unhex), options);
      const difference = diffPrefixLists(from, to);
      expect(applyDifference(from, difference, any)).toEqual(to);
      const file = encodeDifference(difference);
      expect(decodeDifference(file)).toEqual(difference);
      expect(encodeDifference(decodeDifference(file))).toEqual(file);

      const [old, fresh] = [plainOf(from), plainOf(to)];
      const removed = [...difference.removals].map((index) => old[index]!);
      expect(removed).toEqual(old.filter((prefix) => !fresh.includes(prefix)));
      const added = difference.additions.flatMap((group) => plainOf(prefixList([group])));
      expect(plain(added)).toEqual(fresh.filter((prefix) => !old.includes(prefix)));
      if (removed.length > 0 && added.length > 0) bothWays++;
      if (from.tables.length > 1 && removed.length > 0) mixed++;
      if (from.tables.length === 1 && removed.length > 0) ofOneLength++;
    }),
    runs,
  );
  expect(bothWays).toBeGreaterThan(fewest(100));
  expect(mixed).toBeGreaterThan(fewest(100));
  expect(ofOneLength).toBeGreaterThan(fewest(50));
});

test("a hundredth of 200 000 prefixes changes", () => {
  const words = randomWords(200_000, 21);
  const from = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }], { name: "a", created: 1 });
  const later = words.map((word, i) => (i % 100 === 0 ? word ^ 0x5a5a5a5a : word));
  const to = prefixList([{ prefixBytes: 4, rawHashes: pack(later) }], { name: "b", created: 2 });
  const file = encodeDifference(diffPrefixLists(from, to));
  const applied = applyDifference(from, decodeDifference(file), any);
  expect(isDeepStrictEqual(applied, to)).toBe(true);
  // 2 000 removals take about 8 bits each, and 2 000 additions about 23.
  expect(file.length).toBeLessThan(2000 * 4);
});

test("long lists are compared in parts, with the result of comparing them as a whole", () => {
  const words = randomWords(300_000, 22);
  // Most of these prefixes are close together, so they share a bucket or a few parts.
  const close = words.map((word) => 0x7fff0000 + (word >>> 8));
  const groups = (few: Uint32Array, many: Uint32Array, longer: Uint32Array) =>
    prefixList([
      { prefixBytes: 4, rawHashes: pack(few) },
      { prefixBytes: 5, rawHashes: pack(longer, 1) },
      { prefixBytes: 8, rawHashes: pack(many, 4) },
    ]);
  const none = new Uint32Array(0);
  const lists = [
    groups(none, words.subarray(0, 200_000), none),
    groups(close.subarray(0, 100_000), words.subarray(100_000), none),
    groups(words.subarray(0, 9), close, words.subarray(7, 70)),
    groups(none, words.subarray(0, 50), close.subarray(0, 1000)),
    prefixList([]),
  ].map((list) => {
    const all = plainOf(list);
    return { list, all, set: new Set(all) };
  });
  for (const old of lists) {
    for (const fresh of lists) {
      const { removals, additions } = diffPrefixLists(old.list, fresh.list);
      const removed = Array.from(removals, (index) => old.all[index]!);
      const gone = old.all.filter((each) => !fresh.set.has(each));
      expect(isDeepStrictEqual(removed, gone)).toBe(true);
      const added = additions.flatMap((group) => plainOf(prefixList([group])));
      const lacking = fresh.all.filter((each) => !old.set.has(each));
      expect(isDeepStrictEqual(plain(added), lacking)).toBe(true);
    }
  }
});

describe("a difference that goes back in time or changes the name", () => {
  const [a, b] = [["00000001"], ["00000002"]].map((texts) => texts.map(unhex));
  const list = prefixList(a!, { name: "malware", created: 10 });
  const codeOf = (options: { name: string; created: number }, allowed?: ApplyDifferenceOptions) => {
    const difference = diffPrefixLists(list, prefixList(b!, options));
    try {
      expect(applyDifference(list, difference, allowed)).toEqual(prefixList(b!, options));
      return "none";
    } catch (error) {
      return (error as PrefixListError).code;
    }
  };
  const older = { name: "malware", created: 9 };
  const renamed = { name: "phishing", created: 11 };

  test("is refused", () => {
    expect(codeOf({ name: "malware", created: 10 })).toBe("none");
    expect(codeOf(older)).toBe("created-earlier");
    expect(codeOf(renamed)).toBe("name-different");
    expect(codeOf(older, { allowRename: true })).toBe("created-earlier");
    expect(codeOf(renamed, { allowOlder: true })).toBe("name-different");
  });
  test("is applied when allowed", () => {
    expect(codeOf(older, { allowOlder: true })).toBe("none");
    expect(codeOf(renamed, { allowRename: true })).toBe("none");
    expect(codeOf({ name: "", created: 0 }, { allowOlder: true, allowRename: true })).toBe("none");
  });
  test("is refused for any two lists unless allowed", () => {
    const reached = { older: 0, renamed: 0, applied: 0 };
    const name = fc.constantFrom("", "a", "b");
    const created = fc.nat(3);
    fc.assert(
      fc.property(
        prefixSets,
        fc.record({ name, created }),
        fc.record({ name, created }),
        fc.boolean(),
        fc.boolean(),
        ([, before, after], old, next, allowOlder, allowRename) => {
          const from = prefixList(before.map(unhex), old);
          const to = prefixList(after.map(unhex), next);
          const apply = () =>
            applyDifference(from, diffPrefixLists(from, to), { allowOlder, allowRename });
          if (next.name !== old.name && !allowRename) {
            reached.renamed++;
            expect(apply).toThrow(expect.objectContaining({ code: "name-different" }));
          } else if (next.created < old.created && !allowOlder) {
            reached.older++;
            expect(apply).toThrow(expect.objectContaining({ code: "created-earlier" }));
          } else {
            reached.applied++;
            expect(apply()).toEqual(to);
          }
        },
      ),
      runs,
    );
    for (const times of Object.values(reached)) expect(times).toBeGreaterThan(fewest(20));
  });
  test("another list is refused first", () => {
    const other = prefixList(b!, { name: "other", created: 99 });
    const difference = diffPrefixLists(list, list);
    expect(() => applyDifference(other, difference)).toThrow(
      expect.objectContaining({ code: "base-wrong" }),
    );
  });
  test.each([["yes"], [1], [null]])("%j in place of a boolean is a TypeError", (value) => {
    const difference = diffPrefixLists(list, list);
    for (const name of ["allowOlder", "allowRename"]) {
      expect(() => applyDifference(list, difference, { [name]: value })).toThrow(TypeError);
    }
  });
});

/** The same lengths and counts, with the checksums in another order. */
function swapChecksums(lengths: readonly LengthChecksum[]): LengthChecksum[] {
  return lengths.map((length, i) => ({ ...length, checksum: lengths.at(i - 1)!.checksum }));
}

function withCount(lengths: readonly LengthChecksum[], count: number): LengthChecksum[] {
  return lengths.map((length, i) => (i === 0 ? { ...length, count } : length));
}

test("lists that share checksum and counts are told apart", () => {
  const [a, b] = [
    ["11111111", "2222222233333333"],
    ["1111111122222222", "33333333"],
  ].map((texts) => prefixList(texts.map(unhex), { name: "", created: 0 }));
  expect(a!.checksum).toBe(b!.checksum);
  expect(a!.lengths).toEqual(b!.lengths);
  const difference = diffPrefixLists(a!, b!);
  expect(applyDifference(a!, difference)).toEqual(b);
  const wrong = expect.objectContaining({ code: "base-wrong" });
  expect(() => applyDifference(b!, difference)).toThrow(wrong);
  expect(() => applyDifference(b!, diffPrefixLists(a!, a!))).toThrow(wrong);
  // If a difference describes one of the two lists, the other is not accepted as the result either.
  const bad = { ...diffPrefixLists(a!, a!), lengths: difference.lengths };
  expect(() => applyDifference(a!, bad)).toThrow(
    expect.objectContaining({ code: "checksum-wrong" }),
  );
});

describe("an invalid difference", () => {
  const from = prefixList(["00000001", "00000002", "0000000203"].map(unhex), { created: 1 });
  const to = prefixList(["00000001", "00000003", "0000000303"].map(unhex), { created: 2 });
  const good = diffPrefixLists(from, to);
  const word = unhex("00000003");

  test("the unchanged difference is applied", () => {
    expect(applyDifference(from, good)).toEqual(to);
  });
  test("an error for a record has no index", () => {
    const wrong = { ...good, removals: Uint32Array.of(2, 1) };
    expect(() => applyDifference(from, wrong)).toThrow(
      expect.objectContaining({
        index: null,
        message:
          "In the difference, removal 1 is out of order: expected removals and additions that are in order, in range and consistent with the lengths (@x/prefix-list, applyDifference).",
      }),
    );
  });

  test.each<[string, PrefixListErrorCode, Partial<PrefixListDifference>]>([
    ["for another list", "base-wrong", { oldChecksum: to.checksum }],
    ["for a list of other lengths", "base-wrong", { oldLengths: swapChecksums(good.oldLengths) }],
    ["to another list", "checksum-wrong", { checksum: from.checksum }],
    ["to a list of other lengths", "checksum-wrong", { lengths: swapChecksums(good.lengths) }],
    ["without the removals", "difference-invalid", { removals: Uint32Array.of() }],
    ["without the additions", "difference-invalid", { additions: [] }],
    ["with another removal", "checksum-wrong", { removals: Uint32Array.of(0, 2) }],
    [
      "adding a prefix that is there",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: unhex("00000001") }, good.additions[1]!] },
    ],
    [
      "adding a prefix that it removes",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: unhex("00000002") }, good.additions[1]!] },
    ],
    ["with a count of 0", "difference-invalid", { lengths: withCount(good.lengths, 0) }],
    ["with a count too large", "difference-invalid", { lengths: withCount(good.lengths, 9) }],
    ["with another count", "difference-invalid", { lengths: withCount(good.lengths, 3) }],
    [
      "with a count that is not whole",
      "difference-invalid",
      { lengths: withCount(good.lengths, 1.5) },
    ],
    ["with lengths out of order", "difference-invalid", { lengths: [...good.lengths].reverse() }],
    [
      "to one length with another checksum",
      "difference-invalid",
      { lengths: [{ prefixBytes: 4, count: 4, checksum: from.checksum }] },
    ],
    ["from no lengths", "difference-invalid", { oldLengths: [] }],
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
      "additions of 3 bytes",
      "difference-invalid",
      { additions: [{ prefixBytes: 3, rawHashes: new Uint8Array(3) }] },
    ],
    [
      "additions of 33 bytes",
      "difference-invalid",
      { additions: [{ prefixBytes: 33, rawHashes: new Uint8Array(33) }] },
    ],
    [
      "half an addition",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: new Uint8Array(6) }] },
    ],
    [
      "no additions of a length",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: new Uint8Array(0) }] },
    ],
    [
      "a length twice",
      "difference-invalid",
      { additions: [good.additions[0]!, good.additions[0]!] },
    ],
    [
      "additions out of order",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: Uint8Array.of(...word, 0, 0, 0, 0) }] },
    ],
    [
      "an addition twice",
      "difference-invalid",
      { additions: [{ prefixBytes: 4, rawHashes: Uint8Array.of(...word, ...word) }] },
    ],
  ])("%s", (what, code, change) => {
    const bad = { ...good, ...change };
    expect(() => applyDifference(from, bad)).toThrow(expect.objectContaining({ code }));
    // A difference that contradicts itself cannot be encoded either. Other errors appear only when the difference is
    // compared with the list.
    if (code === "difference-invalid" && !what.startsWith("adding")) {
      expect(() => encodeDifference(bad)).toThrow(expect.objectContaining({ code }));
    }
  });
  test.each<[string, unknown]>([
    ["null", null],
    ["an empty record", {}],
    ["one without lengths", { ...good, lengths: undefined }],
    ["lengths that are numbers", { ...good, oldLengths: [4] }],
    ["removals in an array", { ...good, removals: [1, 2] }],
    ["removals of another type", { ...good, removals: Int32Array.of(1, 2) }],
    ["additions that are not raw hashes", { ...good, additions: [unhex("00000003")] }],
    ["additions that are one group", { ...good, additions: good.additions[0] }],
    ["a name that is not text", { ...good, name: 7 }],
    ["a time that is not a number", { ...good, created: "2" }],
  ])("%s is a TypeError", (_, value) => {
    expect(() => applyDifference(from, value as never)).toThrow(TypeError);
    expect(() => encodeDifference(value as never)).toThrow(TypeError);
  });
  test.each([33, 3, 4.5, Number.NaN])("lengths of %d bytes", (prefixBytes) => {
    const lengths = good.lengths.map((length, i) =>
      i === 1 ? { ...length, prefixBytes } : length,
    );
    const invalid = expect.objectContaining({ code: "difference-invalid" });
    expect(() => encodeDifference({ ...good, lengths })).toThrow(invalid);
  });
  test("a checksum of one length that is not a checksum", () => {
    const lengths = good.lengths.map((length) => ({ ...length, checksum: [length.checksum] }));
    const invalid = expect.objectContaining({ code: "difference-invalid" });
    expect(() => encodeDifference({ ...good, lengths: lengths as never })).toThrow(invalid);
  });
  test("a time that no list can have", () => {
    expect(() => applyDifference(from, { ...good, created: -1 })).toThrow(RangeError);
    expect(() => encodeDifference({ ...good, created: -1 })).toThrow(RangeError);
  });
});
