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
 * Visits the prefixes of several sorted batches in one ascending order: `visit` gets the number of the
 * batch and the octet at which the prefix begins in it.
 */
export function visitInOrder(
  batches: readonly RawHashes[],
  visit: (batch: number, at: number) => void,
): void {
  const next = batches.map(() => 0);
  const open = batches.map((_, i) => i).filter((i) => batches[i]!.rawHashes.length > 0);
  while (open.length > 0) {
    let least = 0;
    for (let i = 1; i < open.length; i++) {
      const [a, b] = [open[i]!, open[least]!];
      if (sortsBefore(batches[a]!, next[a]!, batches[b]!, next[b]!)) least = i;
    }
    const batch = open[least]!;
    const { prefixSize, rawHashes } = batches[batch]!;
    visit(batch, next[batch]!);
    next[batch]! += prefixSize;
    if (next[batch] === rawHashes.length) open.splice(least, 1);
  }
}
