import { isDeepStrictEqual } from "node:util";
import {
  applyDifference,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  prefixes,
  prefixList,
  prefixListBuilder,
  prefixListFileKind,
  rawHashesIn,
} from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixSet } from "./arbitraries.ts";
import { pack, plain, plainOf, randomWords, unhex } from "./oracle.ts";

const runs = { seed: 20261121, numRuns: sampleSize(200) };

describe("a builder", () => {
  test("makes one list after another, each from the entries added since the last", () => {
    const builder = prefixListBuilder();
    fc.assert(
      fc.property(prefixSet, (texts) => {
        for (const text of texts) builder.add(unhex(text));
        expect(builder.count).toBe(texts.length);
        expect(plainOf(builder.build({ name: "n", created: 1 }))).toEqual(plain(texts));
        expect(builder.count).toBe(0);
      }),
      runs,
    );
  });

  test("takes more entries than fit into one piece of memory, one by one and many at once", {
    tags: "deep",
  }, () => {
    const words = randomWords(300_000, 31);
    const expected = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }], { created: 0 });
    const builder = prefixListBuilder({ prefixBytes: 4 });
    const packed = pack(words, 28);
    const add = (from: number, to: number) =>
      builder.add({ prefixBytes: 32, rawHashes: packed.subarray(from * 32, to * 32) });
    add(0, 10);
    for (let i = 10; i < 150_000; i++) builder.add(packed.subarray(i * 32, i * 32 + 32));
    add(150_000, 299_999);
    builder.add({ prefixBytes: 4, rawHashes: pack([words[299_999]!, words[0]!]) });
    expect(builder.count).toBe(300_001);
    expect(isDeepStrictEqual(builder.build({ created: 0 }), expected)).toBe(true);
  });

  test("copies what it is given", () => {
    const builder = prefixListBuilder();
    const hash = fullHash("a");
    builder.add(hash);
    hash.fill(0);
    expect(plainOf(builder.build())).not.toEqual(["00".repeat(32)]);
  });

  test("keeps its entries when it refuses a name or a time", () => {
    const builder = prefixListBuilder();
    builder.add(unhex("00000001"));
    expect(() => builder.build({ name: "\ud800" })).toThrow(RangeError);
    expect(() => builder.build({ created: -1 })).toThrow(RangeError);
    expect(plainOf(builder.build({ name: "x" }))).toEqual(["00000001"]);
  });

  test("goes on after it refuses an entry", () => {
    const builder = prefixListBuilder({ prefixBytes: 8, maxEntries: 2 });
    const wrong = [new Uint8Array(0), new Uint8Array(4), new Uint8Array(33)];
    for (const entry of wrong) expect(() => builder.add(entry)).toThrow(RangeError);
    expect(() => builder.add("00000001" as never)).toThrow(TypeError);
    builder.add(fullHash("a"));
    builder.add(fullHash("a"));
    const tooMany = expect.objectContaining({ code: "too-many-entries", index: null });
    expect(() => builder.add(fullHash("b"))).toThrow(tooMany);
    expect(builder.count).toBe(2);
    expect(builder.build().size).toBe(1);
  });

  test.each([[{ prefixBytes: 3 }], [{ prefixBytes: 33 }], [{ maxEntries: -1 }]])(
    "%j",
    (options) => {
      expect(() => prefixListBuilder(options)).toThrow(RangeError);
    },
  );
  test.each([[{ prefixBytes: "4" }], [{ maxEntries: "4" }], [{ maxEntries: null }]])(
    "%j",
    (options) => {
      expect(() => prefixListBuilder(options as never)).toThrow(TypeError);
    },
  );
});

describe("maxEntries", () => {
  const words = randomWords(100, 32);
  const created = 0;
  const list = prefixList([{ prefixBytes: 4, rawHashes: pack(words) }, fullHash("a")], { created });
  const empty = prefixList([], { created });
  const tooMany = expect.objectContaining({ code: "too-many-entries" });
  const calls: [string, number, (maxEntries: number) => { size: number }][] = [
    ["prefixList", 101, (maxEntries) => prefixList(prefixes(list), { maxEntries })],
    [
      "prefixList of sorted raw hashes",
      100,
      (maxEntries) => prefixList(rawHashesIn(list).slice(0, 1), { maxEntries }),
    ],
    [
      "decodePrefixList",
      101,
      (maxEntries) => decodePrefixList(encodePrefixList(list), { maxEntries }),
    ],
    [
      "applyDifference",
      101,
      (maxEntries) => applyDifference(empty, diffPrefixLists(empty, list), { maxEntries }),
    ],
    [
      "decodeDifference, additions",
      101,
      (maxEntries) => {
        const file = encodeDifference(diffPrefixLists(empty, list));
        return { size: decodeDifference(file, { maxEntries }).additions.length };
      },
    ],
    [
      "decodeDifference, removals",
      101,
      (maxEntries) => {
        const file = encodeDifference(diffPrefixLists(list, empty));
        return { size: decodeDifference(file, { maxEntries }).removals.length };
      },
    ],
  ];
  test.each(calls)("%s accepts maxEntries entries and no more", (_, count, call) => {
    expect(call(count).size).toBeGreaterThan(0);
    expect(() => call(count - 1)).toThrow(tooMany);
    expect(() => call(-1)).toThrow(RangeError);
    expect(() => call(0.5)).toThrow(RangeError);
    expect(() => call("1" as never)).toThrow(TypeError);
  });

  test("is 2 ** 25 by default, and is checked before memory is allocated", () => {
    const rawHashes = new Uint8Array(4 * (2 ** 25 + 1));
    expect(() => prefixList([{ prefixBytes: 4, rawHashes }])).toThrow(tooMany);
  });
});

describe("the kind of a file", () => {
  const list = prefixList([unhex("00000001")]);
  const file = encodePrefixList(list);
  test("is list, difference or none", () => {
    expect(prefixListFileKind(file)).toBe("list");
    expect(prefixListFileKind(encodeDifference(diffPrefixLists(list, list)))).toBe("difference");
    expect(prefixListFileKind(new TextEncoder().encode("http://a.example/"))).toBeNull();
    expect(prefixListFileKind(new Uint8Array(0))).toBeNull();
    expect(prefixListFileKind(file.subarray(0, 7))).toBeNull();
  });
  test("is list for a file that is cut off or damaged, so that decoding it gives the error", () => {
    expect(prefixListFileKind(file.subarray(0, 8))).toBe("list");
    expect(prefixListFileKind(file.slice().fill(9, 8, 10))).toBe("list");
  });
  test("anything but a Uint8Array is a TypeError", () => {
    expect(() => prefixListFileKind("list" as never)).toThrow(TypeError);
  });
});
