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

/** The changes of a list may have this many prefixes in total, or as many as the list has, if that is more. */
const MAX_CHANGED = 2 ** 16;
/** How many entries the differences that are kept may have in total. A single one may have more. */
const MAX_KEPT_ENTRIES = 2 ** 21;

/** The number in the tokens of lists of other servers: the checksum alone names their versions, on every server. */
export const SINCE = 0;

interface Version {
  readonly checksum: string;
  readonly prefixes: number;
  /** What changed since the version before. */
  readonly change: PrefixChange;
}

/** The versions of a list of another server that clients may still have. They are in memory only. */
export interface ListHistory {
  /** Adds the newest version, and says what changed in it since each of the others. */
  add(words: PrefixWords, checksum: string, change: PrefixChange): ChangesSince;
}

/** How many prefixes several changes have. What was changed twice is counted twice. */
function countIn(changes: readonly PrefixChange[], part: "removed" | "added"): number {
  return changes.reduce((sum, change) => sum + change[part].length, 0);
}

export function listHistory(window: number, queue: WorkQueue, aside: Aside): ListHistory {
  /** The newest one comes last. The change of the first one is not used. */
  let versions: readonly Version[] = [];

  /** The newest versions: no more than the window, and with no more changes than the list has entries. */
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
