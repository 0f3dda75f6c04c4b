import {
  type Change,
  type DifferenceOptions,
  type DifferenceSince,
  differencesTo,
  type NewestVersion,
} from "@x/list-store/serving";

/** The changes that are kept may have this many prefixes in total, or as many as the list has, if that is more. */
const MAX_CHANGED = 2 ** 16;

interface Version<Part> {
  readonly since: number;
  readonly checksum: string;
  readonly prefixes: number;
  /** The change since the previous version. */
  readonly change: Change<Part>;
}

/** The newest version of a list, with the change since the previous one. */
interface AddedVersion<Part> {
  /** The number in the tokens for this version. */
  readonly since: number;
  readonly newest: NewestVersion;
  readonly change: Change<Part>;
}

/** The versions of a list that clients may still have. These versions are kept only in memory. */
export interface ListHistory<Part> {
  /** Adds the newest version. Returns a function that makes the differences from older versions. */
  add(version: AddedVersion<Part>): DifferenceSince;
}

/** The total length of the removed or added parts of changes, in words or bytes. */
function countIn<Part extends { readonly length: number }>(
  changes: readonly Change<Part>[],
  part: "removed" | "added",
): number {
  return changes.reduce((sum, change) => sum + change[part].length, 0);
}

/**
 * Creates the history of a list. `window` is the maximum number of older versions that are kept. Changes are words or,
 * for longer prefixes, bytes.
 */
export function listHistory<Part extends Uint32Array | Uint8Array>(
  window: number,
  options: DifferenceOptions,
): ListHistory<Part> {
  /** The newest version comes last. The change of the first version is not used. */
  let versions: readonly Version<Part>[] = [];

  /**
   * The newest version and up to `window` older ones. The changes of these versions must not be longer than `most` in
   * total.
   */
  function worthKeeping(all: readonly Version<Part>[], most: number): readonly Version<Part>[] {
    let length = 0;
    let first = all.length - 1;
    while (first > 0 && all.length - first <= window) {
      const { removed, added } = all[first]!.change;
      length += removed.length + added.length;
      if (length > most) break;
      first--;
    }
    return all.slice(first);
  }

  return {
    add({ since, newest, change }) {
      const { checksum } = newest;
      // The number of items of a change that make up one prefix: one word, or the bytes of a longer prefix.
      const [prefixes, each] =
        "longer" in newest
          ? [newest.longer.rawHashes.length / newest.longer.prefixBytes, newest.longer.prefixBytes]
          : [newest.words.length, 1];
      versions = worthKeeping(
        [...versions, { since, checksum, prefixes, change }],
        Math.max(prefixes, MAX_CHANGED) * each,
      );
      const known = versions;
      return differencesTo(
        {
          newest,
          async find(since, start) {
            const old = known.findLast(
              (version) => version.since === since && version.checksum.startsWith(start),
            );
            return old ?? "unknown-token";
          },
          async changesSince(old, isTooMuch) {
            const changes = known.slice(known.indexOf(old) + 1).map(({ change }) => change);
            const counts = {
              removed: countIn(changes, "removed") / each,
              added: countIn(changes, "added") / each,
            };
            return isTooMuch(counts) ? null : (changes.toReversed() as Change<never>[]);
          },
        },
        options,
      );
    },
  };
}
