import {
  applyDifference,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  lookupPrefix,
  type PrefixList,
  prefixes,
  prefixList,
  prefixListBuilder,
  prefixListFileKind,
  rawHashesIn,
  sharePrefixList,
} from "@x/prefix-list";
import { riceDecode, riceEncode } from "@x/prefix-list/rice";
import { checkLayout, longestMatch, mayMatch } from "@x/prefix-list/search";
import { afterEach, describe, expect, test } from "vitest";
import { pack, plainOf, randomWords, unhex } from "./oracle.ts";

/** The same value, after its buffers were transferred. */
function detached<T>(value: T, ...buffers: ArrayBufferLike[]): T {
  structuredClone(null, { transfer: buffers as ArrayBuffer[] });
  return value;
}

function detachedBytes(): Uint8Array {
  const bytes = unhex("0000000100000002");
  return detached(bytes, bytes.buffer);
}

describe("bytes whose buffer was transferred", () => {
  const list = prefixList([unhex("00000001")]);
  const difference = diffPrefixLists(prefixList([]), list);
  const uses: [string, (bytes: Uint8Array) => unknown][] = [
    ["prefixList", (bytes) => prefixList([bytes])],
    ["prefixList, raw hashes", (rawHashes) => prefixList([{ prefixBytes: 4, rawHashes }])],
    ["prefixListBuilder", (bytes) => prefixListBuilder().add(bytes)],
    ["lookupPrefix", (bytes) => lookupPrefix(list, bytes)],
    ["longestMatch", (bytes) => longestMatch(list, bytes)],
    ["decodePrefixList", (bytes) => decodePrefixList(bytes)],
    ["decodeDifference", (bytes) => decodeDifference(bytes)],
    ["prefixListFileKind", prefixListFileKind],
    [
      "riceDecode",
      (encodedData) =>
        riceDecode({ firstValue: 1, riceParameter: 3, entriesCount: 0, encodedData }),
    ],
    [
      "encodeDifference",
      (rawHashes) =>
        encodeDifference({ ...difference, additions: [{ prefixBytes: 4, rawHashes }] }),
    ],
  ];
  test.each(uses)("%s throws a TypeError that says that", (_, use) => {
    expect(() => use(detachedBytes())).toThrow(
      /^[\w ]+ must not be a Uint8Array whose buffer was transferred$/,
    );
    expect(() => use(detachedBytes())).toThrow(TypeError);
  });
  test("empty bytes that have a buffer are accepted", () => {
    expect(longestMatch(list, new Uint8Array(0))).toBe(0);
    expect(prefixListFileKind(new Uint8Array(0))).toBeNull();
    expect(prefixList([{ prefixBytes: 4, rawHashes: new Uint8Array(0) }]).size).toBe(0);
  });
  test("removals that were transferred do not fit the counts", () => {
    const removing = diffPrefixLists(list, prefixList([]));
    detached(removing, removing.removals.buffer);
    expect(() => applyDifference(list, removing)).toThrow(
      expect.objectContaining({ code: "difference-invalid" }),
    );
  });
  test("values that were transferred count as no values", () => {
    const values = Uint32Array.of(1, 2);
    expect(() => riceEncode(detached(values, values.buffer))).toThrow(RangeError);
  });
});

describe("a list whose buffers were transferred", () => {
  const small = () => prefixList(["00000001", "000000020a"].map(unhex));
  const large = () =>
    prefixList([{ prefixBytes: 5, rawHashes: pack(randomWords(200_000, 41), 1) }]);
  const fields = ["buckets", "halves", "words", "rests"] as const;
  /** A list without the memory of each array in turn, with a whole copy of the list. */
  const cases = [small, large].flatMap((make) =>
    make().tables.flatMap((table, number) =>
      fields
        .filter((field) => table[field].length > 0)
        .map((field) => {
          const list = make();
          detached(list, list.tables[number]![field].buffer);
          return [make.name, number, field, list, make()] as const;
        }),
    ),
  );
  test("there are cases of every kind", () => {
    expect(new Set(cases.map(([, , field]) => field)).size).toBe(fields.length);
  });
  test.each(cases)("%s, table %i without %s: a TypeError, never a miss", (...row) => {
    const [, number, field, list, whole] = row;
    for (const use of [
      checkLayout,
      rawHashesIn,
      encodePrefixList,
      (value: PrefixList) => lookupPrefix(value, unhex("00000001")),
    ]) {
      expect(() => use(list)).toThrow(TypeError);
    }
    const { prefixBytes } = whole.tables[number]!;
    const members = [...prefixes(whole)].filter(({ length }) => length === prefixBytes);
    for (const member of members.slice(0, 50)) {
      expect(() => longestMatch(list, member)).toThrow(TypeError);
      if (field === "rests") continue;
      const word = new DataView(member.buffer).getUint32(0);
      expect(() => mayMatch(list, word)).toThrow(TypeError);
    }
  });
});

describe("properties of Object.prototype change no result", () => {
  const names = {
    name: "polluted",
    created: 1,
    prefixBytes: 4,
    maxEntries: 0,
    allowOlder: true,
    allowRename: true,
    riceParameters: [9, 9],
    layout: "tables-1",
    tables: [],
    rawHashes: new Uint8Array(4),
    lengths: [],
    oldLengths: [],
    removals: new Uint32Array(0),
    additions: [],
    checksum: "",
    oldChecksum: "",
    firstValue: 1,
    riceParameter: 3,
    entriesCount: 0,
    encodedData: new Uint8Array(0),
    4: {},
    8: {},
  };
  const list = prefixList([unhex("0000000100000002"), unhex("00000003")], { created: 5 });
  const next = prefixList([unhex("00000003")], { created: 4 });
  const difference = diffPrefixLists(list, next);
  const polluted = Object.prototype as unknown as Record<string, unknown>;

  function pollute(): void {
    for (const [name, value] of Object.entries(names)) {
      Object.defineProperty(polluted, name, { value, configurable: true, writable: true });
    }
  }
  afterEach(() => {
    for (const name of Object.keys(names)) delete polluted[name];
  });
  /** The result or error of a call while `Object.prototype` is polluted. */
  function whilePolluted(run: () => unknown): unknown {
    pollute();
    try {
      return run();
    } catch (error) {
      return error;
    } finally {
      for (const name of Object.keys(names)) delete polluted[name];
    }
  }

  test("not those of options", () => {
    const made = whilePolluted(() => {
      const built = prefixList([unhex("0000000100000002"), unhex("00000003")]);
      return { text: [...plainOf(built)], name: built.name, isOld: built.created === 1 };
    });
    const text = ["0000000100000002", "00000003"];
    expect(made).toEqual({ text, name: "", isOld: false });
    const built = whilePolluted(() => {
      const builder = prefixListBuilder();
      builder.add(unhex("0000000100000002"));
      return builder.build().lengths;
    });
    expect(built).toEqual([{ prefixBytes: 8, count: 1 }]);
    expect(whilePolluted(() => decodePrefixList(encodePrefixList(list)))).toEqual(list);
    expect(whilePolluted(() => decodeDifference(encodeDifference(difference)))).toEqual(difference);
    expect(whilePolluted(() => applyDifference(list, difference))).toMatchObject({
      code: "created-earlier",
    });
    expect(whilePolluted(() => riceEncode(Uint32Array.of(1, 2)).riceParameter)).toBe(3);
  });

  test.each<[string, () => unknown]>([
    ["a list", () => checkLayout({})],
    ["a list to encode", () => encodePrefixList({} as never)],
    ["a list to share", () => sharePrefixList({} as never)],
    ["raw hashes", () => prefixList([{} as never])],
    ["a difference", () => applyDifference(list, {} as never)],
    [
      "the lengths of a difference",
      () => encodeDifference({ ...difference, lengths: [{} as never] }),
    ],
    ["Rice codes", () => riceDecode({} as never)],
  ])("not those of %s", (_, run) => {
    expect(whilePolluted(run)).toBeInstanceOf(TypeError);
  });
});
