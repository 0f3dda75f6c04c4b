import { diffPrefixLists, prefixList, rawHashesIn } from "@x/prefix-list";
import { expectLinearGrowth } from "@x/test-support/linear-time";
import { applyUpdate, fullUpdate, type ListUpdate, partialUpdate } from "@x/wire";
import { fromListUpdateResponse, listUpdatesInOrder, toListUpdateResponse } from "@x/wire/v4";
import { fromHashList, hashListsInOrder, toHashList } from "@x/wire/v5";
import { fromThreatListDiff, toThreatListDiff } from "@x/wire/web-risk";
import { describe, expect, test } from "vitest";
import { FACTS } from "./hash-lists.ts";
import { codeOf, fromHex } from "./vectors.ts";

const list = (...texts: string[]) => prefixList(texts.map(fromHex), { name: "own", created: 0 });
const group = (prefixBytes: number, hex: string) => ({ prefixBytes, rawHashes: fromHex(hex) });
const base = list("01000000", "02000000", "03000000");
const nothing: ListUpdate = {
  full: false,
  removals: new Uint32Array(0),
  additions: [],
  checksum: null,
};
const v4Facts = {
  threatType: "MALWARE",
  platformType: "LINUX",
  threatEntryType: "URL",
  newClientState: new Uint8Array(0),
} as const;
const riskFacts = { newVersionToken: new Uint8Array(0), recommendedNextDiff: null };

test("an update that changes nothing keeps the list, with or without a checksum", () => {
  expect(applyUpdate(base, nothing, { name: "own", created: 0 })).toEqual(base);
  const same = partialUpdate(diffPrefixLists(base, base));
  expect(applyUpdate(base, same, { name: "own", created: 0 })).toEqual(base);
});

test("updates that do not fit the list are refused", () => {
  const apply = (update: Partial<ListUpdate>, to: typeof base | null = base) =>
    codeOf(() => applyUpdate(to, { ...nothing, checksum: base.checksum, ...update }));
  expect(apply({}, null)).toBe("base-missing");
  expect(apply({ checksum: "00".repeat(32) })).toBe("checksum-wrong");
  expect(apply({ removals: Uint32Array.of(2) })).toBe("checksum-wrong");
  expect(apply({ removals: Uint32Array.of(3) })).toBe("update-invalid");
  expect(apply({ removals: Uint32Array.of(1, 1) })).toBe("update-invalid");
  expect(apply({ removals: Uint32Array.of(2, 1) })).toBe("update-invalid");
  expect(apply({ additions: [group(4, "02000000")] })).toBe("update-invalid");
  // Browsers, too, refuse to remove an entry and add it again.
  const again = { removals: Uint32Array.of(1), additions: [group(4, "02000000")] };
  expect(apply(again)).toBe("update-invalid");
  expect(apply({ additions: [group(4, "0500000004000000")] })).toBe("update-invalid");
  expect(apply({ additions: [group(5, "0200000001")] })).toBe("additions-overlap");
  expect(apply({ full: true, removals: Uint32Array.of(0) })).toBe("full-update-removes");
  expect(apply({ removals: Uint32Array.of(0), checksum: null })).toBe("checksum-missing");
  expect(apply({ full: true, checksum: null })).toBe("checksum-missing");
  const full = fullUpdate(base);
  expect(codeOf(() => applyUpdate(null, full, { maxEntries: 2 }))).toBe("too-many-entries");
  const added = partialUpdate(
    diffPrefixLists(base, list("01000000", "02000000", "03000000", "04000000")),
  );
  expect(codeOf(() => applyUpdate(base, added, { maxEntries: 3 }))).toBe("too-many-entries");
});

test.each([Number.NaN, -1, 0.5])(
  "a limit of %s entries is a mistake of the caller",
  (maxEntries) => {
    const update = fullUpdate(list("01000000", "02000000"));
    const v5 = toHashList(update, {
      name: "x-4b",
      version: new Uint8Array(0),
      minimumWaitDuration: 0,
    });
    expect(() => fromHashList(v5, { maxEntries })).toThrow(RangeError);
    const facts = {
      threatType: "MALWARE",
      platformType: "ANY_PLATFORM",
      threatEntryType: "URL",
    } as const;
    const v4 = toListUpdateResponse(update, { ...facts, newClientState: new Uint8Array(0) });
    expect(() => fromListUpdateResponse(v4, { maxEntries })).toThrow(RangeError);
    const webRisk = toThreatListDiff(update, riskFacts);
    expect(() => fromThreatListDiff(webRisk, { maxEntries })).toThrow(RangeError);
    expect(() => applyUpdate(null, update, { maxEntries })).toThrow(RangeError);
  },
);

describe("raw hash prefixes in many groups", () => {
  /** A message with each prefix in a group of its own. */
  const message = (prefixes: readonly Uint8Array[]) => ({
    ...toThreatListDiff(fullUpdate(base), riskFacts),
    additions: {
      rawHashes: prefixes.map((rawHashes) => ({ prefixSize: rawHashes.length, rawHashes })),
      riceHashes: null,
    },
  });

  test.each([4, 5, 32])("prefixes of %d bytes come in any order, but only once", (length) => {
    const first = [3, 0, 255, 2, 128, 1].map((byte) => new Uint8Array(length).fill(byte));
    const other = new Uint8Array(length === 4 ? 6 : 4).fill(7);
    const { additions } = fromThreatListDiff(message([...first, other]));
    expect(additions).toEqual(rawHashesIn(prefixList([...first, other])));
    const repeated = message([...first, other, new Uint8Array(length).fill(2)]);
    expect(codeOf(() => fromThreatListDiff(repeated))).toBe("additions-unordered");
  });

  test("take linear time", { tags: "deep" }, () => {
    const prefix = (_: unknown, i: number) =>
      Uint8Array.of(0, 0, 0, 0, (i * 7919) >> 8, i * 7919, i >> 16);
    expectLinearGrowth(
      (many: readonly Uint8Array[]) =>
        expect(codeOf(() => fromThreatListDiff(message(many)))).toBe(null),
      (length) => Array.from({ length }, prefix),
    );
  });
});

test("a prefix that begins with another one is not sent to clients that refuse it", () => {
  const overlapping = fullUpdate(list("01000000", "0100000001"));
  expect(codeOf(() => toListUpdateResponse(overlapping, v4Facts))).toBe("additions-overlap");
  expect(codeOf(() => toThreatListDiff(overlapping, riskFacts))).toBe("additions-overlap");
  expect(codeOf(() => applyUpdate(null, overlapping))).toBe("additions-overlap");
});

test("a v5 list has one prefix length", () => {
  const mixed = fullUpdate(list("01000000", "0200000001000000"));
  expect(codeOf(() => toHashList(mixed, FACTS))).toBe("prefix-length-wrong");
  const five = fullUpdate(list("0200000001"));
  expect(codeOf(() => toHashList(five, FACTS))).toBe("prefix-length-wrong");
  const eight = fullUpdate(list("0200000001000000"));
  expect(codeOf(() => toHashList(eight, { ...FACTS, name: "own-4b" }))).toBe("prefix-length-wrong");
  expect(toHashList(eight, { ...FACTS, name: "own-8b" }).name).toBe("own-8b");
});

test("answers must be for the requested lists, in the requested order", () => {
  const lists = ["a", "b"].map((name) => toHashList(nothing, { ...FACTS, name }));
  expect(hashListsInOrder(["a", "b"], { hashLists: lists })).toBe(lists);
  for (const names of [["b", "a"], ["a"], ["a", "b", "c"]]) {
    expect(codeOf(() => hashListsInOrder(names, { hashLists: lists }))).toBe("lists-mismatched");
  }
  const asked = { ...v4Facts, state: new Uint8Array(0), constraints: null };
  const other = { ...asked, threatType: 99 };
  const answered = toListUpdateResponse(nothing, v4Facts);
  const request = (...listUpdateRequests: (typeof asked | typeof other)[]) => ({
    client: null,
    listUpdateRequests,
  });
  const response = { listUpdateResponses: [answered], minimumWaitDuration: null };
  expect(listUpdatesInOrder(request(asked), response)).toEqual([answered]);
  expect(codeOf(() => listUpdatesInOrder(request(other), response))).toBe("lists-mismatched");
  expect(codeOf(() => listUpdatesInOrder(request(), response))).toBe("lists-mismatched");
});
