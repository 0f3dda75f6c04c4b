import {
  type Change,
  type DifferenceOptions,
  type DifferenceSince,
  differencesTo,
  type PrefixWords,
} from "@x/list-store/serving";
import type { PrefixList } from "@x/prefix-list";

/** The changes that are kept may have this many prefixes in total, or as many as the list has, if that is more. */
const MAX_CHANGED = 2 ** 16;

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

/** How many prefixes were removed or added in several changes. */
function countIn(changes: readonly Change<PrefixWords>[], part: "removed" | "added"): number {
  return changes.reduce((sum, change) => sum + change[part].length, 0);
}

export function listHistory(window: number, options: DifferenceOptions): ListHistory {
  /** The newest version comes last. The change of the first version is not used. */
  let versions: readonly Version[] = [];

  /** The newest version and up to `window` older ones. Their changes must not have too many prefixes in total. */
  function worthKeeping(all: readonly Version[], entries: number): readonly Version[] {
    const most = Math.max(entries, MAX_CHANGED);
    let words = 0;
    let first = all.length - 1;
    while (first > 0 && all.length - first <= window) {
      const { removed, added } = all[first]!.change;
      words += removed.length + added.length;
      if (words > most) break;
      first--;
    }
    return all.slice(first);
  }

  return {
    add(newest) {
      const { prefixes, words, change } = newest;
      const version = { checksum: prefixes.checksum, prefixes: words.length, change };
      versions = worthKeeping([...versions, version], words.length);
      const known = versions;
      const { name: list, created, checksum } = prefixes;
      return differencesTo(
        {
          newest: { words, checksum, list, created },
          async find(since, start) {
            const old = known.findLast((each) => each.checksum.startsWith(start));
            return since === SINCE && old !== undefined ? old : "unknown-token";
          },
          async changesSince(old, isTooMuch) {
            const changes = known.slice(known.indexOf(old) + 1).map(({ change }) => change);
            const counts = {
              removed: countIn(changes, "removed"),
              added: countIn(changes, "added"),
            };
            return isTooMuch(counts) ? null : changes.toReversed();
          },
        },
        options,
      );
    },
  };
}
