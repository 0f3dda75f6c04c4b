import { compareOctets } from "./compare.ts";
import { firstWords } from "./first-words.ts";
import type { RawHashes } from "./raw-hashes.ts";
import { sortWords } from "./sort-words.ts";
import { unsortedAt } from "./unsorted-at.ts";
import { viewOf, WORD_BYTES } from "./word.ts";

function sortFourOctets(batch: RawHashes): Uint8Array {
  const { words } = sortWords({ words: firstWords(batch), carried: new Uint32Array(0) });
  const sorted = new Uint8Array(batch.rawHashes.length);
  const view = viewOf(sorted);
  let used = 0;
  for (let i = 0; i < words.length; i++) {
    if (i > 0 && words[i] === words[i - 1]) continue;
    view.setUint32(used, words[i]!);
    used += WORD_BYTES;
  }
  return sorted.subarray(0, used);
}

/** The positions of the prefixes in ascending order of the prefixes. */
function sortedPositions(batch: RawHashes): Uint32Array {
  const { prefixSize: size, rawHashes: octets } = batch;
  const unsorted = firstWords(batch);
  const { words, carried: positions } = sortWords({
    words: unsorted,
    carried: Uint32Array.from(unsorted, (_, i) => i),
  });
  let from = 0;
  for (let i = 1; i <= words.length; i++) {
    if (i < words.length && words[i] === words[from]) continue;
    // Equal first words are few, unless somebody made them so.
    if (i - from > 1) {
      positions
        .subarray(from, i)
        .sort((a, b) => compareOctets(octets, a * size, octets, b * size, size));
    }
    from = i;
  }
  return positions;
}

function sortLonger(batch: RawHashes): Uint8Array {
  const { prefixSize: size, rawHashes: octets } = batch;
  const sorted = new Uint8Array(octets.length);
  let used = 0;
  for (const position of sortedPositions(batch)) {
    const at = position * size;
    if (used > 0 && compareOctets(sorted, used - size, octets, at, size) === 0) continue;
    for (let k = 0; k < size; k++) sorted[used + k] = octets[at + k]!;
    used += size;
  }
  return sorted.subarray(0, used);
}

/** The same prefixes in ascending order, without duplicates; the argument is left as it was. */
export function sortPrefixes(batch: RawHashes): RawHashes {
  if (unsortedAt(batch) < 0) return batch;
  const { prefixSize } = batch;
  const sorted = prefixSize === WORD_BYTES ? sortFourOctets(batch) : sortLonger(batch);
  return { prefixSize, rawHashes: sorted };
}
