import { setImmediate as nextTurn } from "node:timers/promises";
import { type Change, type LogEntry, readPrevious, type Storage } from "@x/list-store";
import {
  countBelow,
  getAdditions,
  type PrefixWords,
  recentlyUsed,
  type SearchableList,
} from "@x/list-store/serving";
import { wordAt } from "@x/prefix-list/raw-hashes";
import { type Aside, AT_ONCE } from "../aside/aside.ts";
import { fairQueue } from "../fairness/fair-queue.ts";
import { HttpProblem } from "../http/http-problem.ts";
import type { ServedVersion } from "./served-version.ts";

/** When an entry was added to a list: exactly at `time`, or at `time` at the latest. */
export interface ListedSince {
  readonly time: number;
  readonly isExact: boolean;
}

/**
 * Finds out since when the entry with a full hash has been on a list without a break. `network` returns the client's
 * network: clients of different networks take turns reading the store.
 *
 * The answer comes from the changes that are still in the store. They contain hash prefixes, so of several entries with
 * the same prefix, the first one sets the time. For a list of another server, only the newest contents are known.
 */
export type FindListedSince = (
  list: ServedVersion,
  hash: Uint8Array,
  network: () => string,
) => Promise<ListedSince>;

export interface ListedSinceOptions {
  readonly storage: Storage;
  /** The changes of this many of the newest versions are read. */
  readonly window: number;
  readonly aside?: Aside;
  /** How many added entries are read for one answer, and how many are kept in memory. */
  readonly most?: number;
}

const MOST_ENTRIES = 2 ** 20;

/** Changes are read one at a time, and clients take turns. */
const READS = {
  ...{ atOnce: 1, perClient: 32, total: 1000 },
  refusal: () => new HttpProblem(429, "Too many requests are waiting.", { "Retry-After": "10" }),
};

export function listedSinceFinder({
  storage,
  window,
  aside = AT_ONCE,
  most = MOST_ENTRIES,
}: ListedSinceOptions): FindListedSince {
  const reads = fairQueue(READS);
  /** Added prefixes, by the name of the object that contains them. */
  const kept = recentlyUsed<string, PrefixWords>(most, ({ length }) => length);
  /** The part of each list's log that has been read so far, the newest version first. */
  const logs = new WeakMap<SearchableList, LogEntry[]>();

  async function read(change: Change): Promise<PrefixWords> {
    const stored = await getAdditions(storage, change);
    const entries = change.addedEntries;
    const job = { added: stored, changed: null };
    const words = await aside.run("makeMentions", entries, job, [stored.bytes]);
    kept.set(change.added, words);
    await nextTurn();
    return words;
  }

  async function addedBy(change: Change, network: () => string): Promise<PrefixWords> {
    const known = () => kept.get(change.added);
    // Another client may have asked for the same change in the meantime.
    return known() ?? reads.run(network(), async () => known() ?? read(change));
  }

  /** The log entry that is `age` versions older than the newest one, verified by the chain of hashes. */
  async function entryAt(
    list: SearchableList,
    age: number,
    network: () => string,
  ): Promise<LogEntry> {
    const log = logs.get(list) ?? [list.entry];
    logs.set(list, log);
    while (log.length <= age) {
      await reads.run(network(), async () => {
        const after = log.at(-1)!;
        // Another client may have come this far in the meantime.
        if (log.length > age) return;
        const loaded = list.log.get(after.manifest.version - 1);
        log.push(loaded ?? (await readPrevious(storage, after))!);
      });
    }
    return log[age]!;
  }

  return async (list, hash, network) => {
    if (list.hashLayers === undefined) return { time: list.since, isExact: false };
    const word = wordAt(hash, 0);
    let time = list.entry.manifest.issued;
    let entries = 0;
    try {
      for (let age = 0; ; age++) {
        const { issued, previous, change } = (await entryAt(list, age, network)).manifest;
        time = issued;
        // The entry is in every version, and this version is the first one.
        if (previous === null) return { time, isExact: true };
        if (age >= window) return { time, isExact: false };
        if (change === null || change.addedEntries === 0) continue;
        entries += change.addedEntries;
        if (entries > most) return { time, isExact: false };
        const added = await addedBy(change, network);
        if (added[countBelow(added, word)] === word) return { time, isExact: true };
      }
    } catch (error) {
      if (error instanceof HttpProblem) throw error;
      // A change that cannot be read, often because it was old and has been deleted, makes the answer less exact but
      // not wrong.
      return { time, isExact: false };
    }
  };
}
