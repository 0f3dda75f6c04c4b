import {
  fullHashesIn,
  type MakeMentions,
  makeMentions,
  type ReadShard,
} from "../contents/hash-layers.ts";
import { readLayers } from "../contents/layers.ts";
import type { Contents, LogEntry } from "../manifest.ts";
import { readOlder } from "../read-log.ts";
import type { Storage } from "../storage.ts";
import { type TrustedLog, trustedBefore } from "../trusted-log.ts";
import { readChangesSince } from "./changes-since.ts";
import {
  type DifferenceOptions,
  type DifferenceSince,
  type DifferenceSource,
  differencesTo,
} from "./difference-or-full-update.ts";
import {
  type FullHashSearch,
  type SearchableList,
  searchable,
  searchFullHashes,
} from "./find-full-hashes.ts";
import type { LoadedList } from "./loaded-list.ts";

/**
 * Makes the differences to a loaded list from changes in the store. The signed log shows whether a client can have the
 * version that it names.
 */
export function storedDifferences(
  storage: Storage,
  { entry, layers: known, words, prefixes }: LoadedList,
  entryOf: (version: number) => Promise<LogEntry>,
  window: number,
): DifferenceSource<Contents> {
  const { list, version, issued: created } = entry.manifest;
  return {
    newest: { words, checksum: prefixes.checksum, list, created },
    async find(since, checksum) {
      if (since < 1 || since > version) return "unknown-token";
      if (since < version - window) return "behind-window";
      const { contents } = (await entryOf(since)).manifest;
      const isRight = contents.since === since && contents.checksum.startsWith(checksum);
      return isRight ? contents : "unknown-token";
    },
    async changesSince({ since }, isTooMuch) {
      const layers = known ?? (await readLayers(storage, entry.manifest));
      return readChangesSince(storage, { entry, layers }, since, entryOf, isTooMuch);
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
  /** All full hashes in ascending order, in chunks. Only one shard of each layer is in memory at a time. */
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
  const { window, makeMentions: make = (stored) => makeMentions(stored) } = options;
  const list = await searchable(storage, loaded, before, make);
  const log = trustedBefore(list.entry, { known: list.log });
  const entryOf = entriesOf(storage, log);
  return {
    ...list,
    log: log.entries,
    search: (prefix) => searchFullHashes(list, prefix),
    fullHashes: () => fullHashesIn(storage, list.words, list.hashLayers, options.readShard),
    differenceSince: differencesTo(storedDifferences(storage, list, entryOf, window), options),
  };
}
