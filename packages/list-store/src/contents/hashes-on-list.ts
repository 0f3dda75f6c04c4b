import type { Manifest } from "../manifest.ts";
import { readNewest, type StoredList } from "../read-log.ts";
import { findInShard, hashesIn } from "./find-in-shard.ts";
import { shardOf } from "./find-shard.ts";
import { readVersion } from "./read-version.ts";
import { getShard } from "./shard-size.ts";

/** Finds which of the given full hashes are on the newest version of a list; `null` when there is no such list. */
export async function hashesOnList<Hash extends Uint8Array>(
  stored: StoredList,
  hashes: readonly Hash[],
): Promise<{ readonly manifest: Manifest; readonly found: readonly Hash[] } | null> {
  const { storage } = stored;
  const newest = await readNewest(stored);
  if (newest === null) return null;
  const { manifest } = newest;
  const version = await readVersion(storage, manifest);
  const found: Hash[] = [];
  for (const hash of hashes) {
    const place = shardOf(version, hash);
    if (place === null) continue;
    const shard = hashesIn(await getShard(storage, place.shard));
    if (findInShard(shard, hash, place.guess).length > 0) found.push(hash);
  }
  return { manifest, found };
}
