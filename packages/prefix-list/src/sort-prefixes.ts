import { compareOctets } from "./compare.ts";
import type { RawHashes } from "./raw-hashes.ts";
import { viewOf, wordAt } from "./word.ts";

function isStrictlySorted({ prefixSize, rawHashes }: RawHashes): boolean {
  for (let i = prefixSize; i < rawHashes.length; i += prefixSize) {
    if (compareOctets(rawHashes, i - prefixSize, rawHashes, i, prefixSize) >= 0) return false;
  }
  return true;
}

/** Numbers are sorted by the platform, without a call per comparison. */
function sortWords(octets: Uint8Array): Uint8Array {
  const view = viewOf(octets);
  const words = new Uint32Array(octets.length / 4);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * 4);
  words.sort();
  const sorted = new Uint8Array(octets.length);
  const out = viewOf(sorted);
  let used = 0;
  for (let i = 0; i < words.length; i++) {
    if (i > 0 && words[i] === words[i - 1]) continue;
    out.setUint32(used, words[i]!);
    used += 4;
  }
  return sorted.subarray(0, used);
}

/**
 * The order of the prefixes by their first words, as positions. A pair (word, position) is one 64-bit
 * number, so that the platform sorts these too.
 */
function orderByFirstWord(octets: Uint8Array, size: number): Uint32Array {
  const count = octets.length / size;
  const pairs = new Uint32Array(2 * count);
  const high = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;
  for (let i = 0; i < count; i++) {
    pairs[2 * i + high] = wordAt(octets, i * size);
    pairs[2 * i + 1 - high] = i;
  }
  new BigUint64Array(pairs.buffer).sort();
  return Uint32Array.from({ length: count }, (_, i) => pairs[2 * i + 1 - high]!);
}

function sortLong(octets: Uint8Array, size: number): Uint8Array {
  const order = orderByFirstWord(octets, size);
  let from = 0;
  for (let i = 1; i <= order.length; i++) {
    const word = wordAt(octets, order[from]! * size);
    if (i < order.length && wordAt(octets, order[i]! * size) === word) continue;
    if (i - from > 1) {
      order
        .subarray(from, i)
        .sort((a, b) => compareOctets(octets, a * size + 4, octets, b * size + 4, size - 4));
    }
    from = i;
  }
  const sorted = new Uint8Array(octets.length);
  let used = 0;
  for (const position of order) {
    const at = position * size;
    if (used > 0 && compareOctets(sorted, used - size, octets, at, size) === 0) continue;
    for (let k = 0; k < size; k++) sorted[used++] = octets[at + k]!;
  }
  return sorted.subarray(0, used);
}

/** The same prefixes in ascending order, without duplicates; the argument is left as it was. */
export function sortPrefixes(batch: RawHashes): RawHashes {
  if (isStrictlySorted(batch)) return batch;
  const { prefixSize, rawHashes } = batch;
  const sorted = prefixSize === 4 ? sortWords(rawHashes) : sortLong(rawHashes, prefixSize);
  return { prefixSize, rawHashes: sorted };
}
