import {
  bytesAByte,
  type Change,
  type DifferenceSince,
  entriesIn,
  type PrefixWords,
  recentlyUsed,
  type WorkQueue,
  wordsOfChange,
} from "@x/list-store/serving";
import type { PrefixList, PrefixListDifference } from "@x/prefix-list";
import type { Aside } from "../aside/aside.ts";

/** The changes that are kept may have this many prefixes in total, or as many as the list has, if that is more. */
const MAX_CHANGED = 2 ** 16;
/** The differences that are kept may have this many entries in total. A single difference may have more. */
const MAX_KEPT_ENTRIES = 2 ** 21;

/** The number in all tokens for lists of other servers. The checksum alone identifies a version, on every server. */
export const SINCE = 0;

interface Version {
  readonly checksum: string;
  readonly prefixes: number;
  /** What has changed since the previous version. */
  readonly change: Change<PrefixWords>;
}

/** The newest version of a list, and what has changed since the previous one. */
interface NewestVersion {
  readonly prefixes: PrefixList;
  readonly words: PrefixWords;
  readonly change: Change<PrefixWords>;
}

/** For a list of another server: the versions that clients may still have. They are kept only in memory. */
export interface ListHistory {
  /** Adds the newest version. The result says what has changed since each older version. */
  add(newest: NewestVersion): DifferenceSince;
}

/** How many prefixes were removed or added in several changes. A prefix that was changed twice is counted twice. */
function countIn(changes: readonly Change<PrefixWords>[], part: "removed" | "added"): number {
  return changes.reduce((sum, change) => sum + change[part].length, 0);
}

export function listHistory(window: number, queue: WorkQueue, aside: Aside): ListHistory {
  /** The newest version comes last. The change of the first version is not used. */
  let versions: readonly Version[] = [];

  /** The newest version and up to `window` older ones. Their changes must not have too many prefixes in total. */
  function worthKeeping(all: readonly Version[], entries: number): readonly Version[] {
    const most = Math.max(entries, MAX_CHANGED);
    let words = 0;
    let first = all.length - 1;
    while (first > 0 && all.length - first <= window) {
      words += wordsOfChange(all[first]!.change);
      if (words > most) break;
      first--;
    }
    return all.slice(first);
  }

  function differencesTo(newest: NewestVersion, known: readonly Version[]): DifferenceSince {
    const { words, prefixes: list } = newest;
    const { checksum, prefixes } = known.at(-1)!;
    /** The differences, by the checksum of the older version. */
    const kept = recentlyUsed<string, PrefixListDifference>(MAX_KEPT_ENTRIES, entriesIn);

    async function join(
      old: Version,
      changes: readonly Change<PrefixWords>[],
    ): Promise<PrefixListDifference> {
      // Another client may have asked for the same difference in the meantime.
      const joined = kept.get(old.checksum);
      if (joined !== undefined) return joined;
      const entries = countIn(changes, "removed") + countIn(changes, "added");
      const { name, created } = list;
      const versions = { words, checksum, before: old, list: name, created };
      const parts = { ...versions, changes: changes.toReversed() };
      const difference = await aside.run("makeDifference", entries, parts);
      kept.set(old.checksum, difference);
      return difference;
    }

    return async (since, start, client, mostRemovals = Infinity) => {
      const index = known.findLastIndex((each) => each.checksum.startsWith(start));
      if (since !== SINCE || index < 0) return "unknown-token";
      const old = known[index]!;
      const changes = known.slice(index + 1).map(({ change }) => change);
      const counts = { removed: countIn(changes, "removed"), added: countIn(changes, "added") };
      if (bytesAByte({ prefixes }, old, counts) > 1) return "full-is-smaller";
      const difference =
        kept.get(old.checksum) ?? (await queue.run(client, () => join(old, changes)));
      return difference.removals.length > mostRemovals ? "limited" : difference;
    };
  }

  return {
    add(newest) {
      const { prefixes, words, change } = newest;
      const version = { checksum: prefixes.checksum, prefixes: words.length, change };
      versions = worthKeeping([...versions, version], words.length);
      return differencesTo(newest, versions);
    },
  };
}
