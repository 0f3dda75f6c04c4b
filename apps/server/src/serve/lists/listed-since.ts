import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogEntry } from "@x/list-store";
import { hasPrefix, type OpenList, type PrefixWords, recentlyUsed } from "@x/list-store/serving";
import { fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedVersion } from "./served-version.ts";

/** When an entry was added to a list, in milliseconds since 1970: exactly at `time`, or at `time` at the latest. */
export interface ListedSince {
  readonly time: number;
  readonly isExact: boolean;
}

/**
 * Finds out since when the entry with a full hash has been on a list without interruption. `network` returns the
 * client's network. Clients of different networks take turns reading the store.
 *
 * The answer comes from the changes that are still in the store. Changes contain hash prefixes, so of several entries
 * with the same prefix, the first one sets the time. For a list of another server, only the newest contents are known.
 */
export type FindListedSince = (
  list: ServedVersion,
  hash: Uint8Array,
  network: () => string,
) => Promise<ListedSince>;

export interface ListedSinceOptions {
  /** The changes of this many of the newest versions are read. */
  readonly window: number;
  /** How many added entries are read for one answer, and how many are kept in memory. */
  readonly most?: number;
}

const MOST_ENTRIES = 2 ** 20;

/** Changes are read one at a time, and clients take turns. */
const READS = {
  atOnce: 1,
  perClient: 32,
  total: 1000,
  refusal: () => new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "10" }),
};

export function listedSinceFinder({
  window,
  most = MOST_ENTRIES,
}: ListedSinceOptions): FindListedSince {
  const reads = fairQueue(READS);
  /** Added prefixes, by the name of the object that contains them. */
  const kept = recentlyUsed<string, PrefixWords>(most, ({ length }) => length);
  async function read(list: OpenList, entry: LogEntry, object: string): Promise<PrefixWords> {
    const words = await list.addedBy(entry);
    kept.set(object, words);
    await nextTurn();
    return words;
  }

  async function addedBy(
    list: OpenList,
    entry: LogEntry,
    object: string,
    network: () => string,
  ): Promise<PrefixWords> {
    const known = () => kept.get(object);
    // Another client may have asked for the same change in the meantime.
    return known() ?? reads.run(network(), async () => known() ?? read(list, entry, object));
  }

  return async (list, hash, network) => {
    if (list.hashLayers === undefined) return { time: list.since, isExact: false };
    const newest = list.entry.manifest;
    let time = newest.issued;
    let entries = 0;
    try {
      for (let age = 0; ; age++) {
        const version = newest.version - age;
        const entry =
          list.log.get(version) ?? (await reads.run(network(), () => list.entryOf(version)));
        const { issued, previous, change } = entry.manifest;
        time = issued;
        // The entry is in every version, and this version is the first one.
        if (previous === null) return { time, isExact: true };
        if (age >= window) return { time, isExact: false };
        if (change === null || change.addedEntries === 0) continue;
        entries += change.addedEntries;
        if (entries > most) return { time, isExact: false };
        const added = await addedBy(list, entry, change.added, network);
        if (hasPrefix(added, hash)) return { time, isExact: true };
      }
    } catch (error) {
      if (error instanceof HttpProblem) throw error;
      // A change that cannot be read, often because it was old and has been deleted, makes the answer less exact but
      // not wrong.
      return { time, isExact: false };
    }
  };
}
