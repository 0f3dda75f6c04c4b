import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import type { ContentsChange } from "../publishing/new-contents.ts";
import type { Storage } from "../storage/storage.ts";
import { findInShard, shardNumber } from "./full-hashes.ts";
import { readNames } from "./stored-contents.ts";

/** Some of the hosts that a new version would remove; none when the store does not keep names. */
export async function removedHosts(
  storage: Storage,
  { before, fresh }: ContentsChange,
  most: number,
): Promise<string[]> {
  const { names } = before.contents;
  if (names === undefined) return [];
  const removed: string[] = [];
  for (const { host } of (await readNames(storage, names)).shards.flat()) {
    const hash = fullHash(`${host}/`);
    const shard = fresh.shards.parts[shardNumber(hash, 0, fresh.shards.bits)]!;
    const isThere = findInShard(shard, hash, guessOf(hash, shard, fresh.shards.bits)).length > 0;
    if (!isThere) removed.push(host);
    if (removed.length === most) break;
  }
  return removed;
}

/** About where a hash is in its shard, since hashes are spread evenly. */
function guessOf(hash: Uint8Array, shard: Uint8Array, bits: number): number {
  const word = new DataView(hash.buffer, hash.byteOffset).getUint32(0);
  const part = (word / 2 ** 32) * 2 ** bits;
  return (part - Math.floor(part)) * (shard.length / FULL_HASH_BYTES);
}
