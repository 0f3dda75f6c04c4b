import { findInShard, shardNumber } from "../../store/full-hashes.ts";
import type { LoadedList } from "../../store/list-reader.ts";
import { getObject } from "../../store/objects.ts";
import { countBelow, wordAt } from "../../store/prefix-words.ts";
import type { Storage } from "../../store/storage/storage.ts";

const NOTHING: Uint8Array[] = [];

/** The memory that shards of full hashes may take. */
const MAX_CACHED_BYTES = 64 * 2 ** 20;

/** Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. */
export type FullHashFinder = (list: LoadedList, prefix: Uint8Array) => Promise<Uint8Array[]>;

/**
 * A finder that keeps the shards it used last.
 *
 * A prefix that is not on the list costs no shard: only what clients may really have is looked up.
 */
export function fullHashFinder(storage: Storage): FullHashFinder {
  const shards = new Map<string, Promise<Uint8Array>>();
  const sizes = new Map<string, number>();
  let cached = 0;

  function forget(name: string): void {
    shards.delete(name);
    cached -= sizes.get(name) ?? 0;
    sizes.delete(name);
  }

  function readShard(name: string): Promise<Uint8Array> {
    const found = shards.get(name);
    if (found !== undefined) {
      // To the end of the order, which is the order of use.
      shards.delete(name);
      shards.set(name, found);
      return found;
    }
    const reading = getObject(storage, name).then((bytes) => {
      sizes.set(name, bytes.length);
      cached += bytes.length;
      for (const oldest of shards.keys()) {
        if (cached <= MAX_CACHED_BYTES || oldest === name) break;
        forget(oldest);
      }
      return bytes;
    });
    shards.set(name, reading);
    reading.catch(() => forget(name));
    return reading;
  }

  return async ({ words, shards: names }, prefix) => {
    const word = wordAt(prefix, 0);
    if (words[countBelow(words, word)] !== word) return NOTHING;
    const shard = await readShard(names[shardNumber(prefix, 0, Math.log2(names.length))]!);
    return findInShard(shard, prefix);
  };
}
