import type { PrefixLength, PrefixListDifference, RawHashes } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { joinChanges, type StoredObject } from "./block.ts";
import {
  type Change,
  joinConsecutive,
  longerRemovalsOf,
  netChange,
  removalsOf,
  rowSets,
} from "./change.ts";
import type { Contents } from "./manifest.ts";
import { bytesOf, PREFIX_BYTES, type PrefixWords, WORD_SETS } from "./words.ts";

/** The two versions that a difference connects, without the prefixes of the newer one. */
interface BothVersions {
  readonly checksum: string;
  readonly before: Pick<Contents, "prefixes" | "checksum">;
  readonly list: string;
  /** The time of the newer version, in milliseconds since 1970. */
  readonly created: number;
}

/** Two versions of a list with prefixes of four bytes. */
export interface Versions extends BothVersions {
  /** The prefixes of the newer version. */
  readonly words: PrefixWords;
}

/** Two versions of a list with longer prefixes, all of the same length. */
export interface LongerVersions extends BothVersions {
  /** The prefixes of the newer version. */
  readonly longer: RawHashes;
}

/**
 * The fields of a difference besides removals and additions. The newer version has `count` prefixes of `prefixBytes`
 * bytes.
 */
function factsOf(
  { checksum, before, list, created }: BothVersions,
  { prefixBytes, count }: PrefixLength,
): Omit<PrefixListDifference, "removals" | "additions"> {
  const lengths = (count: number, checksum: string) =>
    count === 0 ? [] : [{ prefixBytes, count, checksum }];
  return {
    name: list,
    created,
    oldChecksum: before.checksum,
    checksum,
    oldLengths: lengths(before.prefixes, before.checksum),
    lengths: lengths(count, checksum),
  };
}

function differenceOf(versions: Versions, change: Change<PrefixWords>): PrefixListDifference {
  const { words } = versions;
  const rawHashes = bytesOf(change.added);
  return {
    ...factsOf(versions, { prefixBytes: PREFIX_BYTES, count: words.length }),
    removals: removalsOf(words, change),
    additions: rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }],
  };
}

function longerDifferenceOf(
  versions: LongerVersions,
  change: Change<Uint8Array>,
): PrefixListDifference {
  const { prefixBytes, rawHashes } = versions.longer;
  const { added } = change;
  return {
    ...factsOf(versions, { prefixBytes, count: rawHashes.length / prefixBytes }),
    removals: longerRemovalsOf(rawHashes, change, prefixBytes),
    additions: added.length === 0 ? [] : [{ prefixBytes, rawHashes: added }],
  };
}

/** The input of {@link makeDifference} for prefixes of four bytes. */
export interface DifferenceParts extends Versions {
  /** The changes from the older version to the newer one, the newest first. */
  readonly changes: readonly (Change<PrefixWords> | StoredObject)[];
}

/** The input of {@link makeDifference} for longer prefixes. */
export interface LongerDifferenceParts extends LongerVersions {
  /** The changes from the older version to the newer one, the newest first. */
  readonly changes: readonly Change<Uint8Array>[];
}

/**
 * Makes a difference, in this thread or another one. `entries` is an estimate of the work. The bytes of objects may be
 * transferred to the other thread.
 */
export type MakeDifference = (
  parts: DifferenceParts | LongerDifferenceParts,
  entries: number,
) => PrefixListDifference | Promise<PrefixListDifference>;

/** Makes a difference in this thread. */
export function makeDifference(
  parts: DifferenceParts | LongerDifferenceParts,
): PrefixListDifference {
  if ("longer" in parts) {
    const { changes, ...versions } = parts;
    const sets = rowSets(versions.longer.prefixBytes);
    return longerDifferenceOf(versions, netChange(joinConsecutive(changes, sets), sets));
  }
  const { changes, ...versions } = parts;
  return differenceOf(versions, netChange(joinChanges(changes), WORD_SETS));
}

/** The number of removals and additions in a difference. */
export function entriesIn({
  removals,
  additions,
}: Pick<PrefixListDifference, "removals" | "additions">): number {
  return removals.length + countEntries(additions);
}
