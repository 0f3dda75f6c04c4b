import {
  bytesAByte,
  type ChangesSince,
  entriesIn,
  type ListDifference,
  type PrefixChange,
  type PrefixWords,
  recentlyUsed,
  type WorkQueue,
  wordsOfChange,
} from "@x/list-store/serving";
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
  readonly change: PrefixChange;
}

/** For a list of another server: the versions that clients may still have. They are kept only in memory. */
export interface ListHistory {
  /** Adds the newest version. The result says what has changed since each older version. */
  add(words: PrefixWords, checksum: string, change: PrefixChange): ChangesSince;
}

/** How many prefixes were removed or added in several changes. A prefix that was changed twice is counted twice. */
function countIn(changes: readonly PrefixChange[], part: "removed" | "added"): number {
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

  function changesTo(words: PrefixWords, known: readonly Version[]): ChangesSince {
    const { checksum, prefixes } = known.at(-1)!;
    /** The differences, by the checksum of the older version. */
    const kept = recentlyUsed<string, ListDifference>(MAX_KEPT_ENTRIES, entriesIn);

    async function join(old: Version, changes: readonly PrefixChange[]): Promise<ListDifference> {
      // Another client may have asked for the same difference in the meantime.
      const joined = kept.get(old.checksum);
      if (joined !== undefined) return joined;
      const entries = countIn(changes, "removed") + countIn(changes, "added");
      const checksums = { oldChecksum: old.checksum, checksum };
      const job = { changes: changes.toReversed(), words, checksums };
      const difference = await aside.run("joinChanges", entries, job);
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
    add(words, checksum, change) {
      versions = worthKeeping(
        [...versions, { checksum, prefixes: words.length, change }],
        words.length,
      );
      return changesTo(words, versions);
    },
  };
}
