import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import { countsIn, readBlock, type WrittenLink, walkBack } from "./block.ts";
import {
  fullHashesIn,
  type HashBlock,
  hasPrefix,
  loadHashBlocks,
  type MakeMentions,
  type ReadShard,
  shardOf,
} from "./contents.ts";
import {
  type DifferenceOptions,
  type DifferenceSince,
  type DifferenceSource,
  differencesTo,
} from "./differences.ts";
import { findInShard, getShard, hashesIn, type ReadableHashes } from "./full-hashes.ts";
import { loadKept } from "./load-list.ts";
import type { Contents, LogEntry } from "./manifest.ts";
import { readOlder } from "./read-log.ts";
import type { KeptVersion, LoadedList } from "./snapshot.ts";
import type { Storage } from "./storage.ts";
import { type TrustedLog, trustedBefore } from "./trusted-log.ts";
import { PREFIX_BYTES } from "./words.ts";

/**
 * Makes the differences to a loaded list from blocks in the store. The signed log shows whether a client can have the
 * version that it names.
 */
export function storedDifferences(
  storage: Storage,
  { entry, words, prefixes }: LoadedList,
  entryOf: (version: number) => Promise<LogEntry>,
  window: number,
): DifferenceSource<Contents> {
  const { list, version, first, issued: created } = entry.manifest;
  return {
    newest: { words, checksum: prefixes.checksum, list, created },
    async find(since, checksum) {
      if (since < 1 || since > version) return "unknown-token";
      if (since < Math.max(version - window, first)) return "behind-window";
      const { contents } = (await entryOf(since)).manifest;
      const isRight = contents.since === since && contents.checksum.startsWith(checksum);
      return isRight ? contents : "unknown-token";
    },
    async changesSince({ since }, isTooMuch) {
      let [removed, added] = [0, 0];
      const read = async (link: WrittenLink) => {
        const block = await readBlock(storage, link);
        const counts = countsIn(block.stored);
        removed += counts.removed;
        added += counts.added;
        return block;
      };
      // The blocks need not be trusted: a list that they lead to is refused unless it has the signed checksum.
      const isOver = () => isTooMuch({ removed, added });
      const blocks = await walkBack(entry.manifest, since, read, { isTooMuch: isOver });
      return blocks === null || isOver() ? null : blocks.map(({ block }) => block.stored);
    },
  };
}

/**
 * Options for {@link openList}. `makeMentions` and `makeDifference` can do the work on long lists in another thread.
 */
export interface OpenOptions extends DifferenceOptions {
  /** Clients can get differences from this many of the newest versions. */
  readonly window: number;
  readonly makeMentions?: MakeMentions | undefined;
  /** Reads the shards for {@link OpenList.fullHashes}; by default, from the store. */
  readonly readShard?: ReadShard | undefined;
}

/** A list in memory, with methods that answer clients. */
export interface OpenList extends SearchableList {
  /**
   * Finds the shard with the full hashes that begin with a prefix of 4 to 32 bytes; `null` when the first four bytes of
   * the prefix are not on the list.
   */
  search(prefix: Uint8Array): FullHashSearch | null;
  /** All full hashes in ascending order, in chunks. Only one shard of each block is in memory at a time. */
  fullHashes(): AsyncGenerator<Uint8Array>;
  readonly differenceSince: DifferenceSince;
}

/**
 * Returns a function that reads verified entries of a list's log. Calls run one after the other, so that no entry is
 * read twice.
 */
export function entriesOf(
  storage: Storage,
  log: TrustedLog,
): (version: number) => Promise<LogEntry> {
  let reading: Promise<unknown> = Promise.resolve();
  return (version) => {
    const read = log.entries.get(version);
    if (read !== undefined) return Promise.resolve(read);
    const result = reading.then(() => readOlder(storage, log, version));
    reading = result.catch(() => {});
    return result;
  };
}

/**
 * Prepares a loaded list for clients, by finding the places of its full hashes.
 *
 * @param before an older version, whose parts are not read again. This is a separate parameter because the methods of
 * the new version keep the options in memory, and must not keep older versions.
 */
export async function openList(
  storage: Storage,
  loaded: LoadedList,
  options: OpenOptions,
  before: OpenList | null = null,
): Promise<OpenList> {
  const { window, makeMentions: make } = options;
  const list = await searchable(storage, loaded, before, make);
  const log = trustedBefore(list.entry, { known: list.log });
  const entryOf = entriesOf(storage, log);
  return {
    ...list,
    log: log.entries,
    search: (prefix) => searchFullHashes(list, prefix),
    fullHashes: () => fullHashesIn(storage, list.words, list.hashBlocks, options.readShard),
    differenceSince: differencesTo(storedDifferences(storage, list, entryOf, window), options),
  };
}

/** The shard to search for a prefix and a function that searches it. */
interface FullHashSearch {
  /** The name of the shard: the hash of the object that has its bytes. */
  readonly shard: string;
  /** The full hashes in the shard that begin with the prefix, each as a view of the bytes that were read. */
  find(hashes: ReadableHashes): Uint8Array[];
}

/** A list in memory whose full hashes can be searched. */
interface SearchableList extends LoadedList {
  readonly hashBlocks: readonly HashBlock[];
}

/** Finds the places of the full hashes of a list. Blocks that are known from an older version are not read again. */
async function searchable(
  storage: Storage,
  list: LoadedList,
  before: SearchableList | null = null,
  makeMentions?: MakeMentions,
): Promise<SearchableList> {
  const { manifest } = list.entry;
  const known = before?.hashBlocks ?? [];
  return { ...list, hashBlocks: await loadHashBlocks(storage, manifest, known, makeMentions) };
}

/**
 * Finds the shard with the full hashes of a list that begin with a prefix of 4 to 32 bytes; `null` when the first four
 * bytes of the prefix are not on the list.
 */
function searchFullHashes(list: SearchableList, prefix: Uint8Array): FullHashSearch | null {
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

/** The versions that readers keep, as loaded lists. */
const loadedLists = new WeakMap<KeptVersion, LoadedList>();

function loadedOnce(list: KeptVersion | LoadedList): LoadedList {
  if ("log" in list) return list;
  const loaded = loadedLists.get(list) ?? loadKept(list);
  loadedLists.set(list, loaded);
  return loaded;
}

/**
 * Finds the full hashes of a list that begin with a prefix of 4 to 32 bytes. Nothing is read when the first four bytes
 * of the prefix are not on the list. The version that a reader keeps is searched, even if there is a newer one.
 *
 * @throws {StoreError} when the full hashes cannot be read, for example `missing` or `damaged`. Hashes are never left
 * out.
 * @throws {RangeError} when the prefix is shorter or longer.
 */
export async function findFullHashes(
  storage: Storage,
  list: KeptVersion | LoadedList,
  prefix: Uint8Array,
): Promise<Uint8Array[]> {
  if (prefix.length < PREFIX_BYTES || prefix.length > FULL_HASH_BYTES) {
    throw new RangeError(`A prefix has 4 to 32 bytes, not ${prefix.length}`);
  }
  const loaded = loadedOnce(list);
  if (!hasPrefix(loaded.words, prefix)) return [];
  const search = searchFullHashes(await searchableOnce(storage, loaded), prefix)!;
  const shard = hashesIn(await getShard(storage, search.shard));
  return search.find(shard).map((hash) => new Uint8Array(hash));
}
