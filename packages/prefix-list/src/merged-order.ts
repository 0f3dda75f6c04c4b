import type { RawHashes } from "./raw-hashes.ts";

/** Whether the prefix of `a` at octet `i` sorts before that of `b` at `j`; a prefix sorts before what begins with it. */
function sortsBefore(a: RawHashes, i: number, b: RawHashes, j: number): boolean {
  const common = Math.min(a.prefixSize, b.prefixSize);
  for (let k = 0; k < common; k++) {
    const difference = a.rawHashes[i + k]! - b.rawHashes[j + k]!;
    if (difference !== 0) return difference < 0;
  }
  return a.prefixSize < b.prefixSize;
}

/**
 * The ascending order of the prefixes of several sorted batches: for each place the number of the batch that
 * the prefix there comes from. Within a batch they come in their own order.
 */
export function mergedOrder(batches: readonly RawHashes[]): Uint8Array {
  const count = batches.reduce((sum, batch) => sum + batch.rawHashes.length / batch.prefixSize, 0);
  const order = new Uint8Array(count);
  const open = [...batches.keys()].filter((number) => batches[number]!.rawHashes.length > 0);
  const next = batches.map(() => 0);
  let place = 0;
  while (open.length > 1) {
    let least = 0;
    for (let i = 1; i < open.length; i++) {
      const [a, b] = [open[i]!, open[least]!];
      if (sortsBefore(batches[a]!, next[a]!, batches[b]!, next[b]!)) least = i;
    }
    const number = open[least]!;
    order[place++] = number;
    next[number]! += batches[number]!.prefixSize;
    if (next[number] === batches[number]!.rawHashes.length) open.splice(least, 1);
  }
  if (open.length === 1) order.fill(open[0]!, place);
  return order;
}
