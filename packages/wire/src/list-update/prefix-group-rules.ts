import type { RawHashes } from "@x/prefix-list";
import { compareBytes, concatBytes, sortPrefixes, unsortedAt } from "@x/prefix-list/raw-hashes";
import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { WireError } from "../error.ts";

/** Whether one of the longer prefixes begins with one of the shorter prefixes. Both groups must be sorted. */
function overlap(shorter: RawHashes, longer: RawHashes): boolean {
  const { prefixBytes } = shorter;
  let at = 0;
  let other = 0;
  while (at < shorter.rawHashes.length && other < longer.rawHashes.length) {
    const order = compareBytes(shorter.rawHashes, at, longer.rawHashes, other, prefixBytes);
    if (order === 0) return true;
    if (order < 0) at += prefixBytes;
    else other += longer.prefixBytes;
  }
  return false;
}

/** Throws when a prefix begins with another one. No v4 client accepts a list with such prefixes. */
export function checkOverlap(groups: readonly RawHashes[]): void {
  groups.forEach((shorter, i) => {
    if (groups.slice(i + 1).some((longer) => overlap(shorter, longer))) {
      throw new WireError("additions-overlap");
    }
  });
}

/** Checks a group of prefixes from a message: they must be complete, of an allowed length, and in ascending order. */
export function readGroup(prefixBytes: number, rawHashes: Uint8Array): RawHashes {
  const isAllowed = prefixBytes >= MIN_PREFIX_BYTES && prefixBytes <= MAX_PREFIX_BYTES;
  if (!isAllowed || rawHashes.length % prefixBytes !== 0) {
    throw new WireError("prefix-length-wrong");
  }
  const group = { prefixBytes, rawHashes };
  if (unsortedAt(group) >= 0) throw new WireError("additions-unordered");
  return group;
}

/**
 * Combines the groups of a message into one group for each prefix length, the shortest first. Empty groups are dropped.
 */
export function combineGroups(groups: readonly RawHashes[]): RawHashes[] {
  const filled = groups.filter(({ rawHashes }) => rawHashes.length > 0);
  const lengths = [...new Set(filled.map(({ prefixBytes }) => prefixBytes))].sort((a, b) => a - b);
  const combined = lengths.map((length) =>
    joinGroups(filled.filter(({ prefixBytes }) => prefixBytes === length)),
  );
  checkOverlap(combined);
  return combined;
}

/** Merges sorted groups of one length. */
function joinGroups(groups: readonly RawHashes[]): RawHashes {
  const [{ prefixBytes }] = groups as [RawHashes];
  if (groups.length === 1) return groups[0]!;
  const all = concatBytes(groups.map(({ rawHashes }) => rawHashes));
  const sorted = sortPrefixes({ prefixBytes, rawHashes: all });
  if (sorted.rawHashes.length < all.length) throw new WireError("additions-unordered");
  return sorted;
}
