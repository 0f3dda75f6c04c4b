import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { readNewest, type StoredList } from "../log/commit-log.ts";
import type { Manifest } from "../log/manifest.ts";
import { getObject } from "../objects.ts";
import { findInShard, readShardIndex, shardNumber } from "./full-hashes.ts";

/** Finds which of some full hashes are on the newest version of a list; `null` when there is no such list. */
export async function hashesOnList<Hash extends Uint8Array>(
  stored: StoredList,
  hashes: readonly Hash[],
): Promise<{ readonly manifest: Manifest; readonly found: readonly Hash[] } | null> {
  const { storage } = stored;
  const newest = await readNewest(stored);
  if (newest === null) return null;
  const { manifest } = newest;
  const { shards } = await readShardIndex(storage, manifest.contents.shards);
  const found: Hash[] = [];
  for (const hash of hashes) {
    const shard = await getObject(storage, shards[shardNumber(hash, 0, Math.log2(shards.length))]!);
    const middle = shard.length / FULL_HASH_BYTES / 2;
    if (findInShard(shard, hash, middle).length > 0) found.push(hash);
  }
  return { manifest, found };
}
