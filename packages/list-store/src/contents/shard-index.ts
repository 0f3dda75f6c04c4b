import { decodeText, encodeText } from "../bytes.ts";
import { StoreError } from "../error.ts";
import { getObject, isHash } from "../objects.ts";
import type { Storage } from "../storage.ts";
import { MAX_SHARD_BITS } from "./shard-size.ts";

/** The maximum length of an index, in bytes. An index has a line for each shard. */
const MAX_INDEX_BYTES = 2 ** MAX_SHARD_BITS * 80;

/** The names of the shards, in ascending order of the full hashes in them. The number of shards is a power of two. */
export interface ShardIndex {
  readonly shards: readonly string[];
}

export function encodeShardIndex(index: ShardIndex): Uint8Array {
  return encodeText(`${JSON.stringify(index, null, 2)}\n`);
}

export async function readShardIndex(storage: Storage, hash: string): Promise<ShardIndex> {
  const text = decodeText(await getObject(storage, hash, MAX_INDEX_BYTES));
  try {
    const { shards } = JSON.parse(text) as ShardIndex;
    const isPower =
      Number.isInteger(Math.log2(shards.length)) && shards.length <= 2 ** MAX_SHARD_BITS;
    if (isPower && shards.every(isHash)) return { shards };
  } catch {
    // The error is thrown below.
  }
  throw new StoreError("damaged", `The object ${hash} is damaged: it is not an index of shards`);
}
