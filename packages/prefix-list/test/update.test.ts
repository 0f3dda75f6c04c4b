import { createHash } from "node:crypto";
import {
  applyDifference,
  diffPrefixLists,
  type PrefixList,
  prefixList,
  updatePrefixList,
} from "@x/prefix-list";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { facts, prefixSet } from "./arbitraries.ts";
import { unhex } from "./oracle.ts";

test("an update makes what applying the whole difference makes", () => {
  let changed = 0;
  fc.assert(
    fc.property(prefixSet, prefixSet, facts, (old, fresh, options) => {
      const [from, to] = [old, fresh].map((texts) => prefixList(texts.map(unhex), options)) as [
        PrefixList,
        PrefixList,
      ];
      const difference = diffPrefixLists(from, to);
      if (difference.removals.length > 0 && difference.additions.length > 0) changed++;
      const updated = updatePrefixList(from, difference, options);
      expect(updated).toEqual(applyDifference(from, difference));
      expect(updated).toEqual(to);
    }),
    { seed: 3, numRuns: sampleSize(200) },
  );
  expect(changed).toBeGreaterThan(fewest(100));
});

test("changes that do not fit the list are refused", () => {
  const list = prefixList([unhex("01000000"), unhex("02000000")]);
  const group = (hex: string) => ({ prefixBytes: 4, rawHashes: unhex(hex) });
  const none = { removals: new Uint32Array(0), additions: [] };
  const update = (changes: object, options = {}) => {
    return () => updatePrefixList(list, { ...none, ...changes }, options);
  };
  const invalid = expect.objectContaining({ code: "difference-invalid" });
  expect(update({ removals: Uint32Array.of(2) })).toThrow(invalid);
  expect(update({ removals: Uint32Array.of(1, 0) })).toThrow(invalid);
  expect(update({ removals: Uint32Array.of(1, 1) })).toThrow(invalid);
  expect(update({ additions: [group("02000000")] })).toThrow(invalid);
  expect(update({ additions: [group("0400000003000000")] })).toThrow(invalid);
  expect(update({ additions: [group("03000000"), group("04000000")] })).toThrow(invalid);
  expect(update({ additions: [group("03000000")] }, { maxEntries: 2 })).toThrow(
    expect.objectContaining({ code: "too-many-entries" }),
  );
  expect(update({ removals: [0] })).toThrow(TypeError);
  expect(update({ additions: "03000000" })).toThrow(TypeError);
  expect(() => updatePrefixList(list, null as never)).toThrow(TypeError);
  expect(update({}, { created: -1 })).toThrow(RangeError);
});

test("the platform's SHA-256 may compute the checksum", () => {
  let calls = 0;
  const sha256 = (bytes: Uint8Array) => {
    calls++;
    return createHash("sha256").update(bytes).digest();
  };
  const [a, b] = ["01020304", "05060708"].map(unhex) as [Uint8Array, Uint8Array];
  const list = prefixList([b, a], { created: 0, sha256 });
  expect(list).toEqual(prefixList([a, b], { created: 0 }));
  const changes = { removals: Uint32Array.of(0), additions: [] };
  const updated = updatePrefixList(list, changes, { created: 0, sha256 });
  expect(updated).toEqual(prefixList([b], { created: 0 }));
  expect(calls).toBe(2);
  for (const wrong of ["sha256", null]) {
    expect(() => prefixList([a], { sha256: wrong as never })).toThrow(TypeError);
    expect(() => updatePrefixList(list, changes, { sha256: wrong as never })).toThrow(TypeError);
  }
});
