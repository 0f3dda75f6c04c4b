import { compareBytes } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { firstNotBelow } from "./search-hashes.ts";

/** Ascending full hashes, of which any part can be read. */
export interface ReadableHashes {
  readonly count: number;
  /**
   * The bytes of `count` hashes from `index` on. Callers must not change these bytes, which may be a view of shared
   * memory.
   */
  read(index: number, count: number): Uint8Array;
}

/** Makes the hashes in `bytes` readable, 32 bytes each. Bytes after the last whole hash are ignored. */
export function hashesIn(bytes: Uint8Array): ReadableHashes {
  return {
    count: Math.floor(bytes.length / FULL_HASH_BYTES),
    read: (index, count) =>
      bytes.subarray(index * FULL_HASH_BYTES, (index + count) * FULL_HASH_BYTES),
  };
}

/**
 * This many hashes around the guess are read at once. Most searches need no other read, because the guess is off only
 * by the number of entries that changed nearby. Hashes farther away are read one by one.
 */
const WINDOW = 96;

/** The full hashes in a shard that begin with a prefix. `guess` is the approximate index of the first one. */
export function findInShard(
  shard: ReadableHashes,
  prefix: Uint8Array,
  guess: number,
): Uint8Array[] {
  const { count } = shard;
  const from = Math.max(0, Math.min(Math.floor(guess) - WINDOW / 2, count - WINDOW));
  const window = shard.read(from, Math.min(WINDOW, count - from));
  const size = window.length / FULL_HASH_BYTES;
  const hashAt = (index: number): Uint8Array => {
    if (index < from || index >= from + size) return shard.read(index, 1);
    const at = (index - from) * FULL_HASH_BYTES;
    return window.subarray(at, at + FULL_HASH_BYTES);
  };
  /** Returns a number below 0 when the hash comes before the prefix, and 0 when the hash begins with the prefix. */
  const compare = (index: number): number =>
    index >= from && index < from + size
      ? compareBytes(window, (index - from) * FULL_HASH_BYTES, prefix, 0, prefix.length)
      : compareBytes(shard.read(index, 1), 0, prefix, 0, prefix.length);
  const found: Uint8Array[] = [];
  let index = firstNotBelow(count, guess, (each) => compare(each) < 0, 1);
  for (; index < count && compare(index) === 0; index++) found.push(hashAt(index));
  return found;
}
