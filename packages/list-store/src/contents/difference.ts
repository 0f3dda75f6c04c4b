import type { PrefixListDifference } from "@x/prefix-list";
import { countEntries } from "@x/prefix-list/raw-hashes";
import type { Contents } from "../log/manifest.ts";
import type { Sha256 } from "../objects.ts";
import { type Change, joinConsecutive, removalsOf } from "./change.ts";
import { bytesOf, PREFIX_BYTES, type PrefixWords } from "./prefix-words.ts";
import { type StoredObject, wordsIn } from "./stored-prefixes.ts";

/** The two versions that a difference is between. */
export interface Versions {
  /** The prefixes of the newer version. */
  readonly words: PrefixWords;
  readonly checksum: string;
  readonly before: Pick<Contents, "prefixes" | "checksum">;
  /** The name and the time of the newer version. */
  readonly list: string;
  readonly created: number;
}

/** A change to the list that results in `words`, with removals by index. */
export function byIndex(
  words: PrefixWords,
  change: Change<PrefixWords>,
): Pick<PrefixListDifference, "removals" | "additions"> {
  const rawHashes = bytesOf(change.added);
  const additions = rawHashes.length === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, rawHashes }];
  return { removals: removalsOf(words, change), additions };
}

/** The difference between two versions that have this change between them. */
export function differenceOf(
  { words, checksum, before, list, created }: Versions,
  change: Change<PrefixWords>,
): PrefixListDifference {
  const lengths = (count: number, checksum: string) =>
    count === 0 ? [] : [{ prefixBytes: PREFIX_BYTES, count, checksum }];
  return {
    ...{ name: list, created, oldChecksum: before.checksum, checksum },
    oldLengths: lengths(before.prefixes, before.checksum),
    lengths: lengths(words.length, checksum),
    ...byIndex(words, change),
  };
}

/** The parts that a difference is made from. */
export interface DifferenceParts extends Versions {
  /** The changes from the older version to the newer one, the newest first. The bytes of objects are not checked yet. */
  readonly changes: readonly Change<PrefixWords | StoredObject | null>[];
}

/**
 * Makes a difference, here or in another thread. `entries` indicates how much work that is. The bytes of objects may be
 * transferred.
 */
export type MakeDifference = (
  parts: DifferenceParts,
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

/** Checks the objects of consecutive changes against their hashes, and joins the changes. The newest comes first. */
export function joinChanges(
  changes: DifferenceParts["changes"],
  sha256?: Sha256,
): Change<PrefixWords> {
  return joinConsecutive(wordsOfChanges(changes, sha256));
}

/** Makes a difference here. `sha256` replaces the JavaScript implementation of SHA-256. */
export function makeDifference(
  { changes, ...versions }: DifferenceParts,
  sha256?: Sha256,
): PrefixListDifference {
  return differenceOf(versions, joinChanges(changes, sha256));
}

/** How many entries a difference removes and adds. */
export function entriesIn({
  removals,
  additions,
}: Pick<PrefixListDifference, "removals" | "additions">): number {
  return removals.length + countEntries(additions);
}
