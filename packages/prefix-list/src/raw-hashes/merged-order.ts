import { countEntries, countOf, type RawHashes } from "./raw-hashes.ts";

/*
 * A prefix has an index in the group of its length, and another in the list, where prefixes of all lengths are in one
 * ascending order. In a list with one length, the two indices are the same.
 */

/**
 * Whether the prefix at byte `i` of `a` sorts before the one at byte `j` of `b`. A prefix sorts before longer ones that
 * begin with it.
 */
function sortsBefore(a: RawHashes, i: number, b: RawHashes, j: number): boolean {
  const common = Math.min(a.prefixBytes, b.prefixBytes);
  for (let k = 0; k < common; k++) {
    const difference = a.rawHashes[i + k]! - b.rawHashes[j + k]!;
    if (difference !== 0) return difference < 0;
  }
  return a.prefixBytes < b.prefixBytes;
}

/**
 * Merges several sorted groups into one ascending order. The result has, for each index in the list, the number of the
 * group that the prefix comes from. The prefixes of one group keep their order.
 */
export function mergedOrder(groups: readonly RawHashes[]): Uint8Array {
  const order = new Uint8Array(countEntries(groups));
  const open = [...groups.keys()].filter((number) => groups[number]!.rawHashes.length > 0);
  const next = groups.map(() => 0);
  let index = 0;
  while (open.length > 1) {
    let least = 0;
    for (let i = 1; i < open.length; i++) {
      const [a, b] = [open[i]!, open[least]!];
      if (sortsBefore(groups[a]!, next[a]!, groups[b]!, next[b]!)) least = i;
    }
    const number = open[least]!;
    order[index++] = number;
    next[number]! += groups[number]!.prefixBytes;
    if (next[number] === groups[number]!.rawHashes.length) open.splice(least, 1);
  }
  if (open.length === 1) order.fill(open[0]!, index);
  return order;
}

/**
 * Calls `visit` for each prefix of several sorted groups, in ascending order, with the number of its group, its index
 * in the group and its index in the list.
 */
export function forEachInOrder(
  groups: readonly RawHashes[],
  visit: (number: number, index: number, listIndex: number) => void,
): void {
  const next = groups.map(() => 0);
  const order = mergedOrder(groups);
  for (let listIndex = 0; listIndex < order.length; listIndex++) {
    const number = order[listIndex]!;
    visit(number, next[number]!++, listIndex);
  }
}

/** Turns ascending indices in each group into ascending indices in the list. */
export function toListIndices(
  groups: readonly RawHashes[],
  groupIndices: readonly Uint32Array[],
): Uint32Array {
  if (groupIndices.length === 1) return groupIndices[0]!;
  const indices = new Uint32Array(groupIndices.reduce((sum, { length }) => sum + length, 0));
  const done = groups.map(() => 0);
  let used = 0;
  forEachInOrder(groups, (number, index, listIndex) => {
    if (groupIndices[number]![done[number]!] !== index) return;
    done[number]!++;
    indices[used++] = listIndex;
  });
  return indices;
}

/** Turns ascending indices in the list, all below its size, into ascending indices in each group. */
export function toGroupIndices(
  groups: readonly RawHashes[],
  listIndices: Uint32Array,
): Uint32Array[] {
  if (groups.length === 1) return [listIndices];
  const indices = groups.map((group) => {
    return new Uint32Array(Math.min(listIndices.length, countOf(group)));
  });
  const used = groups.map(() => 0);
  let done = 0;
  forEachInOrder(groups, (number, index, listIndex) => {
    if (listIndices[done] !== listIndex) return;
    done++;
    indices[number]![used[number]!++] = index;
  });
  return indices.map((found, number) => found.subarray(0, used[number]));
}
