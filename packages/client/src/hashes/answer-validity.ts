import type { FoundHash, FoundThreat } from "../protocols/protocol.ts";
import { hashKey } from "./prefix-key.ts";

/** The maximum time for which an answer is valid, in milliseconds, whatever the server says. */
export const LONGEST_DURATION: number = 24 * 3_600_000;

/**
 * How long full hashes from a store are valid, in milliseconds. Caches keep a store's hint of its newest version for
 * about as long.
 */
export const STORE_DURATION: number = 5 * 60_000;

/** Distinct full hashes, keyed by {@link hashKey}. */
export type FoundHashes = ReadonlyMap<string, FoundHash>;

/** The server's answer about a prefix. */
export interface PrefixAnswer {
  readonly hashes: FoundHashes;
  /** When the server was asked, in milliseconds since 1970. */
  readonly from: number;
  /** How long the answer is valid for hashes that it does not contain, in milliseconds. */
  readonly duration: number;
}

/** The answer about one full hash. */
export interface HashAnswer {
  /** Empty when the hash is not listed. */
  readonly threats: readonly FoundThreat[];
  readonly until: number;
}

/** The part of an answer that is about one full hash. */
export function hashAnswer({ hashes, from, duration }: PrefixAnswer, hash: Uint8Array): HashAnswer {
  const found = hashes.get(hashKey(hash));
  const own = Math.min(found?.duration ?? duration, LONGEST_DURATION);
  return { threats: found?.threats ?? [], until: from + own };
}

/** The time until which an answer is valid for every full hash with its prefix, in milliseconds since 1970. */
export function wholeUntil({ hashes, from, duration }: PrefixAnswer): number {
  let shortest = Math.min(duration, LONGEST_DURATION);
  for (const found of hashes.values()) shortest = Math.min(shortest, found.duration);
  return from + shortest;
}
