import {
  applyDifference,
  decodeDifference,
  decodePrefixList,
  diffPrefixLists,
  encodeDifference,
  encodePrefixList,
  type PrefixList,
  prefixList,
  rawHashesIn,
  sharePrefixList,
} from "@x/prefix-list";
import { longestMatch } from "@x/prefix-list/search";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { facts, prefixHex, prefixSet } from "./arbitraries.ts";
import { type Plain, plain, plainChecksum, plainLongestMatch, plainOf, unhex } from "./oracle.ts";

/** A list, and the plain sorted array that it must equal. */
interface Twin {
  readonly list: PrefixList;
  readonly plain: Plain;
}

type Step = (twin: Twin) => Twin;

const reached = { build: 0, merge: 0, cut: 0, update: 0, file: 0, share: 0 };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(prefixSet, facts).map(([texts, options]) => () => {
    reached.build++;
    return { list: prefixList(texts.map(unhex), options), plain: plain(texts) };
  }),
  fc.tuple(prefixSet, facts).map(([texts, options]) => (twin: Twin) => {
    reached.merge++;
    const other = prefixList(texts.map(unhex));
    return {
      list: prefixList([twin.list, other].flatMap(rawHashesIn), options),
      plain: plain([...twin.plain, ...texts]),
    };
  }),
  fc.tuple(fc.constantFrom(4, 5), facts).map(([prefixBytes, options]) => (twin: Twin) => {
    const long = twin.plain.filter((text) => text.length >= 2 * prefixBytes);
    reached.cut++;
    return {
      list: prefixList(long.map(unhex), { ...options, prefixBytes }),
      plain: plain(long.map((text) => text.slice(0, 2 * prefixBytes))),
    };
  }),
  fc.tuple(prefixSet, fc.nat(4), facts).map(([texts, keep, options]) => (twin: Twin) => {
    reached.update++;
    const next = plain([...twin.plain.filter((_, i) => i % 5 >= keep), ...texts]);
    const difference = diffPrefixLists(twin.list, prefixList(next.map(unhex), options));
    const list = applyDifference(twin.list, decodeDifference(encodeDifference(difference)), {
      allowOlder: true,
      allowRename: true,
    });
    expect(list).toMatchObject(options);
    return { list, plain: next };
  }),
  fc.constant((twin: Twin) => {
    reached.file++;
    const list = decodePrefixList(encodePrefixList(twin.list));
    expect(list).toEqual(twin.list);
    return { ...twin, list };
  }),
  fc.constant((twin: Twin) => {
    reached.share++;
    return { ...twin, list: structuredClone(sharePrefixList(twin.list)) };
  }),
);

test("after any history, a list equals the plain sorted array", () => {
  const empty: Twin = { list: prefixList([]), plain: [] };
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 8, size: "max" }),
      fc.array(prefixHex),
      (steps, others) => {
        let twin = empty;
        for (const next of steps) {
          twin = next(twin);
          expect(plainOf(twin.list)).toEqual(twin.plain);
          expect(twin.list.size).toBe(twin.plain.length);
          expect(twin.list.checksum).toBe(plainChecksum(twin.plain));
        }
        for (const text of [...twin.plain, ...others]) {
          const hash = text.padEnd(64, "0");
          expect(longestMatch(twin.list, unhex(hash))).toBe(plainLongestMatch(twin.plain, hash));
        }
      },
    ),
    { seed: 20261121, numRuns: sampleSize(300) },
  );
  for (const times of Object.values(reached)) expect(times).toBeGreaterThan(fewest(100));
});
