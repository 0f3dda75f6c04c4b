import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { concatBytes } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { firstNotBelow } from "./search-hashes.ts";
import { shardBits, shardNumber } from "./shard-size.ts";
import type { SortedHashes } from "./sort-full-hashes.ts";

/** The byte offset in ascending full hashes at which a shard starts, or would start if it is empty. */
function startOfShard(hashes: Uint8Array, number: number, bits: number): number {
  const count = hashes.length / FULL_HASH_BYTES;
  const isBelow = (index: number) => shardNumber(hashes, index * FULL_HASH_BYTES, bits) < number;
  return FULL_HASH_BYTES * firstNotBelow(count, count / 2, isBelow);
}

/** The part of ascending full hashes that belongs to a shard. */
export function shardIn(hashes: Uint8Array, number: number, bits: number): Uint8Array {
  return hashes.subarray(
    startOfShard(hashes, number, bits),
    startOfShard(hashes, number + 1, bits),
  );
}

const joined = (parts: readonly Uint8Array[]) =>
  parts.length === 1 ? parts[0]! : concatBytes(parts);

/**
 * Splits full hashes into 2 to the power of `bits` shards, and yields the shards one by one.
 *
 * @throws {StoreError} `unverified` when the number of full hashes is not `count`.
 */
export async function* shardsOf(
  { count, pieces }: SortedHashes,
  bits: number = shardBits(count),
): AsyncGenerator<Uint8Array, void, undefined> {
  let number = 0;
  let bytes = 0;
  /** The parts of the current shard that have been read. */
  let parts: Uint8Array[] = [];
  for await (const piece of pieces()) {
    bytes += piece.length;
    let rest = piece;
    for (;;) {
      const end = startOfShard(rest, number + 1, bits);
      if (end > 0) parts.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      if (rest.length === 0) break;
      yield joined(parts);
      parts = [];
      number++;
    }
  }
  if (bytes !== count * FULL_HASH_BYTES) {
    throw new StoreError(
      "unverified",
      `There should be ${count} full hashes, but ${bytes} bytes were read`,
    );
  }
  for (; number < 2 ** bits; number++) {
    yield joined(parts);
    parts = [];
  }
}
