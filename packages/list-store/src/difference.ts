import type { PrefixLength, PrefixListDifference, RawHashes } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import { type Change, joinConsecutive, longerRemovalsOf, removalsOf, rowSets } from "./change.ts";
import { type StoredObject, wordsIn } from "./layers.ts";
import type { Contents } from "./manifest.ts";
import type { Sha256 } from "./objects.ts";
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

/** Converts a change that results in `words` into removals by index and additions. */
export function byIndex(
  words: PrefixWords,
  change: Change<PrefixWords>,
): Pick<PrefixListDifference, "removals" | "additions"> {
  const rawHashes = bytesOf(change.added);
  const additions = rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }];
  return { removals: removalsOf(words, change), additions };
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

/** Makes a difference from the change between two versions. */
export function differenceOf(
  versions: Versions,
  change: Change<PrefixWords>,
): PrefixListDifference {
  const { words } = versions;
  const facts = factsOf(versions, { prefixBytes: PREFIX_BYTES, count: words.length });
  return { ...facts, ...byIndex(words, change) };
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
  readonly changes: readonly Change<PrefixWords | StoredObject | null>[];
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

function* wordsOfChanges(
  changes: DifferenceParts["changes"],
  sha256?: Sha256,
): Generator<Change<PrefixWords>, void, undefined> {
  for (const { removed, added } of changes) {
    yield { removed: wordsIn(removed, sha256), added: wordsIn(added, sha256) };
  }
}

/** Joins consecutive changes, the newest first. */
export function joinChanges(
  changes: DifferenceParts["changes"],
  sha256?: Sha256,
): Change<PrefixWords> {
  return joinConsecutive(wordsOfChanges(changes, sha256), WORD_SETS);
}

/** Makes a difference in this thread. `sha256` replaces the JavaScript implementation of SHA-256. */
export function makeDifference(
  parts: DifferenceParts | LongerDifferenceParts,
  sha256?: Sha256,
): PrefixListDifference {
  if ("longer" in parts) {
    const { changes, ...versions } = parts;
    const sets = rowSets(versions.longer.prefixBytes);
    return longerDifferenceOf(versions, joinConsecutive(changes, sets));
  }
  const { changes, ...versions } = parts;
  return differenceOf(versions, joinChanges(changes, sha256));
}

/** The number of removals and additions in a difference. */
export function entriesIn({
  removals,
  additions,
}: Pick<PrefixListDifference, "removals" | "additions">): number {
  return removals.length + countEntries(additions);
}
