import { wordAt } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { findInShard, shardNumber } from "../contents/full-hashes.ts";
import { countBelow } from "../contents/prefix-words.ts";
import { getObject } from "../objects.ts";
import type { Storage } from "../storage/storage.ts";
import type { LoadedList } from "./load-list.ts";

/** The object to read for a prefix, and how to search it. */
export interface FullHashSearch {
  /** The hash of the object. */
  readonly object: string;
  /** The maximum length of the object in bytes. */
  readonly most: number;
  /** The full hashes in the object that begin with the prefix, each as a view of its bytes. */
  find(bytes: Uint8Array): Uint8Array[];
}

const startsOfLists = new WeakMap<LoadedList, readonly number[]>();

/** For each shard, how many words of the list come before it. */
function shardStarts(list: LoadedList): readonly number[] {
  let starts = startsOfLists.get(list);
  if (starts === undefined) {
    const { words, shards } = list;
    starts = shards.map((_, i) => countBelow(words, (i / shards.length) * 2 ** 32));
    startsOfLists.set(list, starts);
  }
  return starts;
}

/**
 * Which object of a list has the full hashes that begin with a prefix of 4 to 32 bytes; `null` when the list has none.
 * For programs that keep objects in memory.
 */
export function searchFullHashes(list: LoadedList, prefix: Uint8Array): FullHashSearch | null {
  const { entry, words, shards } = list;
  const word = wordAt(prefix, 0);
  const index = countBelow(words, word);
  if (words[index] !== word) return null;
  const number = shardNumber(prefix, 0, Math.log2(shards.length));
  return {
    object: shards[number]!,
    most: FULL_HASH_BYTES * entry.manifest.contents.fullHashes,
    // Few full hashes begin with the same word, so their indices are nearly those of the words.
    find: (bytes) => findInShard(bytes, prefix, index - shardStarts(list)[number]!),
  };
}

/**
 * Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. Nothing is read for a prefix that is not on
 * the list.
 *
 * @throws {StoreError} `missing` or `damaged` when they cannot be read. Hashes are never left out.
 */
export async function findFullHashes(
  storage: Storage,
  list: LoadedList,
  prefix: Uint8Array,
): Promise<Uint8Array[]> {
  const search = searchFullHashes(list, prefix);
  if (search === null) return [];
  const { object, most } = search;
  return search.find(await getObject(storage, object, most)).map((hash) => new Uint8Array(hash));
}
