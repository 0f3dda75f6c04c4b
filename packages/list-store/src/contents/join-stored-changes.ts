import type { Sha256 } from "../objects.ts";
import {
  differenceTo,
  joinConsecutive,
  type ListDifference,
  type PrefixChange,
} from "./prefix-change.ts";
import type { PrefixWords } from "./prefix-words.ts";
import { type StoredObject, wordsIn } from "./stored-prefixes.ts";

/** The two objects of a change. Either may be `null` if it would have no prefixes. */
export interface StoredChange {
  readonly removed: StoredObject | null;
  readonly added: StoredObject | null;
}

/** The changes from an older version of a list to the newest one. */
export interface ChangesToJoin {
  /** Consecutive changes, the newest first. */
  readonly stored: readonly StoredChange[];
  /** The prefixes of the newest version. */
  readonly words: PrefixWords;
  readonly checksums: Pick<ListDifference, "oldChecksum" | "checksum">;
}

/**
 * Joins changes, here or in another thread. `entries` indicates how much work that is. The bytes may be transferred.
 */
export type JoinStoredChanges = (
  changes: ChangesToJoin,
  entries: number,
) => ListDifference | Promise<ListDifference>;

function* changesIn(
  stored: readonly StoredChange[],
  sha256?: Sha256,
): Generator<PrefixChange, void, undefined> {
  for (const { removed, added } of stored) {
    yield { removed: wordsIn(removed, sha256), added: wordsIn(added, sha256) };
  }
}

/** Checks the objects of consecutive changes against their hashes, and joins the changes. The newest comes first. */
export function joinAll(stored: readonly StoredChange[], sha256?: Sha256): PrefixChange {
  return joinConsecutive(changesIn(stored, sha256));
}

/** Makes the difference for clients. `sha256` replaces the JavaScript implementation of SHA-256. */
export function joinStoredChanges(
  { stored, words, checksums }: ChangesToJoin,
  sha256?: Sha256,
): ListDifference {
  return differenceTo(words, joinAll(stored, sha256), checksums);
}
