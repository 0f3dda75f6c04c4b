import type { RawHashes } from "./raw-hashes.ts";

/**
 * What makes one version of a list into the next.
 *
 * @see Safe Browsing v4, Update API, partial updates
 */
export interface PrefixListDifference {
  /** The name of the new list. */
  readonly name: string;
  /** The time of the new list, in milliseconds since 1970-01-01T00:00Z. */
  readonly created: number;
  /** The checksum of the list that this applies to. */
  readonly oldChecksum: string;
  /** The checksum of the list that comes out. */
  readonly checksum: string;
  /** Which prefixes go: their places, from 0, in the old list in ascending order of octets; ascending. */
  readonly removals: Uint32Array;
  /** Which prefixes come, one batch for each length, the shortest first; in ascending order. */
  readonly additions: readonly RawHashes[];
}
