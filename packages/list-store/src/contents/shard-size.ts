import { getObject } from "../objects.ts";
import type { Storage } from "../storage.ts";

/*
 * The full hashes of a list are split into shards by their first bits, so that a search reads one small object. An
 * index object names the shards in order.
 */

/** The maximum number of full hashes in a shard (one megabyte) if hashes are spread evenly. */
const SHARD_HASHES = 2 ** 15;
/** The maximum length of a shard in bytes, far above the length of any valid shard. */
const MAX_SHARD_BYTES = 2 ** 25;
/** The first two bytes of a hash give the number of its shard, which is enough for 2 billion hashes. */
export const MAX_SHARD_BITS = 16;

/** The binary logarithm of the number of shards for a list of `count` full hashes. */
export function shardBits(count: number): number {
  return Math.min(MAX_SHARD_BITS, Math.max(0, Math.ceil(Math.log2(count / SHARD_HASHES))));
}

/** The number of the shard, out of 2 to the power of `bits`, for the hash or prefix at an offset. */
export function shardNumber(hash: Uint8Array, offset: number, bits: number): number {
  return ((hash[offset]! << 8) | hash[offset + 1]!) >>> (MAX_SHARD_BITS - bits);
}

/** Reads a shard and checks its bytes against its name, which is their SHA-256. */
export function getShard(storage: Storage, name: string): Promise<Uint8Array> {
  return getObject(storage, name, MAX_SHARD_BYTES);
}
