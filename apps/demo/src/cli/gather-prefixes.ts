import type { RawHashes } from "@x/prefix-list";

/** Gathers hash prefixes of one length in pieces of memory, for lists of millions. */
export interface PrefixGathering {
  readonly add: (hash: Uint8Array) => void;
  /** How many were added. */
  readonly count: () => number;
  readonly batches: () => RawHashes[];
}

const PIECE_PREFIXES = 2 ** 16;

export function gatherPrefixes(prefixBytes: number): PrefixGathering {
  const full: RawHashes[] = [];
  let piece = new Uint8Array(PIECE_PREFIXES * prefixBytes);
  let used = 0;
  return {
    add(hash) {
      if (used === piece.length) {
        full.push({ prefixSize: prefixBytes, rawHashes: piece });
        piece = new Uint8Array(PIECE_PREFIXES * prefixBytes);
        used = 0;
      }
      piece.set(hash.subarray(0, prefixBytes), used);
      used += prefixBytes;
    },
    count: () => full.length * PIECE_PREFIXES + used / prefixBytes,
    batches: () => [...full, { prefixSize: prefixBytes, rawHashes: piece.subarray(0, used) }],
  };
}
