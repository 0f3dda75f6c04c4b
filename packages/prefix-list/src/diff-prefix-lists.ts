import { compareOctets } from "./compare.ts";
import type { PrefixListDifference } from "./difference.ts";
import { visitInOrder } from "./order.ts";
import { type PrefixList, rawHashes } from "./prefix-list.ts";
import type { RawHashes } from "./raw-hashes.ts";

/** Of two sorted batches of one length, the prefixes of the first that the second lacks. */
function lacking(batch: RawHashes, other: RawHashes | undefined): RawHashes {
  if (other === undefined) return batch;
  const { prefixSize } = batch;
  const found = new Uint8Array(batch.rawHashes.length);
  let used = 0;
  let j = 0;
  for (let i = 0; i < batch.rawHashes.length; i += prefixSize) {
    let order = -1;
    while (j < other.rawHashes.length) {
      order = compareOctets(batch.rawHashes, i, other.rawHashes, j, prefixSize);
      if (order <= 0) break;
      j += prefixSize;
    }
    if (j < other.rawHashes.length && order === 0) continue;
    found.set(batch.rawHashes.subarray(i, i + prefixSize), used);
    used += prefixSize;
  }
  return { prefixSize, rawHashes: found.slice(0, used) };
}

function lackingOf(batches: readonly RawHashes[], others: readonly RawHashes[]): RawHashes[] {
  return batches
    .map((batch) =>
      lacking(
        batch,
        others.find(({ prefixSize }) => prefixSize === batch.prefixSize),
      ),
    )
    .filter(({ rawHashes }) => rawHashes.length > 0);
}

/** The difference that makes the old list into the new one. */
export function diffPrefixLists(from: PrefixList, to: PrefixList): PrefixListDifference {
  const [old, fresh] = [rawHashes(from), rawHashes(to)];
  const gone = lackingOf(old, fresh);
  const removals = new Uint32Array(
    gone.reduce((sum, batch) => sum + batch.rawHashes.length / batch.prefixSize, 0),
  );
  const next = new Map(gone.map(({ prefixSize }) => [prefixSize, 0]));
  let place = 0;
  let used = 0;
  visitInOrder(old, (number, at) => {
    const batch = old[number]!;
    const { prefixSize } = batch;
    const lost = gone.find((other) => other.prefixSize === prefixSize);
    const mine = next.get(prefixSize);
    if (
      lost !== undefined &&
      mine !== undefined &&
      mine < lost.rawHashes.length &&
      compareOctets(lost.rawHashes, mine, batch.rawHashes, at, prefixSize) === 0
    ) {
      removals[used++] = place;
      next.set(prefixSize, mine + prefixSize);
    }
    place++;
  });
  return {
    name: to.name,
    created: to.created,
    oldChecksum: from.checksum,
    checksum: to.checksum,
    removals,
    additions: lackingOf(fresh, old),
  };
}
