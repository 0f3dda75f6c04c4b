import { type PrefixList, rawHashesIn } from "@x/prefix-list";
import { prefixKey } from "./prefix-key.ts";

/** How many prefixes decoys are chosen from. */
const POOL = 4096;

/** Chooses other prefixes of the lists, which are sent along with those that are meant. */
export interface Decoys {
  /**
   * The decoys for some prefixes. For the same prefixes they are the same ones until the lists change: otherwise, the prefix that
   * is in every repetition would be the one that was meant.
   */
  choose(keys: readonly number[]): number[];
}

export const NO_DECOYS: Decoys = { choose: () => [] };

/** Mixes two 32-bit numbers into a third, so that the choice looks random. */
function mix(one: number, other: number): number {
  let mixed = Math.imul(one ^ (other >>> 15), 0x2c1b3c6d) ^ other;
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Makes decoys from lists, `count` for each request. */
export function createDecoys(
  lists: readonly PrefixList[],
  count: number,
  random: () => number,
): Decoys {
  if (count === 0) return NO_DECOYS;
  const pool: number[] = [];
  const total = lists.reduce((sum, { size }) => sum + size, 0);
  for (const list of lists) {
    const share = Math.min(list.size, Math.ceil((POOL * list.size) / Math.max(total, 1)));
    const groups = rawHashesIn(list);
    for (let i = 0; i < share; i++) {
      let index = Math.floor(random() * list.size);
      for (const { prefixBytes, rawHashes } of groups) {
        const size = rawHashes.length / prefixBytes;
        if (index < size) {
          pool.push(prefixKey(rawHashes.subarray(index * prefixBytes, index * prefixBytes + 4)));
          break;
        }
        index -= size;
      }
    }
  }
  const secret = Math.floor(random() * 2 ** 32);
  return {
    choose(keys) {
      const chosen = new Set<number>();
      const first = Math.min(...keys);
      for (let i = 0; i < 4 * count && chosen.size < count && pool.length > 0; i++) {
        const decoy = pool[mix(first, mix(secret, i)) % pool.length]!;
        if (!keys.includes(decoy)) chosen.add(decoy);
      }
      return [...chosen];
    },
  };
}
