import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { findInShard, hashesIn, type ReadableHashes } from "../contents/find-in-shard.ts";
import { hasPrefix, shardOf } from "../contents/find-shard.ts";
import { type HashLayer, loadHashLayers, type MakeMentions } from "../contents/hash-layers.ts";
import { type Layers, readLayers } from "../contents/layers.ts";
import { PREFIX_BYTES } from "../contents/prefix-words.ts";
import { getShard } from "../contents/shard-size.ts";
import type { Storage } from "../storage.ts";
import type { LoadedList } from "./loaded-list.ts";

/** The shard to search for a prefix and a function that searches it. */
export interface FullHashSearch {
  /** The name of the shard: the hash of the object that has its bytes. */
  readonly shard: string;
  /** The full hashes in the shard that begin with the prefix, each as a view of the bytes that were read. */
  find(hashes: ReadableHashes): Uint8Array[];
}

/** A list in memory whose full hashes can be searched. */
export interface SearchableList extends LoadedList {
  readonly layers: Layers;
  readonly hashLayers: readonly HashLayer[];
}

/** Finds the places of the full hashes of a list. Layers that are known from an older version are not read again. */
export async function searchable(
  storage: Storage,
  list: LoadedList,
  before: SearchableList | null = null,
  makeMentions?: MakeMentions,
): Promise<SearchableList> {
  const known = before?.hashLayers ?? [];
  const layers = list.layers ?? (await readLayers(storage, list.entry.manifest));
  return {
    ...list,
    layers,
    hashLayers: await loadHashLayers(storage, layers, known, makeMentions),
  };
}

/**
 * Finds the shard with the full hashes of a list that begin with a prefix of 4 to 32 bytes; `null` when the first four
 * bytes of the prefix are not on the list.
 */
export function searchFullHashes(list: SearchableList, prefix: Uint8Array): FullHashSearch | null {
  const place = shardOf(list, prefix);
  if (place === null) return null;
  const { shard, guess } = place;
  return { shard, find: (hashes) => findInShard(hashes, prefix, guess) };
}

const searchables = new WeakMap<LoadedList, Promise<SearchableList>>();

/** Like {@link searchable}, but only once for each list. */
function searchableOnce(storage: Storage, list: LoadedList): Promise<SearchableList> {
  let made = searchables.get(list);
  if (made === undefined) {
    made = searchable(storage, list);
    searchables.set(list, made);
    made.catch(() => searchables.delete(list));
  }
  return made;
}

/**
 * Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. Nothing is read when the first four bytes
 * of the prefix are not on the list.
 *
 * @throws {StoreError} when the full hashes cannot be read, for example `missing` or `damaged`. Hashes are never left
 * out.
 * @throws {RangeError} when the prefix is shorter or longer.
 */
export async function findFullHashes(
  storage: Storage,
  list: LoadedList,
  prefix: Uint8Array,
): Promise<Uint8Array[]> {
  if (prefix.length < PREFIX_BYTES || prefix.length > FULL_HASH_BYTES) {
    throw new RangeError(`A prefix has 4 to 32 bytes, not ${prefix.length}`);
  }
  if (!hasPrefix(list.words, prefix)) return [];
  const search = searchFullHashes(await searchableOnce(storage, list), prefix)!;
  const shard = hashesIn(await getShard(storage, search.shard));
  return search.find(shard).map((hash) => new Uint8Array(hash));
}
