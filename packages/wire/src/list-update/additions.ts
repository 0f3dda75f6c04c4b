import type { RawHashes } from "@x/prefix-list";
import { compareBytes, unsortedAt } from "@x/prefix-list/raw-hashes";
import { MAX_PREFIX_BYTES, MIN_PREFIX_BYTES } from "@x/sha256-prefix";
import { WireError } from "../error.ts";

/** Throws unless the prefixes of a group ascend and no two of them are equal. */
export function checkAscending(group: RawHashes): void {
  if (unsortedAt(group) >= 0) throw new WireError("additions-unordered");
}

/** Whether a prefix of the longer group begins with one of the shorter; both are sorted. */
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

/** Throws when a prefix begins with another one. No v4 client accepts such a list. */
export function checkOverlap(groups: readonly RawHashes[]): void {
  groups.forEach((shorter, i) => {
    if (groups.slice(i + 1).some((longer) => overlap(shorter, longer))) {
      throw new WireError("additions-overlap");
    }
  });
}

/** Checks a group of a message: its prefixes must be complete, of an allowed length, and in ascending order. */
export function readGroup(prefixBytes: number, rawHashes: Uint8Array): RawHashes {
  const isAllowed = prefixBytes >= MIN_PREFIX_BYTES && prefixBytes <= MAX_PREFIX_BYTES;
  if (!isAllowed || rawHashes.length % prefixBytes !== 0) {
    throw new WireError("prefix-length-wrong");
  }
  const group = { prefixBytes, rawHashes };
  checkAscending(group);
  return group;
}

/** Two sorted groups of one length as one. */
function merge(a: RawHashes, b: RawHashes): RawHashes {
  const { prefixBytes } = a;
  const rawHashes = new Uint8Array(a.rawHashes.length + b.rawHashes.length);
  let [i, j, used] = [0, 0, 0];
  while (used < rawHashes.length) {
    const fromA =
      j >= b.rawHashes.length ||
      (i < a.rawHashes.length && compareBytes(a.rawHashes, i, b.rawHashes, j, prefixBytes) < 0);
    const source = fromA ? a.rawHashes : b.rawHashes;
    const at = fromA ? i : j;
    for (let k = 0; k < prefixBytes; k++) rawHashes[used + k] = source[at + k]!;
    used += prefixBytes;
    if (fromA) i += prefixBytes;
    else j += prefixBytes;
  }
  return { prefixBytes, rawHashes };
}

/** Combines the groups of a message into one for each length, the shortest first. Empty groups are dropped. */
export function combineGroups(groups: readonly RawHashes[]): RawHashes[] {
  const byLength = new Map<number, RawHashes[]>();
  for (const group of groups) {
    if (group.rawHashes.length === 0) continue;
    const same = byLength.get(group.prefixBytes);
    if (same === undefined) byLength.set(group.prefixBytes, [group]);
    else same.push(group);
  }
  const combined = [...byLength.values()].map(mergeAll);
  combined.sort((a, b) => a.prefixBytes - b.prefixBytes);
  checkOverlap(combined);
  return combined;
}

/** Merges neighbours until one group is left, so that many small groups do not take quadratic time. */
function mergeAll(groups: readonly RawHashes[]): RawHashes {
  let left = groups;
  while (left.length > 1) {
    const merged: RawHashes[] = [];
    for (let i = 0; i < left.length; i += 2) {
      const next = left[i + 1];
      merged.push(next === undefined ? left[i]! : merge(left[i]!, next));
    }
    left = merged;
  }
  if (groups.length > 1) checkAscending(left[0]!);
  return left[0]!;
}
