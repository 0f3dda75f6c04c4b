import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyTable } from "../../src/anonymity/key-table.ts";
import { type AnonymityCounts, prefixGroups } from "../../src/anonymity/prefix-groups.ts";

interface Visit {
  readonly exact: Uint8Array;
  readonly host: Uint8Array;
  readonly sent: readonly Uint8Array[];
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Computes the counts with sets of strings, for comparison with `prefixGroups`. */
function plainCounts(visits: readonly Visit[], prefixBytes: number): AnonymityCounts {
  const urls = new Map(visits.toReversed().map((visit) => [text(visit.exact), visit]));
  const urlsWith = new Map<string, Set<string>>();
  const hostsWith = new Map<string, Set<string>>();
  const expressions = new Set<string>();
  for (const [url, { host, sent }] of urls) {
    for (const hash of sent) {
      const prefix = text(hash.subarray(0, prefixBytes));
      expressions.add(text(hash));
      urlsWith.set(prefix, (urlsWith.get(prefix) ?? new Set()).add(url));
      hostsWith.set(prefix, (hostsWith.get(prefix) ?? new Set()).add(text(host)));
    }
  }
  const rarest = [...urls.values()].flatMap(({ sent }) => {
    const sizes = sent.map((hash) => urlsWith.get(text(hash.subarray(0, prefixBytes)))!.size);
    return sizes.length === 0 ? [] : [Math.min(...sizes)];
  });
  const limits = [1, 2, 3, 6, 11, 101, 1001, Number.POSITIVE_INFINITY];
  const within = (sizes: readonly number[], i: number) =>
    sizes.filter((size) => size >= limits[i]! && size < limits[i + 1]!).length;
  const sizesOf = (sets: Map<string, Set<string>>) => [...sets.values()].map(({ size }) => size);
  return {
    urls: urls.size,
    hosts: new Set([...urls.values()].map(({ host }) => text(host))).size,
    sending: rarest.length,
    expressions: expressions.size,
    prefixes: urlsWith.size,
    groups: limits.slice(0, -1).map((from, i) => ({
      from,
      to: Number.isFinite(limits[i + 1]!) ? limits[i + 1]! - 1 : null,
      prefixesByUrls: within(sizesOf(urlsWith), i),
      prefixesByHosts: within(sizesOf(hostsWith), i),
      urls: within(rarest, i),
    })),
  };
}

/** Hashes that often share their beginning. */
const hash = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 3 }), fc.nat({ max: 200 }))
  .map(([first, fifth, eighth]) => {
    const bytes = new Uint8Array(32);
    bytes[0] = first;
    bytes[4] = fifth;
    bytes[7] = eighth;
    return bytes;
  });

test("counts as sets of text do", () => {
  const visit = fc.record({ exact: hash, host: hash, sent: fc.array(hash, { maxLength: 6 }) });
  const sizes = new Set<number>();
  fc.assert(
    fc.property(
      fc.array(visit, { maxLength: 400, size: "max" }),
      fc.integer({ min: 4, max: 8 }),
      (visits, prefixBytes) => {
        const groups = prefixGroups(prefixBytes);
        for (const { exact, host, sent } of visits) groups.add(exact, host, sent);
        const counts = groups.counts();
        expect(counts).toEqual(plainCounts(visits, prefixBytes));
        for (const { from, urls } of counts.groups) if (urls > 0) sizes.add(from);
      },
    ),
    { seed: 16, numRuns: sampleSize(150) },
  );
  expect([...sizes].sort((a, b) => a - b)).toEqual([1, 2, 3, 6, 11, 101]);
});

test("a table of keys numbers 100,000 keys as a map does", () => {
  const table = keyTable();
  const map = new Map<string, number>();
  for (let i = 0; i < 200_000; i++) {
    const [high, low] = [i % 3 === 0 ? 0 : i % 100_000, i % 100_000];
    const key = `${high} ${low}`;
    if (!map.has(key)) map.set(key, map.size);
    expect(table.numberOf(high, low)).toBe(map.get(key));
  }
  expect(table.size()).toBe(map.size);
});
