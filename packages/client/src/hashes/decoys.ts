import { type PrefixList, type RawHashes, rawHashesIn } from "@x/prefix-list";
import { prefixKey } from "./prefix-key.ts";

/** The number of prefixes from which decoys are chosen. */
const POOL = 4096;

/** Chooses other prefixes of the lists, to be sent along with the real ones. */
export interface Decoys {
  /**
   * The decoys for some prefixes. Each prefix has its own decoys, and keeps nearly all of them when the lists change.
   * Otherwise, the real prefix would be the only one that is the same in repeated searches.
   */
  choose(keys: readonly number[]): number[];
}

export const NO_DECOYS: Decoys = { choose: () => [] };

/** Mixes two 32-bit numbers into a third that looks random. */
function mix(one: number, other: number): number {
  let mixed = Math.imul(one ^ (other >>> 15), 0x2c1b3c6d) ^ other;
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The first entry of a group that is not below `target`, as a key; the group's first entry if all are below. */
function entryFrom({ prefixBytes, rawHashes }: RawHashes, target: number): number {
  const keyAt = (index: number) => prefixKey(rawHashes.subarray(index * prefixBytes));
  let low = 0;
  const count = rawHashes.length / prefixBytes;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyAt(middle) < target) low = middle + 1;
    else high = middle;
  }
  return keyAt(low % count);
}

/** Chooses entries from all groups. When a few entries of the lists change, few of the chosen ones change. */
function poolOf(groups: readonly RawHashes[], secret: number): number[] {
  if (groups.length === 0) return [];
  return Array.from({ length: POOL }, (_, i) => {
    const target = mix(secret, i);
    // Because the nearest entry is taken, a large list contributes more entries than a small one.
    const found = groups.map((group) => entryFrom(group, target));
    return found.reduce((one, other) =>
      (other - target) >>> 0 < (one - target) >>> 0 ? other : one,
    );
  });
}

/** Chooses decoys from lists, up to `count` for each prefix. The same lists and `secret` give the same decoys. */
export function createDecoys(lists: readonly PrefixList[], count: number, secret: number): Decoys {
  if (count === 0) return NO_DECOYS;
  const groups = lists.flatMap(rawHashesIn).filter(({ rawHashes }) => rawHashes.length > 0);
  const pool = poolOf(groups, secret);

  function decoysOf(key: number): Set<number> {
    const chosen = new Set<number>();
    for (let i = 0; i < 4 * count && chosen.size < count && pool.length > 0; i++) {
      const decoy = pool[mix(key, mix(secret, i)) % pool.length]!;
      if (decoy !== key) chosen.add(decoy);
    }
    return chosen;
  }

  return {
    choose(keys) {
      const chosen = new Set(keys.flatMap((key) => [...decoysOf(key)]));
      for (const key of keys) chosen.delete(key);
      return [...chosen];
    },
  };
}
