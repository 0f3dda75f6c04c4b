import { decodePrefixList, encodePrefixList, lookupPrefix, prefixList } from "@x/prefix-list";
import { decodeTables, encodeTables } from "@x/prefix-list/tables";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facts, prefixSet } from "./arbitraries.ts";
import { codeOf } from "./code-of.ts";
import { pack, randomWords, unhex } from "./oracle.ts";

const runs = { seed: 20261127, numRuns: sampleSize(300) };

/** A copy of the bytes at another offset in other memory. */
function moved(file: Uint8Array, by: number): Uint8Array {
  const memory = new Uint8Array(file.length + by + 3);
  memory.set(file, by);
  return memory.subarray(by, by + file.length);
}

test("a list is read back as it was, wherever the bytes are in memory", { tags: "deep" }, () => {
  fc.assert(
    fc.property(prefixSet, facts, fc.integer({ min: 0, max: 7 }), (texts, options, by) => {
      const list = prefixList(texts.map(unhex), options);
      const file = encodeTables(list);
      const read = decodeTables(moved(file, by));
      expect(read).toEqual(list);
      expect(encodeTables(read)).toEqual(file);
      expect(encodeTables(list, by)).toEqual(Uint8Array.of(...new Uint8Array(by), ...file));
      expect(encodePrefixList(read)).toEqual(encodePrefixList(list));
    }),
    runs,
  );
});

test.each([4, 5, 32])("a large list of %i-byte prefixes is searched in the bytes", (bytes) => {
  const rawHashes = pack(randomWords(140_000, bytes), bytes - 4);
  const list = prefixList([{ prefixBytes: bytes, rawHashes }], { name: "large" });
  const file = encodeTables(list);
  const read = decodeTables(file);
  expect(read.tables[0]!.halves.length).toBe(list.size);
  for (const view of Object.values(read.tables[0]!).filter(ArrayBuffer.isView)) {
    expect(view.buffer).toBe(file.buffer);
  }
  const same = Buffer.from(encodePrefixList(list));
  expect(same.equals(encodePrefixList(read))).toBe(true);
  expect(same.equals(encodePrefixList(decodeTables(moved(file, 1))))).toBe(true);
  const listed = rawHashes.slice(0, bytes);
  expect(lookupPrefix(read, listed)).toEqual(listed);
});

test("a large table that is out of order is refused", () => {
  const list = prefixList([{ prefixBytes: 4, rawHashes: pack(randomWords(140_000, 4), 0) }]);
  const file = encodeTables(list);
  const { buckets, halves } = decodeTables(file).tables[0]!;
  const pair = buckets.find((from, bucket) => buckets[bucket + 1]! - from > 1)!;
  for (const [numbers, at, value] of [
    [halves, pair, halves[pair + 1]!],
    [halves, pair + 1, 0],
    [buckets, 0, 1],
    [buckets, 1000, list.size + 1],
    [buckets, buckets.length - 1, list.size - 1],
  ] as const) {
    const before = numbers[at]!;
    numbers[at] = value;
    expect(codeOf(() => decodeTables(file))).toBe("body-damaged");
    numbers[at] = before;
  }
  expect(codeOf(() => decodeTables(file))).toBe("none");
});

describe("damage", () => {
  const list = prefixList(
    ["00000001", "ba7816bf", "ba7816c0", "ba7816bf8f", "ba7816bf90", "fe00000000000001"].map(unhex),
    { name: "ü", created: 1_234_567_890_123 },
  );
  const file = encodeTables(list);

  test("a changed byte is an error or gives another list that is in order", () => {
    let errors = 0;
    for (let at = 0; at < file.length; at++) {
      for (const bit of [1, 0x80]) {
        const damaged = file.slice();
        damaged[at]! ^= bit;
        if (codeOf(() => decodeTables(damaged)) !== "none") {
          errors++;
          continue;
        }
        const read = decodeTables(damaged);
        // Only sorted prefixes give a list file that can be read.
        const sha256 = () => unhex(read.checksum);
        expect(decodePrefixList(encodePrefixList(read), { sha256 })).toEqual(read);
      }
    }
    expect(errors).toBeGreaterThan(file.length);
  });

  test("a file that ends early, or goes on, is an error", () => {
    for (let length = 0; length < file.length; length++) {
      const code = codeOf(() => decodeTables(file.subarray(0, length)));
      expect(code).toBe(length === 0 ? "foreign" : "truncated");
    }
    expect(codeOf(() => decodeTables(Uint8Array.of(...file, 0)))).toBe("body-damaged");
  });

  test("files of other kinds and of other layouts are refused", () => {
    expect(codeOf(() => decodeTables(encodePrefixList(list)))).toBe("foreign");
    expect(codeOf(() => decodePrefixList(file))).toBe("foreign");
    const other = new TextDecoder("latin1").decode(file).replace("tables-1", "tables-2");
    const bytes = Uint8Array.from(other, (character) => character.charCodeAt(0));
    expect(codeOf(() => decodeTables(bytes))).toBe("layout-unsupported");
    expect(() => decodeTables("file" as never)).toThrow(TypeError);
    expect(() => encodeTables({} as never)).toThrow(TypeError);
  });

  const good = { layout: "tables-1", name: "", created: 0, checksum: "0".repeat(64), lengths: [] };
  const length = { prefixBytes: 4, count: 1 };
  test.each<[string, unknown]>([
    ["null", null],
    ["a missing name", { ...good, name: undefined }],
    ["a name with half of a pair", { ...good, name: "\ud800" }],
    ["a time before 1970", { ...good, created: -1 }],
    ["a checksum that is none", { ...good, checksum: "0" }],
    ["lengths that are no array", { ...good, lengths: {} }],
    ["a length without a count", { ...good, lengths: [{ prefixBytes: 4 }] }],
    ["a count of 0", { ...good, lengths: [{ prefixBytes: 4, count: 0 }] }],
    ["a count that is no number", { ...good, lengths: [{ prefixBytes: 4, count: "1" }] }],
    ["prefixes that are too short", { ...good, lengths: [{ prefixBytes: 3, count: 1 }] }],
    ["prefixes that are too long", { ...good, lengths: [{ prefixBytes: 33, count: 1 }] }],
    ["the same length twice", { ...good, lengths: [length, length] }],
  ])("a header with %s is refused", (_, header) => {
    expect(codeOf(() => decodeTables(withHeader(header)))).toBe("header-invalid");
  });

  test("no memory is allocated for a count that the file cannot have", () => {
    for (const count of [1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const bytes = withHeader({ ...good, lengths: [{ prefixBytes: 32, count }] });
      expect(codeOf(() => decodeTables(bytes))).toBe("truncated");
    }
  });

  function withHeader(header: unknown): Uint8Array {
    const text = new TextEncoder().encode(JSON.stringify(header));
    const bytes = new Uint8Array(12 + text.length);
    bytes.set(file.subarray(0, 8));
    new DataView(bytes.buffer).setUint32(8, text.length, true);
    bytes.set(text, 12);
    return bytes;
  }
});
