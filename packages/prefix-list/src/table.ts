import type { RawHashes } from "./raw-hashes.ts";
import { wordAt } from "./word.ts";

/** The prefixes of one length in the form that is searched. Its fields may change with any version. */
export interface PrefixTable {
  /** The octets of each prefix. */
  readonly prefixSize: number;
  /** The number of prefixes. */
  readonly size: number;
  /** The sorted prefixes, one after the other. */
  readonly octets: Uint8Array;
}

export function tableOf({ prefixSize, rawHashes }: RawHashes): PrefixTable {
  return { prefixSize, size: rawHashes.length / prefixSize, octets: new Uint8Array(rawHashes) };
}

export function rawHashesOf({ prefixSize, octets }: PrefixTable): RawHashes {
  return { prefixSize, rawHashes: new Uint8Array(octets) };
}

function lowerBound({ prefixSize, size, octets }: PrefixTable, word: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (wordAt(octets, middle * prefixSize) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function tableHasWord(table: PrefixTable, word: number): boolean {
  const at = lowerBound(table, word);
  return at < table.size && wordAt(table.octets, at * table.prefixSize) === word;
}

export function tableHas(
  table: PrefixTable,
  word: number,
  octets: Uint8Array,
  offset: number,
): boolean {
  for (let at = lowerBound(table, word); at < table.size; at++) {
    let k = 0;
    while (k < table.prefixSize && table.octets[at * table.prefixSize + k] === octets[offset + k])
      k++;
    if (k === table.prefixSize) return true;
    if (k < 4) return false;
  }
  return false;
}
